import type { ConversationState } from '../../domain/conversation/state.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { Metered } from '../access/frame-meter.ts'
import { createHeld, type Hold } from '../shared/held.ts'
import { OpenSession, type SessionParts } from './open-session.ts'
import { createSharedPlaces } from './shared-places.ts'

/** The use of a session that is open in this process. */
export interface SessionUse {
  readonly session: OpenSession
  /** Its last frame was handled. */
  release(): void
  /** False when the session sends faster than it may. `event`: takes effect. `signal`: anything else. */
  allow(kind: 'event' | 'signal'): boolean
  /** Counts a frame of the session, before it is read. */
  count(frame: string): Metered
}

/** One connection's slot in a session. */
export interface ConnectionSlot extends SessionUse {
  /** Set by `open`: from then on `abandon` does nothing. */
  take(): void
  abandon(): void
  /** The connection has closed: its slot is free. The session itself stays open until `release`. */
  leave(): void
}

/** The sessions of this process that have a connection. */
export interface OpenSessions {
  /**
   * Null when all slots of the session are taken (contract/messaging.md, Handshake): in this process, or in all of
   * them together where the host shares limits. A promise only where other processes are asked.
   */
  reserve(state: ConversationState): ConnectionSlot | null | Promise<ConnectionSlot | null>
  /** The session for as long as a request takes: no slot is taken (ES7). */
  use(state: ConversationState): SessionUse
}

interface Entry {
  readonly session: OpenSession
  connections: number
}

/** A class, because each open connection has one. */
class HeldSlot implements ConnectionSlot {
  readonly #hold: Hold<Entry>
  #phase: 'reserved' | 'taken' | 'left' = 'reserved'
  #giveBack: (() => void) | null = null

  constructor(hold: Hold<Entry>) {
    this.#hold = hold
    hold.value.connections++
  }

  get session(): OpenSession {
    return this.#hold.value.session
  }

  /** The slot is one of all processes: called when it becomes free. */
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
    this.#hold.value.connections--
    this.#giveBack?.()
  }

  release(): void {
    this.#hold.release()
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
  const open = createHeld<ConversationId, Entry>(({ session }) => session.close())

  parts.engine.onClockStepped(() => {
    for (const { session } of open.values()) session.presence.renew()
  })

  const { clock, settings, sharedLimits } = parts.context
  const places = sharedLimits && createSharedPlaces(sharedLimits, settings.placeLease, clock)

  const holdSession = (state: ConversationState): Hold<Entry> =>
    open.hold(state.id, () => ({ session: new OpenSession(parts, state), connections: 0 }))

  return {
    use(state) {
      const hold = holdSession(state)
      const { session } = hold.value
      return {
        session,
        release: () => hold.release(),
        allow: kind => mayTake(session, kind),
        count: frame => counted(session, frame),
      }
    },
    reserve(state) {
      const most = settings.limits.connectionsPerSession
      if ((open.get(state.id)?.connections ?? 0) >= most) return null
      const slot = new HeldSlot(holdSession(state))
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
