/** Options of a scheduled task. */
export interface ScheduleOptions {
  /**
   * Keep the process alive until the task has run or is called off: for what a caller waits for, such as the deadline
   * of a turn or the pause before a retry. Without it a pending task lets the process end. @default false
   */
  readonly keepAlive?: boolean
}

/** Time. Nothing else in core reads a clock or sets a timer. */
export interface Clock {
  /** Milliseconds since the epoch, as they are stored and shown. May step at any time, in either direction (SY1). */
  now(): number
  /**
   * Milliseconds since some moment, which differs between processes. Never goes back, and does not step with `now`:
   * what lasts, and what expires, within this process is measured by it (SY1).
   */
  monotonic(): number
  /**
   * Calls `task` once, `delay` milliseconds from now at the earliest. The returned function calls it off.
   * A pending task keeps the process alive only with `keepAlive` (SY1).
   */
  schedule(delay: number, task: () => void, options?: ScheduleOptions): () => void
}
