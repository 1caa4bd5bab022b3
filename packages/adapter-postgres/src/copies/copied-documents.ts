import { type CopyKey, DOCUMENT_KINDS, type DocumentParts, type Kind, rowOf } from '@colloquy/core/store'
import { sql } from 'kysely'
import { fromJson } from '../database/json.ts'
import type { Define, Execute } from '../database/statements.ts'
import { listsOf, tableOf } from '../documents/columns.ts'
import { documentStatements } from '../documents/statements.ts'

/** How much is read at a time: so many documents at most, and so many bytes of their rows, one at least. */
interface PageBounds {
  readonly count: number
  readonly bytes: number
}

/** How the documents of a kind are read and written. */
interface Copied<T> {
  /** In the order of their ids. */
  after(key: CopyKey | null, bounds: PageBounds): Promise<readonly T[]>
  take(values: readonly T[], on: Execute): Promise<void>
  drop(keys: readonly CopyKey[], on: Execute): Promise<void>
}

function copiedKind(define: Define, kind: Kind<unknown>): Copied<unknown> {
  const run = documentStatements(define, kind)
  const after = define<{ id: string; count: number; bytes: number }>('read a page to copy', {
    planned: 'each time',
  })<{ readonly body: string }>(
    (t, p) => sql`
    select body from (
      select id, body, sum(octet_length(body)) over (order by id) as page_bytes,
        row_number() over (order by id) as page_place
      from (
        select id, body from ${t(tableOf(kind))} where id > ${p('id')}::text order by id limit ${p('count')}::bigint
      ) as first
    ) as page where page_bytes <= ${p('bytes')}::bigint or page_place = 1 order by id`,
  )
  return {
    after: async (key, bounds) =>
      (await after.all({ id: String(key?.[0] ?? ''), ...bounds })).map(({ body }) => fromJson<unknown>(body)),
    async take(values, on) {
      await run.putAll.all(listsOf(values.map(value => rowOf(kind, value))), on)
    },
    async drop(keys, on) {
      await run.removeAll.all({ ids: keys.map(([id]) => String(id)) }, on)
    },
  }
}

/** How the documents of every kind are read and written for a copy. */
export function copiedDocuments(define: Define) {
  const kinds = Object.entries(DOCUMENT_KINDS).map(([name, kind]) => [
    name,
    copiedKind(define, kind as Kind<never>),
  ])
  return Object.fromEntries(kinds) as { readonly [Name in keyof DocumentParts]: Copied<DocumentParts[Name]> }
}
