import { type TokenBucket, takeToken } from '../../domain/access/token-bucket.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import type { ConversationId } from '../../domain/ids.ts'
import { PROTOCOL_LIMITS } from '../../protocol/limits.ts'
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
  readonly buckets: { event: TokenBucket | null; signal: TokenBucket | null }
}

export function createHubs(parts: HubParts): Hubs {
  const entries = new Map<ConversationId, Entry>()

  const release = (entry: Entry): void => {
    entry.users--
    if (entry.users > 0) return
    entries.delete(entry.hub.id)
    entry.hub.dispose()
  }

  return {
    reserve(state) {
      const entry = entries.get(state.id) ?? {
        hub: new Hub(parts, state),
        places: 0,
        users: 0,
        buckets: { event: null, signal: null },
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
        allow: kind => allow(parts, entry, kind),
      }
    },
  }
}

function allow(parts: HubParts, entry: Entry, kind: 'event' | 'signal'): boolean {
  const limit = parts.context.settings.rateLimits?.session
  if (limit === undefined) return true
  const factor = kind === 'signal' ? PROTOCOL_LIMITS.signalFactor : 1
  const scaled = { perSecond: limit.perSecond * factor, burst: limit.burst * factor }
  const taken = takeToken(entry.buckets[kind], scaled, parts.context.clock.now())
  entry.buckets[kind] = taken.bucket
  return taken.retryAfterSeconds === 0
}
