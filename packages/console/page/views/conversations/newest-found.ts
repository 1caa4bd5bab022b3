/** A range of time, milliseconds: from its start on, before its end. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Rows found in a span, oldest first; `isAll` is false if there are more than were asked for. */
export interface FoundIn<Row> {
  readonly rows: readonly Row[]
  readonly isAll: boolean
}

/** As one page has them, newest first, and the spans that are still to be searched, oldest first. */
interface NewestFound<Row> {
  readonly rows: readonly Row[]
  readonly left: readonly Span[]
}

const DAY = 86_400_000

/** Before now, milliseconds: what is looked for was most likely said lately. */
const STEPS = [365 * DAY, 30 * DAY, DAY]

/** Returns a range in spans, oldest first, the newer the shorter. */
export function spansOf({ start, end }: Span, now: number): readonly Span[] {
  // The server refuses a range that ends before it starts.
  if (end < start) return [{ start, end }]
  const last = Math.max(start, Math.min(end, now))
  const cuts = STEPS.map(step => now - step).filter(cut => cut > start && cut < last)
  return [start, ...cuts].map((from, at) => ({ start: from, end: cuts[at] ?? last }))
}

/**
 * Returns the newest matches from a server that lists the oldest first: searches the newest span first, and halves it
 * if it has more than a page. Ends once there are `enough`.
 *
 * @param search all of a span if `isWhole`, else a page of it
 */
export async function newestFound<Row>(
  spans: readonly Span[],
  enough: number,
  search: (span: Span, isWhole: boolean) => Promise<FoundIn<Row>>,
): Promise<NewestFound<Row>> {
  const rows: Row[] = []
  const left = [...spans]
  while (rows.length < enough) {
    const span = left.pop()
    if (span === undefined) break
    const { start, end } = span
    const middle = Math.floor((start + end) / 2)
    const isWhole = middle <= start
    const found = await search(span, isWhole)
    if (found.isAll || isWhole) rows.push(...found.rows.toReversed())
    else left.push({ start, end: middle }, { start: middle, end })
  }
  return { rows, left }
}
