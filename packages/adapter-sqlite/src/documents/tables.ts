import {
  CONVERSATION_KINDS,
  columnsOfIndex,
  KINDS,
  type Kind,
  keyColumns,
  orderOf,
} from '@colloquy/core/store'
import { wordsSchema } from './words.ts'

/** Every kind of document. */
export const ALL_KINDS: readonly Kind<unknown>[] = [...KINDS, ...CONVERSATION_KINDS]

const TYPES = { text: 'TEXT', number: 'INTEGER' } as const

/** Holds a row within what may remove documents that are permanent, and none outside of it. */
const REMOVAL = 'CREATE TABLE removal (permitted INTEGER NOT NULL) STRICT;'

const refusals = (name: string): readonly string[] => {
  const refuse = `BEGIN\n  SELECT raise(ABORT, '${name} is append-only');\nEND;`
  return [
    `CREATE TRIGGER ${name}_stands BEFORE UPDATE ON ${name} ${refuse}`,
    `CREATE TRIGGER ${name}_stays BEFORE DELETE ON ${name} WHEN NOT EXISTS (SELECT 1 FROM removal) ${refuse}`,
  ]
}

/** The index by which a list of a kind is read; null: that of its key. */
export function nameOfIndex(kind: Kind<unknown>, index: string): string | null {
  const key = keyColumns(kind)
  const isKey = index === 'id' || orderOf(kind, index).every((column, at) => column === key[at])
  return isKey ? null : `${kind.name}_by_${index}`
}

function tableOf(kind: Kind<unknown>): string {
  const { columns, indexes, isPermanent, key, name, words } = kind
  const own = Object.entries(columns).map(([column, { type }]) => `${column} ${TYPES[type]}`)
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
    // Documents of which a column is null are in no list.
    const held = columnsOfIndex(kind, index).map(column => `${column} IS NOT NULL`)
    return [
      `CREATE INDEX ${named} ON ${name} (${orderOf(kind, index).join(', ')}) WHERE ${held.join(' AND ')};`,
    ]
  })
  return [
    `CREATE TABLE ${name} (\n  ${parts.join(',\n  ')}\n) STRICT;`,
    ...lists,
    ...(words === undefined ? [] : wordsSchema(name)),
    ...(isPermanent ? refusals(name) : []),
  ].join('\n')
}

/** A table for each kind of document, with the indexes of its lists. */
export const SCHEMA = [REMOVAL, ...ALL_KINDS.map(tableOf)].join('\n\n')
