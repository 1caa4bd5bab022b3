import { type Kind, rowOf } from '@colloquy/core/store'
import { type Copied, type CopiedColumns, copiedTable } from '../copies/copied-table.ts'
import { fromJson } from '../database/json.ts'
import type { Define } from '../database/statements.ts'
import type { Parameters } from '../database/values.ts'
import { TYPES, tableOf } from './statements.ts'

/** How the documents of a kind are read and written for a copy. */
export function copiedDocuments<T>(define: Define, kind: Kind<T>): Copied<T> {
  const own = Object.entries(kind.columns).map(([name, { type }]) => [name, TYPES[type]] as const)
  const columns: CopiedColumns<Parameters> = {
    columns: { id: 'text', version: 'bigint', ...Object.fromEntries(own), body: 'text' },
    key: [['id', 'text']],
  }
  const table = copiedTable(define, tableOf(kind), columns)
  return {
    after: async (key, bounds) =>
      (await table.rowsAfter(key, bounds)).map(({ body }) => fromJson<T>(String(body))),
    take: (values, on) =>
      table.put(
        values.map(value => rowOf(kind, value)),
        on,
      ),
    drop: table.drop,
  }
}
