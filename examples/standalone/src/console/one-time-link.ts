import { timingSafeEqual } from 'node:crypto'
import { hashOf, newToken } from './sessions.ts'

/** Lifetime of the link, milliseconds. */
export const LINK = 15 * 60 * 1_000

/** A link that signs in whoever started the server, once (SS33). */
export interface OneTimeLink {
  /** Token of the link. Only its hash is kept here. */
  readonly token: string
  /** True for the token while its time lasts and nobody has taken it. */
  opens(token: string): boolean
  /** The same, once: the token is used up by it. */
  take(token: string): boolean
}

/** @param now milliseconds of a clock that never steps */
export function createOneTimeLink(now: () => number): OneTimeLink {
  const token = newToken()
  const hash = Buffer.from(hashOf(token))
  const until = now() + LINK
  let taken = false
  const opens = (given: string): boolean =>
    timingSafeEqual(Buffer.from(hashOf(given)), hash) && !taken && now() < until
  return {
    token,
    opens,
    take(given) {
      const isIt = opens(given)
      taken ||= isIt
      return isIt
    },
  }
}
