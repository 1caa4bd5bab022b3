import type { Kind } from '@colloquy/core/store'
import type { Table } from '../database/tables.ts'
import type { Parameters, SqlValue } from '../database/values.ts'

/** What a column is sent as. */
const TYPES = { text: 'text', number: 'bigint' } as const

/** The table of a kind: each has one. */
export const tableOf = ({ name }: Kind<unknown>): Table => name as Table

/** Of the table of a kind, its columns in their order, each with what it is sent as. */
export const columnsOf = ({ columns }: Kind<unknown>): Readonly<Record<string, 'text' | 'bigint'>> => ({
  id: 'text',
  version: 'bigint',
  ...Object.fromEntries(Object.entries(columns).map(([name, { type }]) => [name, TYPES[type]])),
  body: 'text',
})

/** Rows as lists, one value for each. */
export const listsOf = (rows: readonly Parameters[]): Parameters =>
  Object.fromEntries(
    Object.keys(rows[0] ?? {}).map(name => [name, rows.map(row => row[name] ?? null) as SqlValue]),
  )
