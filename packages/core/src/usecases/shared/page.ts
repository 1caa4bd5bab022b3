import * as z from 'zod'
import type { InputOf } from '../../calls/call.ts'
import { type BoundedPage, boundedPage } from '../../domain/bounded-page.ts'
import { decodeCursor, encodeCursor, type ListPosition } from '../../domain/conversation/cursor.ts'
import { PlatformError } from '../../errors.ts'

/** Limits of lists that come in pages. */
export const PAGE_LIMITS = {
  /** The number of values on a page without a given limit. */
  default: 100,
  /** The most that a page may ask for. */
  maximum: 1_000,
} as const

/** The page of a list, among other fields of a query. */
export const pageFields = {
  /** 1 to 1,000. @default 100 */
  limit: z.int().min(1).max(PAGE_LIMITS.maximum).exactOptional(),
  /** The end of the page before. @default the first page */
  cursor: z.string().exactOptional(),
}

/** The schema of {@link PageQuery}. */
export const pageQuerySchema = z.object(pageFields)

/** The page of a list. */
export type PageQuery = InputOf<typeof pageQuerySchema>

/** The part of a query that says which page. */
interface PageOf {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

/** The fields of every page of a list. */
export interface PageEnd {
  /** Marks where the next page begins; null on the last page. */
  readonly cursor: string | null
}

/** The reader of a list, and the conversion of its positions to and from those of cursors. */
interface List<Value, Position> {
  readonly read: (filter: { readonly after?: Position }, limit: number) => Promise<BoundedPage<Value>>
  readonly nameOf: (value: Value) => ListPosition
  readonly positionOf: (name: ListPosition) => Position
}

/**
 * Returns a page of a list. It does not shift when something is added or removed meanwhile: it begins after a position,
 * not at an offset.
 * @throws SCHEMA_VALIDATION_FAILED for an invalid cursor
 */
export async function readPage<Value, Position>(
  { limit = PAGE_LIMITS.default, cursor: given }: PageOf,
  { read, nameOf, positionOf }: List<Value, Position>,
): Promise<PageEnd & { readonly values: readonly Value[] }> {
  const position = given === undefined ? undefined : decodeCursor(given)
  if (position === null)
    throw new PlatformError(
      'SCHEMA_VALIDATION_FAILED',
      'The cursor is not valid: it must be one that a page of this list ended with.',
    )
  const { values, more } = await read(position === undefined ? {} : { after: positionOf(position) }, limit)
  const last = more ? values.at(-1) : undefined
  return { values, cursor: last === undefined ? null : encodeCursor(nameOf(last)) }
}

interface Created {
  readonly createdAt: number
  readonly id: string
}

/** Reads a page of a list that is oldest first. */
export const readOldestFirst = <Value extends Created>(
  query: PageOf,
  read: (filter: { readonly after?: Created }, limit: number) => Promise<readonly Value[]>,
): Promise<PageEnd & { readonly values: readonly Value[] }> =>
  readPage<Value, Created>(query, {
    read: async (filter, limit) => boundedPage(await read(filter, limit + 1), value => value, limit),
    nameOf: ({ createdAt, id }) => ({ startedAt: createdAt, id }),
    positionOf: ({ startedAt, id }) => ({ createdAt: startedAt, id }),
  })

/** Returns the pages of a list from the first to the last, each read on demand. */
export async function* eachPage<Page extends PageEnd>(
  read: (query: PageQuery) => Promise<Page>,
): AsyncGenerator<Page, void, void> {
  let cursor: string | null | undefined
  while (cursor !== null) {
    const page: Page = await read({
      limit: PAGE_LIMITS.maximum,
      ...(cursor === undefined ? {} : { cursor }),
    })
    yield page
    cursor = page.cursor
  }
}
