import type { Clock, ScheduleOptions } from '../ports/clock.ts'

/** Timeouts of one length: one timer of the clock serves them all. */
export interface Timeouts {
  /** Calls `task` once when the time is up; the returned function calls it off. */
  start(task: () => void): () => void
}

/** One timeout that runs. */
interface Running {
  /** On the monotonic clock. */
  readonly due: number
  readonly task: () => void
}

/**
 * Timeouts of `length` milliseconds. All are equally long, so the one that was started first is due first: a thousand
 * turns at a time need no timer each.
 */
export function createTimeouts(
  clock: Pick<Clock, 'monotonic' | 'schedule'>,
  length: number,
  options?: ScheduleOptions,
): Timeouts {
  /** In the order in which they are due. */
  const running = new Set<Running>()
  let cancel: (() => void) | null = null

  function arm(): void {
    const [first] = running
    if (first === undefined || cancel !== null) return
    cancel = clock.schedule(Math.max(first.due - clock.monotonic(), 0), fire, options)
  }

  function fire(): void {
    cancel = null
    const now = clock.monotonic()
    for (const timeout of running) {
      if (timeout.due > now) break
      running.delete(timeout)
      timeout.task()
    }
    arm()
  }

  return {
    start(task) {
      const timeout = { due: clock.monotonic() + length, task }
      running.add(timeout)
      arm()
      return () => {
        running.delete(timeout)
        if (running.size > 0 || cancel === null) return
        // What is left of the timer must not keep the process.
        cancel()
        cancel = null
      }
    },
  }
}
