import { type CallProvider, createPlatform, type Platform, type PlatformOptions } from '@colloquy/core'
import { z } from 'zod'

/** What the carrier answers, and what it posts. */
const takenSchema = z.object({ sid: z.string() })
const eventSchema = z.object({ state: z.string(), why: z.string().optional() })

/** Asks a carrier for calls, over HTTP. It posts what becomes of each to `events`. */
export const createCarrier = (url: string, events: string): CallProvider => ({
  async place({ id, to, from, metadata, encryption, signal }) {
    const answer = await fetch(`${url}/calls`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ to, from, encryption, headers: metadata, events: `${events}?call=${id}` }),
      signal,
    })
    if (!answer.ok) throw new Error(`The carrier answered ${answer.status}.`)
    return { providerId: takenSchema.parse(await answer.json()).sid }
  },
})

/** Takes what the carrier posts: `{"state": "ringing"}`, and so on. Check first that it was the carrier. */
export async function carrierEvent({ calls }: Platform, request: Request): Promise<Response> {
  const id = new URL(request.url).searchParams.get('call') ?? ''
  const { state, why = state } = eventSchema.parse(await request.json())
  if (state === 'ringing') await calls.ringing({ id })
  else if (state === 'answered') await calls.answered({ id })
  else if (state === 'completed') await calls.ended({ id })
  else await calls.failed({ id, reason: why })
  return new Response(null, { status: 204 })
}

/** A platform whose agents call over that carrier. */
export const createHost = (options: PlatformOptions, carrier: CallProvider): Platform =>
  createPlatform({ ...options, callProvider: carrier })
