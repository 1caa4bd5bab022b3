import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Settings } from '../../settings/settings.ts'

/** What is looked for again and again. Times are milliseconds. */
export interface PollLoopWork {
  /** What `onError` and the log call it. */
  readonly name: string
  /** How long before the first round. @default it begins at once */
  readonly pause?: number
  /** One round, which tells how long before the next one. `due` is when it was to begin, on the monotonic clock. */
  round(due: number): Promise<number>
  /** How long before the next round when one has failed and the one before had not. */
  readonly retryAfter: number
}

/** The part of the context that it needs. */
interface PollLoopContext {
  readonly clock: Pick<Clock, 'monotonic' | 'schedule'>
  readonly log: Pick<Log, 'warn'>
  readonly settings: Pick<Settings, 'longestWorkerRetry' | 'onError'>
}

/** Rounds, one after another. */
export interface PollLoop {
  /** Begins no further round, and waits for the one that is under way. What that one fails for is not told. */
  stop(): Promise<void>
}

/**
 * Begins a round whenever the pause after the one before is over. While rounds fail, the pauses double up to
 * `Settings.longestWorkerRetry`; `onError` is told of the first failure, and the log of the round that works again
 * (EM11).
 */
export function startPollLoop(
  { clock, log, settings }: PollLoopContext,
  { name, pause, round, retryAfter }: PollLoopWork,
): PollLoop {
  let stopped = false
  let cancel = (): void => undefined
  let running: Promise<void> = Promise.resolve()
  let outage: { readonly since: number; readonly nextPause: number } | null = null

  function worked(): void {
    if (outage === null) return
    const failedFor = Math.round(clock.monotonic() - outage.since)
    log.warn('A background worker works again.', { worker: name, failedFor })
    outage = null
  }

  /** Milliseconds until it is tried again. */
  function failed(error: unknown): number {
    if (stopped) return 0
    if (outage === null) settings.onError(error, name)
    const { since, nextPause } = outage ?? { since: clock.monotonic(), nextPause: retryAfter }
    const longest = Math.max(retryAfter, settings.longestWorkerRetry)
    outage = { since, nextPause: Math.min(longest, 2 * nextPause) }
    return nextPause
  }

  async function attempt(due: number): Promise<number> {
    try {
      const wait = await round(due)
      worked()
      return wait
    } catch (error) {
      return failed(error)
    }
  }

  function begin(due: number): void {
    running = attempt(due).then(rest)
  }

  function rest(wait: number): void {
    if (stopped) return
    const due = clock.monotonic() + wait
    cancel = clock.schedule(wait, () => begin(due))
  }

  if (pause === undefined) begin(clock.monotonic())
  else rest(pause)
  return {
    async stop() {
      stopped = true
      cancel()
      await running
    },
  }
}
