import type { ListPage } from '../../data/list-page.ts'

/** The fields by which lists are ordered, newest first. */
interface Ordered {
  readonly id: string
  readonly started_at: string
}

/** The place in one of the lists: a page, and the last row of it that was taken. Null: the list is at its end. */
type Place = { readonly cursor?: string | undefined; readonly after?: readonly [string, string] } | null

/** Reads a page of the list of a name. */
type Read<Row> = (
  name: string,
  from: { readonly cursor?: string | undefined },
  signal: AbortSignal,
) => Promise<ListPage<Row>>

/** Lists that are read at once. */
const AT_ONCE = 6

/** Reads of a list for one page. */
const MOST_READS = 3

/** Whether a row comes before another one in a list. */
const isBefore = (one: Ordered, other: Ordered): boolean =>
  one.started_at === other.started_at ? one.id > other.id : one.started_at > other.started_at

/** A list with the rows of its page that were not taken yet. */
interface Held<Row> {
  readonly name: string
  place: Exclude<Place, null>
  rows: Row[]
  next: string | null
}

async function fill<Row extends Ordered>(list: Held<Row>, read: Read<Row>, signal: AbortSignal) {
  const { cursor, after } = list.place
  const page = await read(list.name, cursor === undefined ? {} : { cursor }, signal)
  list.next = page.cursor ?? null
  // The page may have grown since its rows were taken, so they are known by their order.
  list.rows =
    after === undefined
      ? [...page.rows]
      : page.rows.filter(row => isBefore({ started_at: after[0], id: after[1] }, row))
}

/** Reads on in a list until it has a row, ends, or was read so many times: filters may want few of its rows. */
async function filled<Row extends Ordered>(list: Held<Row>, read: Read<Row>, signal: AbortSignal) {
  await fill(list, read, signal)
  for (let reads = 1; reads < MOST_READS && list.rows.length === 0 && list.next !== null; reads++) {
    list.place = { ...list.place, cursor: list.next }
    await fill(list, read, signal)
  }
  if (list.rows.length === 0 && list.next !== null) list.place = { ...list.place, cursor: list.next }
}

/** Reports whether the next row of a list, if any, is not known yet: then no other list may go on. */
const isUnknown = <Row>({ next, rows }: Held<Row>): boolean => rows.length === 0 && next !== null

/**
 * Reads a page of several lists as one, newest first. The cursor holds the place in each of them, and no row: it is
 * read again, so a page costs a request a list.
 */
export async function acrossPage<Row extends Ordered>(
  names: readonly string[],
  read: Read<Row>,
  { cursor, limit, signal }: { readonly cursor?: string | undefined; limit: number; signal: AbortSignal },
): Promise<ListPage<Row>> {
  const places: Readonly<Record<string, Place>> = cursor === undefined ? {} : JSON.parse(cursor)
  const lists = names.flatMap((name): Held<Row>[] => {
    const place = places[name]
    return place === null ? [] : [{ name, place: place ?? {}, rows: [], next: null }]
  })
  for (let from = 0; from < lists.length; from += AT_ONCE)
    await Promise.all(lists.slice(from, from + AT_ONCE).map(list => filled(list, read, signal)))
  const rows: Row[] = []
  while (rows.length < limit && !lists.some(isUnknown)) {
    const first = lists.reduce<Held<Row> | null>((best, list) => {
      const [row] = list.rows
      const [other] = best?.rows ?? []
      return row !== undefined && (other === undefined || isBefore(row, other)) ? list : best
    }, null)
    const row = first?.rows.shift()
    if (first === null || row === undefined) break
    rows.push(row)
    first.place = { ...first.place, after: [row.started_at, row.id] }
    if (first.rows.length > 0 || first.next === null) continue
    first.place = { ...first.place, cursor: first.next }
    await filled(first, read, signal)
  }
  const left = lists.filter(list => list.rows.length > 0 || isUnknown(list))
  const ended = Object.fromEntries(names.map(name => [name, null]))
  const next = { ...ended, ...Object.fromEntries(left.map(({ name, place }) => [name, place])) }
  return { rows, cursor: left.length === 0 ? null : JSON.stringify(next) }
}
