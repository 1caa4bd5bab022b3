import type { ConversationState } from '../../domain/conversation/state.ts'
import type { ConversationId } from '../../domain/ids.ts'
import { createHeld } from '../shared/held.ts'
import { OpenSession, type SessionParts } from './open-session.ts'

/** One connection's slot in a session. */
export interface ConnectionSlot {
  readonly session: OpenSession
  /** Set by `open`: from then on `abandon` does nothing. */
  take(): void
  abandon(): void
  /** The connection has closed: its slot is free. The session itself stays open until `release`. */
  leave(): void
  /** The connection's last frame was handled. */
  release(): void
  /** False when the session sends faster than it may. `event`: takes effect. `signal`: anything else. */
  allow(kind: 'event' | 'signal'): boolean
}

/** The sessions of this process that have a connection. */
export interface OpenSessions {
  /** Null when all slots of the session are taken (contract/messaging.md, Handshake). */
  reserve(state: ConversationState): ConnectionSlot | null
}

export function createOpenSessions(parts: SessionParts): OpenSessions {
  const open = createHeld<ConversationId, { readonly session: OpenSession; connections: number }>(
    ({ session }) => session.close(),
  )
  const { events, signals } = parts.context.limiters
  const limiterOf = { event: events, signal: signals }

  parts.engine.onClockStepped(() => {
    for (const { session } of open.values()) session.presence.renew()
  })

  return {
    reserve(state) {
      const taken = open.get(state.id)?.connections ?? 0
      if (taken >= parts.context.settings.limits.connectionsPerSession) return null
      const { value: entry, release } = open.hold(state.id, () => ({
        session: new OpenSession(parts, state),
        connections: 0,
      }))
      entry.connections++
      let phase: 'reserved' | 'taken' | 'left' = 'reserved'
      return {
        session: entry.session,
        take() {
          if (phase !== 'reserved') throw new Error('A handshake can be opened once, and not after abandon.')
          phase = 'taken'
        },
        abandon() {
          if (phase !== 'reserved') return
          phase = 'left'
          entry.connections--
          release()
        },
        leave() {
          entry.connections--
        },
        release,
        allow: kind => limiterOf[kind].take(state.id) === 0,
      }
    },
  }
}
