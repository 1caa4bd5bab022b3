import type { Clock } from '@colloquy/core'
import { createSigner } from './signature.ts'

/** Response to a signed request. */
export interface Answer {
  readonly status: number
  readonly text: string
  /** Delay that the other side asks for, milliseconds. */
  readonly retryAfter: number
}

/** Makes one signed POST. Rejects when there is no connection, or no answer in time. */
export type Post = (id: string, body: object) => Promise<Answer>

/** Target of signed requests. */
export interface SignedTarget {
  readonly url: string
  readonly secret: string
  readonly clock: Clock
  /** Time limit of a response, milliseconds. */
  readonly timeout: number
}

/** @throws Error for an invalid secret */
export function createPost({ url, secret, clock, timeout }: SignedTarget): Post {
  const sign = createSigner(secret)
  return async (id, json) => {
    const body = JSON.stringify(json)
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...sign({ id, at: clock.now(), body }) },
      body,
      // Followed, a redirect would carry the message to an address that was not configured.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
    })
    const seconds = Number(response.headers.get('retry-after') ?? 0)
    return {
      status: response.status,
      text: await response.text(),
      retryAfter: Number.isFinite(seconds) ? seconds * 1_000 : 0,
    }
  }
}

/** True for an answer that may be another one a little later. */
export const isPassing = ({ status }: Answer): boolean => status === 408 || status === 429 || status >= 500

/** Waits on the clock. */
export const pause = (clock: Clock, milliseconds: number): Promise<void> =>
  new Promise(resolve => {
    clock.schedule(milliseconds, resolve, { keepAlive: true })
  })
