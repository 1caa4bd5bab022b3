/** One figure of the server: the most conversations at once within five minutes. */
export interface Interval {
  readonly time: string
  readonly max_concurrent_conversations: number
  readonly variant_id?: string
  readonly variant_name?: string
  readonly deployment_id?: string
}

export interface Series {
  readonly id: string
  readonly name: string
  /** One number for each time; null for none. */
  readonly peaks: readonly (number | null)[]
}

/** Data of the plot: times in seconds, and a number for each of them, for each variant or deployment, or for all. */
export interface Peaks {
  readonly times: readonly number[]
  readonly series: readonly Series[]
}

/** The server counts in windows of this length, milliseconds. */
const WINDOW = 300_000

/** The server answers for so much at a time, milliseconds. */
const WEEK = 604_800_000

/** A range of time, milliseconds, in whole windows. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** Returns a range in parts for which the server answers, oldest first. */
export function weeksOf({ start, end }: Range): readonly Range[] {
  const count = Math.ceil((end - start) / WEEK)
  return Array.from({ length: count }, (_, at) => ({
    start: start + at * WEEK,
    end: Math.min(end, start + (at + 1) * WEEK),
  }))
}

/** Returns the figures as they are drawn; a line that has none at a time had no conversation then. */
export function peaksOf(intervals: readonly Interval[], { start, end }: Range): Peaks {
  const times = Array.from({ length: (end - start) / WINDOW }, (_, at) => (start + at * WINDOW) / 1_000)
  const series = new Map<string, { id: string; name: string; peaks: number[] }>()
  for (const {
    time,
    max_concurrent_conversations: peak,
    deployment_id = '',
    variant_id: id = deployment_id,
    variant_name = deployment_id,
  } of intervals) {
    const one = series.get(id) ?? { id, name: variant_name, peaks: times.map(() => 0) }
    one.peaks[(Date.parse(time) - start) / WINDOW] = peak
    series.set(id, one)
  }
  return { times, series: [...series.values()] }
}

/** A span of the table: an hour or a day of the person's own clock. */
export interface Span {
  /** Milliseconds. */
  readonly start: number
  /** The highest figure of each series, and when it came first; milliseconds. */
  readonly highest: readonly { readonly peak: number; readonly at: number }[]
}

const startOf = (time: number, isByDay: boolean): number => {
  const date = new Date(time)
  return isByDay ? date.setHours(0, 0, 0, 0) : date.setMinutes(0, 0, 0)
}

/** Returns the highest figures hour by hour or day by day, the newest first. */
export function spansOf({ times, series }: Peaks, isByDay: boolean): readonly Span[] {
  const spans = new Map<number, { peak: number; at: number }[]>()
  times.forEach((seconds, at) => {
    const time = seconds * 1_000
    const start = startOf(time, isByDay)
    const highest = spans.get(start) ?? series.map(() => ({ peak: -1, at: time }))
    series.forEach(({ peaks }, which) => {
      const peak = peaks[at] ?? 0
      if (peak > (highest[which]?.peak ?? 0)) highest[which] = { peak, at: time }
      else if (highest[which]?.peak === -1) highest[which] = { peak, at: time }
    })
    spans.set(start, highest)
  })
  return [...spans]
    .map(([start, highest]) => ({ start, highest }))
    .sort((one, other) => other.start - one.start)
}

/** Returns a cell of CSV. One that a spreadsheet would run as a formula is made a text. */
function cell(value: string | number): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Returns all figures, five minutes a line (RFC 4180). */
export function csvOf(intervals: readonly Interval[]): string {
  const rows = intervals.map(one => [
    ...[one.time, one.max_concurrent_conversations, one.variant_id ?? '', one.variant_name ?? ''],
    one.deployment_id ?? '',
  ])
  const head = ['time', 'max_concurrent_conversations', 'variant_id', 'variant_name', 'deployment_id']
  return [head, ...rows].map(row => `${row.map(cell).join(',')}\r\n`).join('')
}

const HOUR = 3_600_000

/** Ranges that end now, in hours. */
export const RANGES = { day: 24, week: 168, month: 720, quarter: 2_160, year: 8_760 } as const
export type RangeName = keyof typeof RANGES

/** Returns the range of the address: one with a name, or one's own from and to on the person's own clock. */
export function rangeOf(
  { range, from, to }: Readonly<Record<string, string>>,
  now: number,
): Range & { readonly name: RangeName | 'own' } {
  const start = Math.floor(Date.parse(from ?? '') / WINDOW) * WINDOW
  const end = Math.ceil(Date.parse(to ?? '') / WINDOW) * WINDOW
  if (range === 'own' && start < end && end - start <= (RANGES.year + 24) * HOUR)
    return { start, end, name: 'own' }
  const name = (Object.keys(RANGES) as RangeName[]).find(one => one === range) ?? 'day'
  const until = Math.ceil(now / WINDOW) * WINDOW
  return { start: until - RANGES[name] * HOUR, end: until, name }
}
