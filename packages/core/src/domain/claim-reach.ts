/**
 * Returns the latest moment that a claim can have which was made for as long as one from `now` until `until`, with as
 * much again for clocks that differ. One that reaches further was made before the clock was put back, and is void
 * (TM4).
 */
export const claimReach = (now: number, until: number): number => until + (until - now)
