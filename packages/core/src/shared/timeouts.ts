import type { Clock, ScheduleOptions } from '../ports/clock.ts'

/** Timeouts of one length: one timer of the clock serves them all. */
export interface Timeouts {
  /** Calls `task` once when the time is up; the returned function calls it off. */
  start(task: () => void): () => void
}

/** One timeout that runs, between those that are due before and after it. */
interface Running {
  /** On the monotonic clock. */
  readonly due: number
  readonly task: () => void
  before: Running | null
  after: Running | null
}

/**
 * Makes timeouts of `length` milliseconds. All are equally long, so the one that was started first is due first: a
 * thousand turns at a time need only one timer.
 * Uses a linked list: a Set would rehash as timeouts come and go.
 */
export function createTimeouts(
  clock: Pick<Clock, 'monotonic' | 'schedule'>,
  length: number,
  options?: ScheduleOptions,
): Timeouts {
  let first: Running | null = null
  let last: Running | null = null
  let cancel: (() => void) | null = null

  function arm(): void {
    if (first === null || cancel !== null) return
    cancel = clock.schedule(Math.max(first.due - clock.monotonic(), 0), fire, options)
  }

  function add(timeout: Running): void {
    if (last === null) first = timeout
    else last.after = timeout
    timeout.before = last
    last = timeout
  }

  function remove(timeout: Running): void {
    const { before, after } = timeout
    if (before !== null) before.after = after
    else if (first === timeout) first = after
    // It was removed before.
    else return
    if (after === null) last = before
    else after.before = before
    timeout.before = null
    timeout.after = null
  }

  function fire(): void {
    cancel = null
    const now = clock.monotonic()
    for (let timeout = first; timeout !== null && timeout.due <= now; timeout = first) {
      remove(timeout)
      timeout.task()
    }
    arm()
  }

  return {
    start(task) {
      const timeout: Running = { due: clock.monotonic() + length, task, before: null, after: null }
      add(timeout)
      arm()
      return () => {
        remove(timeout)
        if (first !== null || cancel === null) return
        // The remaining timer must not keep the process alive.
        cancel()
        cancel = null
      }
    },
  }
}
