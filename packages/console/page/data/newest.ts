import { useEffect, useState } from 'preact/hooks'
import { useAction } from './action.ts'
import { type Begun, follow, type Shown, withFresh } from './follow.ts'
import type { ListPage } from './list-page.ts'
import type { Pages } from './pages.ts'
import { useWatched } from './watched.ts'

/** Pages of a list that is newest first, which is followed: see {@link follow}. */
export interface NewestPages<Row> extends Pages<Row> {
  /** Number of new rows that are not shown yet. */
  readonly fresh: number
  /** Shows them. */
  show(): void
}

/** Interval at which the first page is read again, milliseconds. */
const PACE = 3_000

/**
 * @param ask reads a page; `cursor` goes into the question as it is, and is empty for the first page
 * @param keys all that `ask` depends on
 * @param isHeld whether somebody is at the list now
 */
export function useNewest<Row extends Begun>(
  ask: (cursor: { readonly cursor?: string }, signal: AbortSignal) => Promise<ListPage<Row>>,
  keys: readonly unknown[],
  isHeld: () => boolean,
): NewestPages<Row> {
  const first = useWatched(signal => ask({}, signal), keys, PACE)
  const [shown, setShown] = useState<Shown<Row>>()
  const { value } = first
  useEffect(() => {
    setShown(before => (value === undefined ? undefined : follow(before, value, isHeld())))
  }, [value])
  const next = useAction(async (cursor: string) => {
    const page = await ask({ cursor }, new AbortController().signal)
    setShown(
      before => before && { ...before, rows: [...before.rows, ...page.rows], cursor: page.cursor ?? null },
    )
  })
  return {
    rows: shown?.rows,
    error: first.error ?? next.error,
    pending: first.pending || next.pending,
    hasMore: (shown?.cursor ?? null) !== null,
    more() {
      const cursor = shown?.cursor ?? null
      if (cursor !== null) void next.start(cursor)
    },
    reload() {
      setShown(undefined)
      first.reload()
    },
    fresh: shown?.fresh.length ?? 0,
    show: () => setShown(before => before && withFresh(before)),
  }
}
