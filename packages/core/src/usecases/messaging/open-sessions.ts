import type { ConversationState } from '../../domain/conversation/state.ts'
import type { ConversationId } from '../../domain/ids.ts'
import { OpenSession, type SessionParts } from './open-session.ts'

/** One connection's place in a session. */
export interface Place {
  readonly session: OpenSession
  /** Taken by `open`: from then on `abandon` does nothing. */
  take(): void
  abandon(): void
  /** The connection is gone: another one may come. The session itself stays open until `release`. */
  leave(): void
  /** The connection's last frame was handled. */
  release(): void
  /** False when the session sends faster than it may. `event`: takes effect. `signal`: anything else. */
  allow(kind: 'event' | 'signal'): boolean
}

/** The sessions of this process that have a connection. */
export interface OpenSessions {
  /** Null when all places of the session are taken (contract/messaging.md, Handshake). */
  reserve(state: ConversationState): Place | null
}

interface Entry {
  readonly session: OpenSession
  places: number
  users: number
}

export function createOpenSessions(parts: SessionParts): OpenSessions {
  const entries = new Map<ConversationId, Entry>()
  const { events, signals } = parts.context.limiters
  const limiterOf = { event: events, signal: signals }

  const release = (entry: Entry): void => {
    entry.users--
    if (entry.users > 0) return
    entries.delete(entry.session.id)
    entry.session.close()
  }

  parts.engine.onClockStepped(() => {
    for (const { session } of entries.values()) session.presence.renew()
  })

  return {
    reserve(state) {
      const entry = entries.get(state.id) ?? {
        session: new OpenSession(parts, state),
        places: 0,
        users: 0,
      }
      if (entry.places >= parts.context.settings.limits.connectionsPerSession) return null
      entries.set(state.id, entry)
      entry.places++
      entry.users++
      let phase: 'reserved' | 'taken' | 'left' = 'reserved'
      return {
        session: entry.session,
        take() {
          if (phase !== 'reserved') throw new Error('a handshake can be opened once, and not after abandon')
          phase = 'taken'
        },
        abandon() {
          if (phase !== 'reserved') return
          phase = 'left'
          entry.places--
          release(entry)
        },
        leave() {
          entry.places--
        },
        release: () => release(entry),
        allow: kind => limiterOf[kind].take(state.id) === 0,
      }
    },
  }
}
