import { createHash, randomBytes } from 'node:crypto'
import type { Person } from '@colloquy/core'
import type { KeptSession, SessionFile } from './session-file.ts'

/** Lifetime of a session, milliseconds. */
export const SESSION = 12 * 60 * 60 * 1_000

/** Sessions at a time; of more the oldest ends. */
const MOST = 1_000

/** Enough randomness that nobody guesses it. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** The one form in which a token is kept. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

interface Session extends KeptSession {
  /** Stops watching its key. */
  readonly unwatch: () => void
}

/** Sessions of the people who are signed in. Only hashes of tokens are kept (SS34). */
export interface Sessions {
  /** Signs somebody in, and returns the token to which that leads. @param keyId the key that they have; null for none */
  open(name: string, keyId: string | null): string
  /** Returns the person who signed in with that token; null if it is unknown or expired. */
  find(token: string): Person | null
  /** Signs them out. */
  end(token: string): void
  /** Watches no more keys. Sessions that are kept go on with the next process. */
  close(): void
}

/** Dependencies of sessions. */
export interface SessionParts {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Calls `end` once the key has ended, and at once where it has; returns what stops that. */
  readonly watchKey: (keyId: string, end: () => void) => () => void
  readonly file: SessionFile
}

/** Whoever has a key, or the link, may do everything; the name is their own. */
const personOf = (name: string): Person => ({ id: name, name, roles: ['operator'] })

const nothing = (): void => {}

export function createSessions({ now, watchKey, file }: SessionParts): Sessions {
  const sessions = new Map<string, Session>()

  const keep = (): void => file.write([...sessions.values()].map(({ unwatch: _, ...session }) => session))

  function end(hash: string): void {
    const session = sessions.get(hash)
    if (session === undefined) return
    sessions.delete(hash)
    session.unwatch()
    keep()
  }

  function put(session: KeptSession): void {
    const { hash, keyId } = session
    const unwatch = keyId === null ? nothing : watchKey(keyId, () => end(hash))
    sessions.set(hash, { ...session, unwatch })
  }

  for (const session of file.read()) if (session.until > now()) put(session)

  return {
    open(name, keyId) {
      const token = newToken()
      for (const [other, { until }] of sessions) if (until <= now()) end(other)
      const [oldest] = sessions.keys()
      if (sessions.size >= MOST && oldest !== undefined) end(oldest)
      put({ hash: hashOf(token), name, keyId, until: now() + SESSION })
      keep()
      return token
    },
    find(token) {
      const session = sessions.get(hashOf(token))
      if (session === undefined) return null
      if (session.until > now()) return personOf(session.name)
      end(session.hash)
      return null
    },
    end: token => end(hashOf(token)),
    close() {
      for (const { unwatch } of sessions.values()) unwatch()
      sessions.clear()
    },
  }
}
