/** Time. Nothing else in core reads a clock or sets a timer. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /**
   * Calls `task` once, `delay` milliseconds from now at the earliest. The returned function calls it off.
   * A pending task does not keep the process alive.
   */
  schedule(delay: number, task: () => void): () => void
}
