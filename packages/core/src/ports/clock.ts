/** How a task waits. */
export interface ScheduleOptions {
  /**
   * Keep the process alive until the task has run or is called off: for what a caller waits for, such as the deadline of a turn or
   * the pause before a retry. Without it a pending task lets the process end. @default false
   */
  readonly keepAlive?: boolean
}

/** Time. Nothing else in core reads a clock or sets a timer. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /**
   * Calls `task` once, `delay` milliseconds from now at the earliest. The returned function calls it off.
   * A pending task keeps the process alive only with `keepAlive` (SY4).
   */
  schedule(delay: number, task: () => void, options?: ScheduleOptions): () => void
}
