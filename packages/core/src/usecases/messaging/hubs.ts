import type { ConversationState } from '../../domain/conversation/state.ts'
import type { ConversationId } from '../../domain/ids.ts'
import { Hub, type HubParts } from './hub.ts'

/** One connection's place in a conversation's hub. */
export interface Place {
  readonly hub: Hub
  /** Taken by `open`: from then on `abandon` does nothing. */
  take(): void
  abandon(): void
  /** The connection is gone: another one may come. The hub itself stays until `release`. */
  leave(): void
  /** The connection's last frame was handled. */
  release(): void
  /** False when the session sends faster than it may. `event`: takes effect. `signal`: anything else. */
  allow(kind: 'event' | 'signal'): boolean
}

/** The hubs of this process: one for each conversation that has a connection. */
export interface Hubs {
  /** Null when all places of the conversation are taken (decisions.md section 8: 10). */
  reserve(state: ConversationState): Place | null
}

interface Entry {
  readonly hub: Hub
  places: number
  users: number
}

export function createHubs(parts: HubParts): Hubs {
  const entries = new Map<ConversationId, Entry>()
  const { events, signals } = parts.context.limiters
  const limiterOf = { event: events, signal: signals }

  const release = (entry: Entry): void => {
    entry.users--
    if (entry.users > 0) return
    entries.delete(entry.hub.id)
    entry.hub.dispose()
  }

  parts.engine.onClockStepped(() => {
    for (const { hub } of entries.values()) hub.presence.renew()
  })

  return {
    reserve(state) {
      const entry = entries.get(state.id) ?? {
        hub: new Hub(parts, state),
        places: 0,
        users: 0,
      }
      if (entry.places >= parts.context.settings.limits.connectionsPerSession) return null
      entries.set(state.id, entry)
      entry.places++
      entry.users++
      let phase: 'reserved' | 'taken' | 'left' = 'reserved'
      return {
        hub: entry.hub,
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
