/** What another clock said, and when it was asked and had answered by the monotonic clock. All in milliseconds. */
export interface ClockAnswer {
  readonly now: number
  readonly asked: number
  readonly answered: number
}

/**
 * How far the other clock is ahead of the monotonic one. Its answer was true at some moment between the question and
 * the answer, so the offset lies between two bounds. Within them what was known stays; else the nearer bound is taken.
 * So a slow answer makes nothing worse, and a quick one moves the clock no further than it must (SY6).
 *
 * @param known null before the first answer: then the middle is taken
 */
export function clockOffset(known: number | null, { now, asked, answered }: ClockAnswer): number {
  const least = now - answered
  const most = now - asked
  return known === null ? (least + most) / 2 : Math.min(Math.max(known, least), most)
}
