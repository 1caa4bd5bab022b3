import { KINDS, type Kind } from '@colloquy/core/store'

const TYPES = { text: 'TEXT', number: 'INTEGER' } as const

function tableOf({ columns, indexes, name }: Kind<unknown>): string {
  const own = Object.entries(columns).map(([column, { type }]) => `  ${column} ${TYPES[type]},\n`)
  const lists = Object.entries(indexes).map(
    ([index, of]) => `CREATE INDEX ${name}_by_${index} ON ${name} (${[...of, 'id'].join(', ')});`,
  )
  return [
    `CREATE TABLE ${name} (\n  id TEXT PRIMARY KEY,\n  version INTEGER NOT NULL,\n${own.join('')}  body TEXT NOT NULL\n) STRICT;`,
    ...lists,
  ].join('\n')
}

/** A table for each kind of document, with the indexes of its lists. */
export const DOCUMENTS = KINDS.map(tableOf).join('\n\n')
