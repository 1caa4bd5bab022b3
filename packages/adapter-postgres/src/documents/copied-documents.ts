import { DOCUMENT_KINDS, type DocumentParts, type Kind, rowOf } from '@colloquy/core/store'
import { type Copied, type CopiedColumns, copiedTable } from '../copies/copied-table.ts'
import { fromJson } from '../database/json.ts'
import type { Define } from '../database/statements.ts'
import type { Parameters } from '../database/values.ts'
import { columnsOf, tableOf } from './columns.ts'

function copiedKind(define: Define, kind: Kind<unknown>): Copied<unknown> {
  const columns: CopiedColumns<Parameters> = { columns: columnsOf(kind), key: [['id', 'text']] }
  const table = copiedTable(define, tableOf(kind), columns)
  return {
    after: async (key, bounds) =>
      (await table.rowsAfter(key, bounds)).map(({ body }) => fromJson<unknown>(String(body))),
    take: (values, on) =>
      table.put(
        values.map(value => rowOf(kind, value)),
        on,
      ),
    drop: table.drop,
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
