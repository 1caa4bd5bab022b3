/**
 * Returns the time until that moment, milliseconds. Returns null for none.
 *
 * @param atLeast the result if the moment has passed. @default 0
 */
export const until = (at: number | null, now: number, atLeast = 0): number | null =>
  at === null ? null : Math.max(at - now, atLeast)
