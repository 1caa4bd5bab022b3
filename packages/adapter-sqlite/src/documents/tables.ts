import { KINDS, type Kind } from '@colloquy/core/store'

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

function tableOf({ columns, indexes, isPermanent, name }: Kind<unknown>): string {
  const own = Object.entries(columns).map(([column, { type }]) => `  ${column} ${TYPES[type]},\n`)
  const lists = Object.entries(indexes).map(
    ([index, of]) => `CREATE INDEX ${name}_by_${index} ON ${name} (${[...of, 'id'].join(', ')});`,
  )
  return [
    `CREATE TABLE ${name} (\n  id TEXT PRIMARY KEY,\n  version INTEGER NOT NULL,\n${own.join('')}  body TEXT NOT NULL\n) STRICT;`,
    ...lists,
    ...(isPermanent ? refusals(name) : []),
  ].join('\n')
}

/** A table for each kind of document, with the indexes of its lists. */
export const DOCUMENTS = [REMOVAL, ...KINDS.map(tableOf)].join('\n\n')
