import type { ConversationId } from '../../../domain/ids.ts'
import type { Lapse } from '../../../domain/lapse.ts'
import { PlatformError } from '../../../errors.ts'
import { until } from '../../../schedule/until.ts'
import type { Context } from '../../context.ts'
import type { Engine } from './engine.ts'

/** The duration of a claim on a due conversation, milliseconds. A process that dies delays nothing for longer. */
const CLAIM = 500

/** The number of due conversations to take at once. */
const BATCH = 100

/** The number of `wakeAt`s to bring forward in one write. */
const HASTENED_AT_ONCE = 500

/**
 * The most times in a row that the grace period may delay waking. After that, even a process that is always late wakes
 * conversations.
 */
const MOST_HOLDS = 3

/** Wakes conversations that are due. */
export interface Worker {
  /** Stops and waits for the conversations it is waking. */
  stop(): Promise<void>
}

/**
 * Wakes conversations as they become due. Several processes may do so over one store: a claim gives each to one of
 * them, and the machine is correct even if two wake the same. A conversation that cannot be woken is reported to the
 * host, and its claim doubles each time (EN44).
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
  let lapsed: Lapse[] = []
  let holds = 0
  /** Nothing is woken before, by the monotonic clock. */
  let heldUntil = 0
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
    const { longestWakeRetry } = settings
    const claimed = await store.conversations.timers.claimDue(now, BATCH, now + CLAIM, longestWakeRetry)
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

  async function next(): Promise<number | null> {
    const lapses = lapsed
    lapsed = []
    for (const lapse of lapses) await adjust(lapse)
    if (furthest !== null) await hasten(clock.now() + furthest)
    furthest = null
    if (lapses.length > 0 && holds < MOST_HOLDS) {
      holds++
      heldUntil = clock.monotonic() + settings.resumeGrace
    }
    const held = heldUntil - clock.monotonic()
    if (held > 0) return held
    holds = 0
    await round()
    return until(await store.conversations.timers.nextDue(), clock.now())
  }

  const job = context.scheduler.begin({
    name: 'worker',
    kind: 'conversations',
    round: next,
    lapsed: lapse => void lapsed.push(lapse),
  })
  return {
    async stop() {
      stopped = true
      await job.stop()
    },
  }
}
