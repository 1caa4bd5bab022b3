/**
 * How long until that moment, milliseconds; null for none.
 *
 * @param atLeast where the moment is over. @default 0
 */
export const until = (at: number | null, now: number, atLeast = 0): number | null =>
  at === null ? null : Math.max(at - now, atLeast)
