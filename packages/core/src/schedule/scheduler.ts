import type { Lapse } from '../domain/lapse.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { type DueKind, type Notices, topics } from '../ports/notices.ts'
import type { Settings } from '../settings/settings.ts'
import { watchLapses } from './lapses.ts'

/** How soon work is tried again that has failed, milliseconds. */
const RETRY_AFTER = 500

/** Two rounds of one work begin at least this far apart, milliseconds: what falls due in between is done together. */
const TOGETHER = 20

/** How often the clock is read while conversations are open, milliseconds: a step of it is noticed within that time. */
const CLOCK_READ = 1_000

/** What is done again and again. Times are milliseconds. */
export interface Work {
  /** What `onError` and the log call it. */
  readonly name: string
  /** What it does falls due in the store: it looks there with all others of its sort, and whenever it is told. */
  readonly kind?: DueKind
  /** How long before its first round. @default it begins at once */
  readonly pause?: number
  /** How soon it is tried again when it has failed. @default 500 */
  readonly retryAfter?: number
  /**
   * One round: does what is due. Resolves to the time until the next; null when nothing is known to become due. What
   * was told of before is forgotten, save what is told while it is under way.
   */
  round(): Promise<number | null>
  /** The wall clock has stepped, or the process stood still. A round follows. */
  lapsed?(lapse: Lapse): void
}

/** Work that has begun. */
export interface Job {
  /** A round no later than at that moment of the wall clock. */
  due(at: number): void
  /** Resolves when no round is under way, and none that is due waits. */
  idle(): Promise<void>
  /** Begins no further round, and waits for the one that is under way. What that one fails for is not told. */
  stop(): Promise<void>
}

/** One loop for all that happens by itself: it sleeps until the earliest moment at which something is due. */
export interface Scheduler {
  begin(work: Work): Job
  /**
   * Something of that kind is due at that moment of the wall clock: this process does it then, or, where it does not
   * do such work, tells the others at that moment.
   */
  due(kind: DueKind, at: number): void
  /** Ends what tells others. Jobs are stopped one by one. */
  stop(): void
}

/** The part of the context that it needs. */
interface Ports {
  readonly clock: Pick<Clock, 'monotonic' | 'now' | 'schedule'>
  readonly log: Pick<Log, 'warn'>
  readonly notices: Notices
  readonly settings: Pick<Settings, 'longestWorkerRetry' | 'onError' | 'wakeInterval'>
}

/** A job as the loop has it. Moments are of the monotonic clock. */
interface Entry {
  readonly work: Work
  /** When its next round begins; infinite when nothing is known to become due. */
  next: number
  /** Its next round begins no sooner. */
  notBefore: number
  running: Promise<void> | null
  outage: { readonly since: number; readonly nextPause: number } | null
}

const NEVER = Number.POSITIVE_INFINITY

/**
 * The loop. Long because jobs share its timer.
 *
 * Each kind also looks into the store every `Settings.wakeInterval`, all at the same moment: another process may have
 * written something and been killed before it told.
 */
export function createScheduler({ clock, log, notices, settings }: Ports): Scheduler {
  const entries = new Set<Entry>()
  const byKind = new Map<DueKind, Job>()
  const forwarding = new Map<DueKind, Job>()
  const lapseNow = watchLapses(clock)
  let timer: { readonly at: number; readonly cancel: () => void } | null = null
  let lookAt = clock.monotonic() + settings.wakeInterval
  let readAt = clock.monotonic()

  const startOf = ({ next, notBefore, running }: Entry): number =>
    running === null ? Math.max(next, notBefore) : NEVER

  /** The moment of the next tick. */
  function earliest(): number {
    let at = NEVER
    for (const entry of entries) {
      const { kind } = entry.work
      at = Math.min(at, startOf(entry), kind === undefined ? NEVER : lookAt)
      if (kind === 'conversations' && entry.next !== NEVER) at = Math.min(at, readAt + CLOCK_READ)
    }
    return at
  }

  function arm(): void {
    const now = clock.monotonic()
    // One that is over fires at once, and tells by how much it is late.
    if (timer !== null && timer.at <= now) return
    const at = Math.max(earliest(), now)
    if (timer?.at === at) return
    timer?.cancel()
    timer = at === NEVER ? null : { at, cancel: clock.schedule(at - now, tick) }
  }

  function tick(): void {
    const now = clock.monotonic()
    const lapse = lapseNow(timer?.at)
    const lapsed = lapse.stepped !== 0 || lapse.late > 0
    timer = null
    readAt = now
    if (lapsed) for (const { work } of entries) work.lapsed?.(lapse)
    if (lapsed || now >= lookAt) {
      lookAt = now + settings.wakeInterval
      for (const entry of entries) if (entry.work.kind !== undefined) entry.next = Math.min(entry.next, now)
    }
    for (const entry of entries) if (startOf(entry) <= now) begin(entry)
    arm()
  }

  function worked(entry: Entry, wait: number | null): void {
    const { outage, work } = entry
    if (wait !== null) entry.next = Math.min(entry.next, clock.monotonic() + wait)
    if (outage === null) return
    const failedFor = Math.round(clock.monotonic() - outage.since)
    log.warn('A background worker works again.', { worker: work.name, failedFor })
    entry.outage = null
  }

  function failed(entry: Entry, error: unknown): void {
    const { outage, work } = entry
    const { name, retryAfter = RETRY_AFTER } = work
    if (outage === null) settings.onError(error, name)
    const { since, nextPause } = outage ?? { since: clock.monotonic(), nextPause: retryAfter }
    const longest = Math.max(retryAfter, settings.longestWorkerRetry)
    entry.outage = { since, nextPause: Math.min(longest, 2 * nextPause) }
    entry.notBefore = clock.monotonic() + nextPause
    entry.next = Math.min(entry.next, entry.notBefore)
  }

  async function attempt(entry: Entry): Promise<void> {
    try {
      worked(entry, await entry.work.round())
    } catch (error) {
      if (entries.has(entry)) failed(entry, error)
    }
    entry.running = null
    if (entries.has(entry)) arm()
  }

  function begin(entry: Entry): void {
    entry.next = NEVER
    entry.notBefore = clock.monotonic() + TOGETHER
    entry.running = attempt(entry)
  }

  function start(work: Work): Job {
    const { kind, pause } = work
    const entry: Entry = { work, next: NEVER, notBefore: 0, running: null, outage: null }
    function hasten(at: number): boolean {
      const moment = clock.monotonic() + Math.max(0, at - clock.now())
      if (moment >= entry.next) return false
      entry.next = moment
      arm()
      return true
    }

    const heard =
      kind === undefined
        ? null
        : notices.subscribe(topics.due(kind), {
            notice: ({ at }) => void hasten(at),
            gap: () => void hasten(clock.now()),
          })
    const job: Job = {
      due(at) {
        const ahead = at - clock.now()
        // Others know by their look of what is further away: this process may be killed before that moment.
        if (hasten(at) && kind !== undefined && ahead > 0 && clock.monotonic() + ahead < lookAt)
          notices.publish(topics.due(kind), { at })
      },
      async idle() {
        for (;;) {
          if (entry.running === null && entry.next <= clock.monotonic()) begin(entry)
          if (entry.running === null) return
          await entry.running
        }
      },
      async stop() {
        heard?.end()
        entries.delete(entry)
        // What falls due from now on is for others.
        if (kind !== undefined && byKind.get(kind) === job) byKind.delete(kind)
        arm()
        await entry.running
      },
    }
    entries.add(entry)
    if (kind !== undefined) byKind.set(kind, job)
    if (pause === undefined) begin(entry)
    else entry.next = clock.monotonic() + pause
    arm()
    return job
  }

  /** What tells others, in a process that does not do such work, or no more. */
  function forward(kind: DueKind): Job {
    const known = forwarding.get(kind)
    if (known !== undefined) return known
    const job = start({
      name: 'notices',
      pause: NEVER,
      async round() {
        notices.publish(topics.due(kind), { at: clock.now() })
        return null
      },
    })
    forwarding.set(kind, job)
    return job
  }

  return {
    begin: start,
    due: (kind, at) => (byKind.get(kind) ?? forward(kind)).due(at),
    stop() {
      // What is due already is told of now.
      for (const job of forwarding.values()) void job.idle()
      entries.clear()
      arm()
    },
  }
}
