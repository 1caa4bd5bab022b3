import type { ConversationId } from '../../../domain/ids.ts'
import type { Lapse } from '../../../domain/lapse.ts'
import { PlatformError } from '../../../errors.ts'
import type { Context } from '../../context.ts'
import { watchLapses } from '../../shared/lapses.ts'
import { startPollLoop } from '../../shared/poll-loop.ts'
import type { Engine } from './engine.ts'

/** How many due conversations are taken at once. */
const BATCH = 100

/** How many `wakeAt`s are brought forward in one write. */
const HASTENED_AT_ONCE = 500

/**
 * How often in a row waking may be delayed by the grace period; after that, even a process that is always late wakes
 * conversations.
 */
const MOST_HOLDS = 3

/** Wakes conversations that are due. */
export interface Worker {
  /** Stops and waits for the conversations it is waking. */
  stop(): Promise<void>
}

/**
 * Polls for due conversations, at once and then every `Settings.wakeInterval`. Several processes may do so over one
 * store: a claim gives each conversation to one of them, and the machine is correct even if two wake the same. A
 * conversation that cannot be woken is reported to the host, and its claim doubles each time (EN44).
 *
 * After a step of the wall clock, or a round that is late because the process was suspended, nothing is woken for
 * `Settings.resumeGrace`: meanwhile sockets are read, and every process stores its signs of life (TM3 to TM6). Long
 * because its steps share the last reading of the clock.
 */
export function startWorker(context: Context, engine: Pick<Engine, 'clockStepped' | 'execute'>): Worker {
  const { clock, log, settings, store } = context
  /** No deadline of a conversation is further away. */
  const longest = Math.max(
    settings.sessionIdle,
    settings.debugChatIdle,
    settings.turnLease,
    settings.longestWakeRetry,
  )
  let stopped = false
  const lapseNow = watchLapses(clock)
  let holds = 0
  /**
   * A `wakeAt` further ahead than this, milliseconds, is brought forward with the next round. First that of an earlier
   * process whose clock was ahead: it would only be due once the clock has caught up.
   */
  let furthest: number | null = longest

  const wake = (id: ConversationId) =>
    engine.execute(id, { type: 'wake' }).catch(cause => {
      const message = `The conversation ${id} could not be woken; it is tried again later.`
      settings.onError(new PlatformError('INTERNAL', message, { cause }), 'worker')
    })

  async function round(): Promise<void> {
    const now = clock.now()
    // A process that dies between claim and wake-up must not delay due conversations for long.
    const until = now + settings.wakeInterval
    const claimed = await store.conversations.timers.claimDue(now, BATCH, until, settings.longestWakeRetry)
    await Promise.all(claimed.map(wake))
    if (claimed.length === BATCH && !stopped) await round()
  }

  /** Makes conversations due whose `wakeAt` is later than `after`. */
  async function hasten(after: number): Promise<void> {
    for (let count = HASTENED_AT_ONCE; count === HASTENED_AT_ONCE && !stopped; )
      count = await store.conversations.timers.hasten(after, clock.now(), HASTENED_AT_ONCE)
  }

  async function adjust({ stepped, late }: Lapse): Promise<void> {
    if (stepped !== 0) log.warn('The wall clock has stepped.', { milliseconds: Math.round(stepped) })
    if (late > 0) log.warn('The process stood still.', { milliseconds: Math.round(late) })
    if (stepped > 0) await engine.clockStepped(stepped)
    if (stepped < 0) furthest = 0
  }

  /** Milliseconds until the next round. */
  async function next(due: number): Promise<number> {
    const lapse = lapseNow(due)
    const lapsed = lapse.stepped !== 0 || lapse.late > 0
    if (lapsed) await adjust(lapse)
    if (furthest !== null) await hasten(clock.now() + furthest)
    furthest = null
    if (stopped) return 0
    if (lapsed && holds < MOST_HOLDS) {
      holds++
      return settings.resumeGrace
    }
    holds = 0
    await round()
    return settings.wakeInterval
  }

  const loop = startPollLoop(context, { name: 'worker', round: next, retryAfter: settings.wakeInterval })
  return {
    async stop() {
      stopped = true
      await loop.stop()
    },
  }
}
