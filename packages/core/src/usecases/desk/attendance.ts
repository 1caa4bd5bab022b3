import { attendanceBeat } from '../../domain/conversation/attendance.ts'
import type { DeskSeat } from '../../domain/conversation/desk-seat.ts'
import type { ConversationId, HandoffId } from '../../domain/ids.ts'
import type { Context } from '../context.ts'
import type { Engine } from '../conversation/engine/engine.ts'
import { every } from '../shared/every.ts'
import type { Assigner } from './assign.ts'
import type { DeskEvent } from './desk-event.ts'
import { keepSeat } from './seats.ts'

/** A live agent who watches the desk through one socket. */
export interface Attendant {
  /** Resolves when others see that the live agent is at the desk. */
  readonly seated: Promise<void>
  /** Gets every event that the socket gets. */
  hear(event: DeskEvent): void
  /** Called when the socket is closed. */
  stop(): void
}

/** Records who is at the desk, and that their handoffs are attended, while their sockets are open (DK15). */
export interface Attendance {
  attend(seat: Omit<DeskSeat, 'id' | 'until'>): Attendant
  /** Records nothing any more. Resolves when everything recorded is stored. */
  stop(): Promise<void>
}

type Executes = Pick<Engine, 'execute'>
type Changes = Pick<Assigner, 'changed'>

/**
 * Stores a sign for each handoff at once, at every beat, and when the socket closes. The machine leaves out signs that
 * change nothing. Long because all sockets share the beat and the signs that are being stored.
 */
export function createAttendance(context: Context, engine: Executes, { changed }: Changes): Attendance {
  const { clock, ids, settings } = context
  const beat = attendanceBeat(settings.liveAgentAbsence)
  const attendants = new Set<Attendant>()
  const underWay = new Set<Promise<void>>()

  function note(
    sessionId: ConversationId,
    handoffId: HandoffId,
    liveAgentId: string,
    socket: 'open' | 'closed',
  ) {
    const work = engine
      .execute(sessionId, { type: 'live_agent_watched', handoffId, liveAgentId, socket })
      .then(
        () => undefined,
        error => settings.onError(error, 'live agent attendance'),
      )
    track(work)
  }

  function track(work: Promise<void>): void {
    underWay.add(work)
    void work.finally(() => underWay.delete(work))
  }

  /** Watches one handoff until it is released. */
  function keep(sessionId: ConversationId, handoffId: HandoffId, liveAgentId: string) {
    const open = (): void => note(sessionId, handoffId, liveAgentId, 'open')
    open()
    const letGo = every(clock, beat, open)
    return {
      letGo,
      close() {
        letGo()
        note(sessionId, handoffId, liveAgentId, 'closed')
      },
    }
  }

  return {
    attend(seat) {
      const liveAgentId = seat.liveAgent.id
      const own = keepSeat(context, { ...seat, id: ids.uuid() }, track, changed)
      const kept = new Map<HandoffId, ReturnType<typeof keep>>()
      let stopped = false
      const attendant: Attendant = {
        seated: own.kept,
        hear(event) {
          if (stopped) return
          if (event.type === 'ended') {
            kept.get(event.handoffId)?.letGo()
            kept.delete(event.handoffId)
          } else if (event.type === 'accepted') {
            const { agent, handoffId, sessionId } = event.handoff
            if (agent?.id !== liveAgentId) {
              // Another live agent has taken it over.
              kept.get(handoffId)?.letGo()
              kept.delete(handoffId)
            } else if (!kept.has(handoffId)) kept.set(handoffId, keep(sessionId, handoffId, liveAgentId))
          }
        },
        stop() {
          if (stopped) return
          stopped = true
          own.leave()
          attendants.delete(attendant)
          for (const handoff of kept.values()) handoff.close()
          kept.clear()
        },
      }
      attendants.add(attendant)
      return attendant
    },
    async stop() {
      for (const attendant of attendants) attendant.stop()
      await Promise.all(underWay)
    },
  }
}
