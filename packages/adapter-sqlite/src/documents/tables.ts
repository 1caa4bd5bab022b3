import { columnsOfIndex, type Kind, keyColumns, orderOf } from '@colloquy/core/store'
import { wordsSchema } from './words.ts'

const TYPES = { text: 'TEXT', number: 'INTEGER' } as const

/** Holds a row within what may remove documents that are permanent or fill their columns, and none outside of it. */
export const REMOVAL = 'CREATE TABLE removal (permitted INTEGER NOT NULL) STRICT;'

const refusals = (name: string): readonly string[] => {
  const refuse = `BEGIN\n  SELECT raise(ABORT, '${name} is append-only');\nEND;`
  return [
    `CREATE TRIGGER ${name}_stands BEFORE UPDATE ON ${name} WHEN NOT EXISTS (SELECT 1 FROM removal) ${refuse}`,
    `CREATE TRIGGER ${name}_stays BEFORE DELETE ON ${name} WHEN NOT EXISTS (SELECT 1 FROM removal) ${refuse}`,
  ]
}

/** Returns the index by which a list of a kind is read; null: that of its key. */
export function nameOfIndex(kind: Kind<unknown>, index: string): string | null {
  const key = keyColumns(kind)
  const isKey = index === 'id' || orderOf(kind, index).every((column, at) => column === key[at])
  return isKey ? null : `${kind.name}_by_${index}`
}

const typed = ({ columns }: Kind<unknown>, column: string): string =>
  `${column} ${TYPES[columns[column]?.type ?? 'text']}`

/** Returns the condition that a row is in a list. Documents with a null column are in none. */
const heldIn = (kind: Kind<unknown>, index: string, row = ''): string =>
  columnsOfIndex(kind, index)
    .map(column => `${row}${column} IS NOT NULL`)
    .join(' AND ')

/** Adds a column to a table that is there. */
export const columnAdded = (kind: Kind<unknown>, column: string): string =>
  `ALTER TABLE ${kind.name} ADD COLUMN ${typed(kind, column)};`

/**
 * Adds an index to a table that is there: as a table that begins empty, and gets each row as it is next written. SQLite
 * would make an index of its own within one write, for which all others wait.
 */
export function indexAdded(kind: Kind<unknown>, index: string): string {
  const list = `${kind.name}_by_${index}`
  const order = orderOf(kind, index)
  const of = (row: string): string => order.map(column => `${row}.${column}`).join(', ')
  const is = (row: string): string => `(${order.join(', ')}) = (${of(row)})`
  const left = `DELETE FROM ${list} WHERE ${is('old')}`
  // Not "or ignore": the trigger's statement overrides it with its own conflict clause.
  const added = `INSERT INTO ${list} SELECT ${of('new')}
    WHERE ${heldIn(kind, index, 'new.')} AND NOT EXISTS (SELECT 1 FROM ${list} WHERE ${is('new')});`
  return [
    `CREATE TABLE ${list} (${order.map(column => `${typed(kind, column)} NOT NULL`).join(', ')}, PRIMARY KEY (${order.join(', ')})) STRICT, WITHOUT ROWID;`,
    `CREATE TRIGGER ${list}_come AFTER INSERT ON ${kind.name} BEGIN\n  ${added}\nEND;`,
    `CREATE TRIGGER ${list}_change AFTER UPDATE ON ${kind.name} BEGIN\n  ${left} AND (${of('old')}) IS NOT (${of('new')});\n  ${added}\nEND;`,
    `CREATE TRIGGER ${list}_go AFTER DELETE ON ${kind.name} BEGIN\n  ${left};\nEND;`,
  ].join('\n')
}

function tableOf(kind: Kind<unknown>): string {
  const { columns, indexes, isPermanent, key, name, words } = kind
  const own = Object.keys(columns).map(column => typed(kind, column))
  const parts = [
    ...(words === undefined ? [] : ['row INTEGER PRIMARY KEY', 'words TEXT NOT NULL']),
    ...(key === undefined ? ['id TEXT NOT NULL'] : []),
    'version INTEGER NOT NULL',
    ...own,
    'body TEXT NOT NULL',
    `UNIQUE (${keyColumns(kind).join(', ')})`,
  ]
  const lists = Object.keys(indexes).flatMap(index => {
    const named = nameOfIndex(kind, index)
    if (named === null) return []
    return [
      `CREATE INDEX ${named} ON ${name} (${orderOf(kind, index).join(', ')}) WHERE ${heldIn(kind, index)};`,
    ]
  })
  return [
    // Not STRICT: of such a table SQLite reads every row when it gets a column.
    `CREATE TABLE ${name} (\n  ${parts.join(',\n  ')}\n);`,
    ...lists,
    ...(words === undefined ? [] : wordsSchema(name)),
    ...(isPermanent ? refusals(name) : []),
  ].join('\n')
}

/** Returns a table for each kind of document, with the indexes of its lists. */
export const tablesOf = (kinds: readonly Kind<unknown>[]): string => kinds.map(tableOf).join('\n\n')
