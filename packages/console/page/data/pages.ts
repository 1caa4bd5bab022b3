import { useState } from 'preact/hooks'
import { useAction } from './action.ts'
import type { ListPage } from './list-page.ts'
import { useResource } from './resource.ts'

/** The pages that were read after a first one. */
interface Read<Row> {
  readonly after: ListPage<Row> | undefined
  readonly pages: readonly ListPage<Row>[]
}

/** A list that is read page by page. */
export interface Pages<Row> {
  /** All rows that were read; undefined until the first page is there. */
  readonly rows: readonly Row[] | undefined
  /** Null while nothing went wrong. */
  readonly error: unknown
  readonly pending: boolean
  readonly hasMore: boolean
  /** Reads the next page. */
  more(): void
  /** Reads the list again from its start. The old rows stay until then. */
  reload(): void
}

/**
 * Reads a list that has cursors, from its beginning once one of the keys has changed.
 *
 * @param ask reads a page; `cursor` goes into the question as it is, and is empty for the first page
 * @param keys all that `ask` depends on
 */
export function usePages<Row>(
  ask: (cursor: { readonly cursor?: string }, signal: AbortSignal) => Promise<ListPage<Row>>,
  keys: readonly unknown[],
): Pages<Row> {
  const first = useResource(signal => ask({}, signal), keys)
  // Pages after another first one are no part of this list.
  const [read, setRead] = useState<Read<Row>>({ after: undefined, pages: [] })
  const further = read.after === first.value ? read.pages : []
  const cursor = (further.at(-1) ?? first.value)?.cursor ?? null
  const next = useAction(async (from: string) => {
    const page = await ask({ cursor: from }, new AbortController().signal)
    setRead({ after: first.value, pages: [...further, page] })
  })
  return {
    rows: first.value && [first.value, ...further].flatMap(({ rows }) => rows),
    error: first.error ?? next.error,
    pending: first.pending || next.pending,
    hasMore: cursor !== null,
    more() {
      if (cursor !== null) void next.start(cursor)
    },
    reload: first.reload,
  }
}
