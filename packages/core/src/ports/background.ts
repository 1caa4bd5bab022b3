/**
 * Work that is done a little at a time: each step takes well under a millisecond, the last one gives the result. It may
 * be left off between any two steps.
 */
export type Steps<Result> = Iterator<unknown, Result>

/** Long work beside everything else that the process does. */
export interface Background {
  /**
   * Does the work in slices of a few milliseconds; between two slices everything else that is ready has its turn.
   * Several works take turns, slice by slice. Begins after this call has returned, rejects with what a step throws, and
   * keeps the process alive until it is done.
   */
  run<Result>(work: Steps<Result>): Promise<Result>
}
