/** A range of time, milliseconds: from its start on, before its end. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Days whose figures the first screen shows. */
export const DAYS = ['yesterday', 'today'] as const
export type Day = (typeof DAYS)[number]

/** Days of the range that a day is compared with. */
export const DAYS_BEFORE = 7

/** Returns the midnight of a person's own clock, some days away. Days of 23 and 25 hours are whole days. */
function midnight(now: number, days: number): number {
  const at = new Date(now)
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() + days).getTime()
}

/** Returns a day of the person's own clock, and the seven days before it. */
export function spansOf(day: Day, now: number): { readonly day: Span; readonly before: Span } {
  const first = day === 'today' ? 0 : -1
  const start = midnight(now, first)
  return {
    day: { start, end: midnight(now, first + 1) },
    before: { start: midnight(now, first - DAYS_BEFORE), end: start },
  }
}
