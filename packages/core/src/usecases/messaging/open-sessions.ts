import type { ConversationState } from '../../domain/conversation/state.ts'
import type { Metered } from '../access/frame-meter.ts'
import { OpenSession, type SessionParts } from './open-session.ts'
import { createSharedPlaces } from './shared-places.ts'

/** The use of a session that is open in this process. */
export interface SessionUse {
  readonly session: OpenSession
  /** Its last frame was handled. */
  release(): void
  /** Returns false when the session sends faster than it may. `event`: takes effect. `signal`: anything else. */
  allow(kind: 'event' | 'signal'): boolean
  /** Counts a frame of the session, before it is read. */
  count(frame: string): Metered
}

/** One connection's slot in a session. */
export interface ConnectionSlot extends SessionUse {
  /** Called by `open`: from then on `abandon` does nothing. */
  take(): void
  abandon(): void
  /** Frees the slot of a closed connection. The session itself stays open until `release`. */
  leave(): void
}

/** The sessions of this process that have a connection. */
export interface OpenSessions {
  /**
   * Reserves a slot of the session. Returns null when all slots are taken (contract/messaging.md, Handshake): in this
   * process, or in all of them together if the host shares limits. A promise only if other processes are asked.
   */
  reserve(state: ConversationState): ConnectionSlot | null | Promise<ConnectionSlot | null>
  /** Returns the session for as long as a request takes. No slot is taken (ES7). */
  use(state: ConversationState): SessionUse
}

/** A class, because each open connection has one. */
class HeldSlot implements ConnectionSlot {
  readonly session: OpenSession
  #phase: 'reserved' | 'taken' | 'left' = 'reserved'
  #giveBack: (() => void) | null = null

  constructor(session: OpenSession) {
    this.session = session
    session.slots++
  }

  /** Marks the slot as one of all processes. `giveBack` is called when it becomes free. */
  sharedBy(giveBack: () => void): this {
    this.#giveBack = giveBack
    return this
  }

  take(): void {
    if (this.#phase !== 'reserved') throw new Error('A handshake can be opened once, and not after abandon.')
    this.#phase = 'taken'
  }

  abandon(): void {
    if (this.#phase !== 'reserved') return
    this.#phase = 'left'
    this.leave()
    this.release()
  }

  leave(): void {
    this.session.slots--
    this.#giveBack?.()
  }

  release(): void {
    this.session.leave()
  }

  allow(kind: 'event' | 'signal'): boolean {
    return mayTake(this.session, kind)
  }

  count(frame: string): Metered {
    return counted(this.session, frame)
  }
}

function mayTake({ id, parts }: OpenSession, kind: 'event' | 'signal'): boolean {
  const { events, signals } = parts.context.limiters
  return (kind === 'event' ? events : signals).take(id) === 0
}

const counted = ({ id, parts }: OpenSession, frame: string): Metered =>
  parts.context.limiters.frames.count(id, frame)

export function createOpenSessions(parts: SessionParts): OpenSessions {
  const { clock, rooms, settings, sharedLimits } = parts.context
  const places = sharedLimits && createSharedPlaces(sharedLimits, settings.placeLease, clock)

  parts.engine.onClockStepped(() => {
    for (const { session } of rooms.all()) session?.presence.renew()
  })

  function enter(state: ConversationState): OpenSession {
    const room = rooms.of(state.id)
    const { session: known } = room
    const session = known instanceof OpenSession ? known : new OpenSession(parts, room, state)
    room.session = session
    return session.enter()
  }

  return {
    use(state) {
      const session = enter(state)
      return {
        session,
        release: () => session.leave(),
        allow: kind => mayTake(session, kind),
        count: frame => counted(session, frame),
      }
    },
    reserve(state) {
      const most = settings.limits.connectionsPerSession
      if ((rooms.find(state.id)?.session?.slots ?? 0) >= most) return null
      const slot = new HeldSlot(enter(state))
      if (places === null) return slot
      const taken = places.take(state.id, most)
      if (typeof taken === 'function') return slot.sharedBy(taken)
      return taken.then(giveBack => {
        if (giveBack !== null) return slot.sharedBy(giveBack)
        slot.abandon()
        return null
      })
    },
  }
}
