import { digits } from '../../moments.ts'
/** The spans that can be chosen, in hours. */
export const SPANS = { day: 24, week: 24 * 7, month: 24 * 30, quarter: 24 * 90 } as const
export type SpanName = keyof typeof SPANS

/** Returns the name of a span as the address says it; a week for another one. */
export const spanOf = (given: string | undefined): SpanName =>
  Object.keys(SPANS).find((name): name is SpanName => name === given) ?? 'week'

/** Returns a span that ends with the hour after now. */
export function rangeOf(name: SpanName, now: number): { readonly from: string; readonly to: string } {
  const hour = 3_600_000
  const to = Math.ceil((now + 1) / hour) * hour
  return { from: new Date(to - SPANS[name] * hour).toISOString(), to: new Date(to).toISOString() }
}

/** Returns a time in digits: `0:05`, `12:30`, `1:02:03`. A dash for none. */
export const clockOf = (seconds: number | null): string =>
  seconds === null ? '–' : digits(Math.round(seconds))

/** Counts of an hour or a day. */
interface Counts {
  readonly from: string
  readonly answered: number
  readonly abandoned: number
  readonly unanswered: number
}

/** A bar of the plot: parts of its height, from below. */
export interface Bar extends Counts {
  readonly parts: readonly {
    readonly name: 'answered' | 'abandoned' | 'unanswered'
    readonly share: number
  }[]
}

/** Returns a bar for each hour or day, as high as its part of the highest one. */
export function barsOf(times: readonly Counts[]): readonly Bar[] {
  const sums = times.map(one => one.answered + one.abandoned + one.unanswered)
  const most = Math.max(1, ...sums)
  const names = ['answered', 'abandoned', 'unanswered'] as const
  return times.map(one => ({ ...one, parts: names.map(name => ({ name, share: one[name] / most })) }))
}
