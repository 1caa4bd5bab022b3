/** The number of things that came in a second. */
export interface PerSecond {
  /** The beginning of the second, milliseconds. */
  readonly since: number
  readonly count: number
}

export const NONE_YET: PerSecond = { since: 0, count: 0 }

/** Counts one more. */
export const count = (known: PerSecond, now: number): PerSecond =>
  now - known.since >= 1_000 ? { since: now, count: 1 } : { ...known, count: known.count + 1 }
