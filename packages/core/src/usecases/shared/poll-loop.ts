import type { Clock } from '../../ports/clock.ts'

/** What is looked for again and again. Times are milliseconds. */
export interface PollLoopWork {
  /** How long before the first round. @default it begins at once */
  readonly pause?: number
  /** One round, which tells how long before the next one. `due` is when it was to begin, on the monotonic clock. */
  round(due: number): Promise<number>
  /** Hears why a round failed, and tells how long before the next one. */
  failed(error: unknown): number
}

/** Rounds, one after another. */
export interface PollLoop {
  /** Begins no further round, and waits for the one that is under way. */
  stop(): Promise<void>
}

/** Begins a round whenever the pause after the one before is over. */
export function startPollLoop(
  clock: Pick<Clock, 'monotonic' | 'schedule'>,
  { pause, round, failed }: PollLoopWork,
): PollLoop {
  let stopped = false
  let cancel = (): void => undefined
  let running: Promise<void> = Promise.resolve()

  function begin(due: number): void {
    running = round(due).catch(failed).then(rest)
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
