import type { Lapse } from '../domain/lapse.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { type DueKind, type Notices, type Subscription, topics } from '../ports/notices.ts'
import type { Settings } from '../settings/settings.ts'
import { watchLapses } from './lapses.ts'

/** The pause before failed work is retried, milliseconds. */
const RETRY_AFTER = 500

/** Two rounds of one work begin at least this far apart, milliseconds: what falls due in between is done together. */
const TOGETHER = 20

/**
 * The interval at which the clock is read while conversations are open, milliseconds. A step of it is noticed within
 * that time.
 */
const CLOCK_READ = 1_000

/** Work that is repeated. Times are milliseconds. */
export interface Work {
  /** The name of the work for `onError` and the log. */
  readonly name: string
  /**
   * The kind of its due work in the store. It checks the store with all others that have a kind, and whenever it is
   * notified.
   */
  readonly kind?: DueKind
  /** The pause before its first round. @default it begins at once */
  readonly pause?: number
  /** The pause before it is retried when it has failed. @default 500 */
  readonly retryAfter?: number
  /**
   * Does one round: everything that is due. Resolves to the time until the next; null if nothing is known to become
   * due. Earlier notifications are forgotten, except those that come while it is in progress.
   */
  round(): Promise<number | null>
  /** The wall clock has stepped, or the process stood still. A round follows. */
  lapsed?(lapse: Lapse): void
}

/** The part of the context that it needs. */
interface Ports {
  readonly clock: Pick<Clock, 'monotonic' | 'now' | 'schedule'>
  readonly log: Pick<Log, 'warn'>
  readonly notices: Notices
  readonly settings: Pick<Settings, 'longestWorkerRetry' | 'onError' | 'wakeInterval'>
}

const NEVER = Number.POSITIVE_INFINITY

/**
 * A loop for all automatic work. It sleeps until the earliest moment at which something is due. Each kind also looks
 * into the store every `Settings.wakeInterval`, all at the same moment: a process may have written something and been
 * killed before it notified others.
 */
export class Scheduler {
  readonly ports: Ports
  readonly #jobs = new Set<Job>()
  readonly #byKind = new Map<DueKind, Job>()
  readonly #forwarding = new Map<DueKind, Job>()
  readonly #lapseNow: (due?: number) => Lapse
  #timer: { readonly at: number; readonly cancel: () => void } | null = null
  /** The time at which all kinds check the store next. */
  lookAt: number
  #readAt: number

  constructor(ports: Ports) {
    const { clock, settings } = ports
    this.ports = ports
    this.#lapseNow = watchLapses(clock)
    this.lookAt = clock.monotonic() + settings.wakeInterval
    this.#readAt = clock.monotonic()
  }

  begin(work: Work): Job {
    const { kind, pause } = work
    const job = new Job(this, work)
    this.#jobs.add(job)
    if (kind !== undefined) this.#byKind.set(kind, job)
    if (pause === undefined) job.begin()
    else job.next = this.ports.clock.monotonic() + pause
    this.arm()
    return job
  }

  /**
   * Schedules work of that kind for a moment of the wall clock. This process does it then. If it does no such work, it
   * notifies the others at that moment.
   */
  due(kind: DueKind, at: number): void {
    const job = this.#byKind.get(kind) ?? this.#forward(kind)
    job.due(at)
  }

  /** Stops notifying others. Jobs are stopped one by one. */
  stop(): void {
    // Work that is already due is reported now.
    for (const job of this.#forwarding.values()) void job.idle()
    this.#jobs.clear()
    this.arm()
  }

  has(job: Job): boolean {
    return this.#jobs.has(job)
  }

  /** Removes a job. Others do the work that becomes due from now on. */
  remove(job: Job): void {
    const { kind } = job.work
    this.#jobs.delete(job)
    if (kind !== undefined && this.#byKind.get(kind) === job) this.#byKind.delete(kind)
    this.arm()
  }

  /** Sleeps until the earliest moment. */
  arm(): void {
    const { clock } = this.ports
    const now = clock.monotonic()
    // A timer that is over fires at once, and reports how late it is.
    if (this.#timer !== null && this.#timer.at <= now) return
    const at = Math.max(this.#earliest(), now)
    if (this.#timer?.at === at) return
    this.#timer?.cancel()
    this.#timer = at === NEVER ? null : { at, cancel: clock.schedule(at - now, () => this.#tick()) }
  }

  /** The moment of the next tick. */
  #earliest(): number {
    let at = NEVER
    for (const { next, startsAt, work } of this.#jobs) {
      at = Math.min(at, startsAt, work.kind === undefined ? NEVER : this.lookAt)
      if (work.kind === 'conversations' && next !== NEVER) at = Math.min(at, this.#readAt + CLOCK_READ)
    }
    return at
  }

  #tick(): void {
    const { clock, settings } = this.ports
    const now = clock.monotonic()
    const lapse = this.#lapseNow(this.#timer?.at)
    const lapsed = lapse.stepped !== 0 || lapse.late > 0
    this.#timer = null
    this.#readAt = now
    if (lapsed) for (const { work } of this.#jobs) work.lapsed?.(lapse)
    if (lapsed || now >= this.lookAt) {
      this.lookAt = now + settings.wakeInterval
      for (const job of this.#jobs) if (job.work.kind !== undefined) job.next = Math.min(job.next, now)
    }
    for (const job of this.#jobs) if (job.startsAt <= now) job.begin()
    this.arm()
  }

  /** Returns the job that notifies other processes, in a process that does not do such work, or no longer does. */
  #forward(kind: DueKind): Job {
    const { clock, notices } = this.ports
    const known = this.#forwarding.get(kind)
    if (known !== undefined) return known
    const job = this.begin({
      name: 'notices',
      pause: NEVER,
      async round() {
        notices.publish(topics.due(kind), { at: clock.now() })
        return null
      },
    })
    this.#forwarding.set(kind, job)
    return job
  }
}

/** Work that has begun. */
export class Job {
  readonly work: Work
  /** The time at which its next round begins. Infinite if nothing is known to become due. */
  next = NEVER
  readonly #loop: Scheduler
  readonly #heard: Subscription | null
  /** Its next round begins no sooner. */
  #notBefore = 0
  #running: Promise<void> | null = null
  #outage: { readonly since: number; readonly nextPause: number } | null = null

  constructor(loop: Scheduler, work: Work) {
    const { clock, notices } = loop.ports
    this.#loop = loop
    this.work = work
    this.#heard =
      work.kind === undefined
        ? null
        : notices.subscribe(topics.due(work.kind), {
            notice: ({ at }) => void this.#hasten(at),
            gap: () => void this.#hasten(clock.now()),
          })
  }

  get startsAt(): number {
    return this.#running === null ? Math.max(this.next, this.#notBefore) : NEVER
  }

  begin(): void {
    this.next = NEVER
    this.#notBefore = this.#loop.ports.clock.monotonic() + TOGETHER
    this.#running = this.#attempt()
  }

  /** A round no later than at that moment of the wall clock. */
  due(at: number): void {
    const { clock, notices } = this.#loop.ports
    const { kind } = this.work
    const ahead = at - clock.now()
    // Others know by their look of what is further away: this process may be killed before that moment.
    if (this.#hasten(at) && kind !== undefined && ahead > 0 && clock.monotonic() + ahead < this.#loop.lookAt)
      notices.publish(topics.due(kind), { at })
  }

  /** Resolves when no round is in progress, and none that is due waits. */
  async idle(): Promise<void> {
    for (;;) {
      if (this.#running === null && this.next <= this.#loop.ports.clock.monotonic()) this.begin()
      if (this.#running === null) return
      await this.#running
    }
  }

  /** Begins no further round, and waits for the one in progress. The error of that one is not reported. */
  async stop(): Promise<void> {
    this.#heard?.end()
    this.#loop.remove(this)
    await this.#running
  }

  #hasten(at: number): boolean {
    const { clock } = this.#loop.ports
    const moment = clock.monotonic() + Math.max(0, at - clock.now())
    if (moment >= this.next) return false
    this.next = moment
    this.#loop.arm()
    return true
  }

  async #attempt(): Promise<void> {
    try {
      this.#worked(await this.work.round())
    } catch (error) {
      if (this.#loop.has(this)) this.#failed(error)
    }
    this.#running = null
    if (this.#loop.has(this)) this.#loop.arm()
  }

  #worked(wait: number | null): void {
    const { clock, log } = this.#loop.ports
    if (wait !== null) this.next = Math.min(this.next, clock.monotonic() + wait)
    if (this.#outage === null) return
    const failedFor = Math.round(clock.monotonic() - this.#outage.since)
    log.warn('A background worker works again.', { worker: this.work.name, failedFor })
    this.#outage = null
  }

  #failed(error: unknown): void {
    const { clock, settings } = this.#loop.ports
    const { name, retryAfter = RETRY_AFTER } = this.work
    if (this.#outage === null) settings.onError(error, name)
    const { since, nextPause } = this.#outage ?? { since: clock.monotonic(), nextPause: retryAfter }
    const longest = Math.max(retryAfter, settings.longestWorkerRetry)
    this.#outage = { since, nextPause: Math.min(longest, 2 * nextPause) }
    this.#notBefore = clock.monotonic() + nextPause
    this.next = Math.min(this.next, this.#notBefore)
  }
}
