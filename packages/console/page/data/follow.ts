import type { ListPage } from './list-page.ts'

/** Something that begins, and may go on. */
export interface Begun {
  readonly id: string
  readonly started_at: string
  readonly in_progress: boolean
}

/** A list that is newest first, as far as it is shown. */
export interface Shown<Row> {
  readonly rows: readonly Row[]
  /** Rows that came later and are not shown yet, newest first. */
  readonly fresh: readonly Row[]
  /** Set after a page without any of the rows: the list then starts over when it is shown. Otherwise null. */
  readonly anew: { readonly cursor: string | null } | null
  readonly cursor: string | null
}

/** The list with what has come. */
export const withFresh = <Row>({ rows, fresh, anew, cursor }: Shown<Row>): Shown<Row> => ({
  rows: anew === null ? [...fresh, ...rows] : fresh,
  fresh: [],
  anew: null,
  cursor: anew === null ? cursor : anew.cursor,
})

/**
 * Returns a list updated by a new read of its first page. Rows keep their places and show the new state. A row that the
 * page should have and does not has ended. New rows wait while somebody uses the list, so that nothing moves under
 * them.
 */
export function follow<Row extends Begun>(
  shown: Shown<Row> | undefined,
  { rows, cursor = null }: ListPage<Row>,
  isHeld: boolean,
): Shown<Row> {
  if (shown === undefined) return { rows, fresh: [], anew: null, cursor }
  const seen = new Map(rows.map(row => [row.id, row]))
  const oldest = cursor === null ? '' : (rows.at(-1)?.started_at ?? '')
  const known = shown.rows.map(
    row => seen.get(row.id) ?? (row.started_at > oldest ? { ...row, in_progress: false } : row),
  )
  const ids = new Set(known.map(({ id }) => id))
  const newest = known[0]?.started_at ?? ''
  const fresh = rows.filter(row => !ids.has(row.id) && row.started_at >= newest)
  const isOther = known.length === 0 || (cursor !== null && fresh.length === rows.length)
  const next = { rows: known, fresh, anew: isOther ? { cursor } : null, cursor: shown.cursor }
  return isHeld && known.length > 0 ? next : withFresh(next)
}
