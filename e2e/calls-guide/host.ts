import {
  type CallProvider,
  type CallStanding,
  createPlatform,
  type Platform,
  type PlatformOptions,
} from '@colloquy/core'
import { z } from 'zod'

/** Shapes of the carrier's responses and of the events that it posts. */
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
  async status({ providerId, signal }) {
    const answer = await fetch(`${url}/calls/${encodeURIComponent(providerId)}`, { signal })
    if (answer.status === 404) return { type: 'unknown' }
    if (!answer.ok) throw new Error(`The carrier answered ${answer.status}.`)
    return standingOf(eventSchema.parse(await answer.json()))
  },
})

/** Translates a state of the carrier into the state of a call. */
function standingOf({ state, why = state }: z.infer<typeof eventSchema>): CallStanding {
  if (state === 'queued' || state === 'ringing' || state === 'answered') return { type: state }
  return state === 'completed' ? { type: 'ended' } : { type: 'failed', reason: why }
}

/** Takes what the carrier posts: `{"state": "ringing"}`, and so on. Check first that it was the carrier. */
export async function carrierEvent({ calls }: Platform, request: Request): Promise<Response> {
  const id = new URL(request.url).searchParams.get('call') ?? ''
  const standing = standingOf(eventSchema.parse(await request.json()))
  if (standing.type === 'ringing') await calls.ringing({ id })
  else if (standing.type === 'answered') await calls.answered({ id })
  else if (standing.type === 'ended') await calls.ended({ id })
  else if (standing.type === 'failed') await calls.failed({ id, reason: standing.reason })
  return new Response(null, { status: 204 })
}

/** A platform whose agents call over that carrier. */
export const createHost = (options: PlatformOptions, carrier: CallProvider): Platform =>
  createPlatform({ ...options, callProvider: carrier })
