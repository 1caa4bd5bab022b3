/** A page of a list. */
interface Page<Row> {
  readonly rows: readonly Row[]
  readonly cursor: string | null
}

/**
 * Reads on in a list until there are enough wanted conversations, or until so many pages were read: for what the server
 * does not know. The cursor is of the page after the last one that was read.
 */
export async function narrowed<Row>(
  isWanted: (row: Row) => boolean,
  read: (cursor: string | undefined) => Promise<Page<Row>>,
  from: string | undefined,
  { enough, mostPages }: { readonly enough: number; readonly mostPages: number },
): Promise<Page<Row>> {
  const rows: Row[] = []
  let cursor: string | null | undefined = from
  for (let pages = 0; pages < mostPages && rows.length < enough && cursor !== null; pages++) {
    const page: Page<Row> = await read(cursor)
    rows.push(...page.rows.filter(isWanted))
    cursor = page.cursor
  }
  return { rows, cursor: cursor ?? null }
}
