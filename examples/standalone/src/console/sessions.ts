import { createHash, randomBytes } from 'node:crypto'
import type { Person } from '@colloquy/core'

/** How long somebody stays signed in, milliseconds. */
export const SESSION = 12 * 60 * 60 * 1_000

/** Sessions at a time; of more the oldest ends. */
const MOST = 1_000

/** Enough randomness that nobody guesses it. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** The one form in which a token is kept. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

interface Session {
  readonly person: Person
  readonly until: number
  /** Ends what was started with the session. */
  readonly ended: () => void
}

/** Who is signed in, in this process. Only hashes of tokens are kept (SS34). */
export interface Sessions {
  /** Signs somebody in, and returns the token to which that leads. `watch` is given what ends the session. */
  open(person: Person, watch?: (end: () => void) => () => void): string
  /** Who signed in with that token; null for nobody, and for one whose time is over. */
  find(token: string): Person | null
  /** Signs them out. */
  end(token: string): void
  /** Ends every session. */
  close(): void
}

const nothing = (): void => {}

/** @param now milliseconds of a clock that never steps */
export function createSessions(now: () => number): Sessions {
  const sessions = new Map<string, Session>()

  function end(hash: string): void {
    const session = sessions.get(hash)
    sessions.delete(hash)
    session?.ended()
  }

  return {
    open(person, watch = () => nothing) {
      const token = newToken()
      const hash = hashOf(token)
      for (const [other, { until }] of sessions) if (until <= now()) end(other)
      const [oldest] = sessions.keys()
      if (sessions.size >= MOST && oldest !== undefined) end(oldest)
      sessions.set(hash, { person, until: now() + SESSION, ended: watch(() => end(hash)) })
      return token
    },
    find(token) {
      const hash = hashOf(token)
      const session = sessions.get(hash)
      if (session === undefined) return null
      if (session.until > now()) return session.person
      end(hash)
      return null
    },
    end: token => end(hashOf(token)),
    close() {
      for (const hash of sessions.keys()) end(hash)
    },
  }
}
