import type { ComponentChildren } from 'preact'
import type { Pages } from '../data/pages.ts'
import { say } from '../texts/common.ts'
import { Button } from './button.tsx'
import { Failure } from './failure.tsx'
import { Pending, Table, type TableProps } from './parts.tsx'

interface PagedTableProps<Row> extends Omit<TableProps<Row>, 'rows'> {
  readonly pages: Pages<Row>
  /** Content shown if there are no rows. */
  readonly empty: ComponentChildren
  /** Whether changes arrive automatically, so nobody has to reload. @default false */
  readonly isFollowed?: boolean
}

/** Shows a list as a table, with ways to its next page and to a new look at it. */
export function PagedTable<Row>({ pages, empty, isFollowed = false, ...table }: PagedTableProps<Row>) {
  const { rows, error, pending, hasMore, more, reload } = pages
  if (rows === undefined) return error === null ? <Pending /> : <Failure error={error} again={reload} />
  return (
    <>
      {rows.length === 0 ? empty : <Table {...table} rows={rows} />}
      <Failure error={error} />
      {pending && !isFollowed && <Pending />}
      <div class="actions apart after">
        {hasMore && (
          <Button icon="down" onClick={more} disabled={pending}>
            {say('more')}
          </Button>
        )}
        {!isFollowed && (
          <Button kind="bare" icon="refresh" onClick={reload}>
            {say('refresh')}
          </Button>
        )}
      </div>
    </>
  )
}
