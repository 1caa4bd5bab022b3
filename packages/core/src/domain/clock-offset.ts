/** The reading of another clock, with the monotonic times of the question and the answer. All in milliseconds. */
export interface ClockAnswer {
  readonly now: number
  readonly asked: number
  readonly answered: number
}

/**
 * Returns the lead of the other clock over the monotonic one.
 * The answer was true at some moment between question and answer, so the offset lies between two bounds. A known
 * offset within them stays. Otherwise the nearer bound is taken. So a slow answer does no harm, and a quick one moves
 * the clock no further than necessary (MA13).
 *
 * @param known null before the first answer: then the middle is taken
 */
export function clockOffset(known: number | null, { now, asked, answered }: ClockAnswer): number {
  const least = now - answered
  const most = now - asked
  return known === null ? (least + most) / 2 : Math.min(Math.max(known, least), most)
}
