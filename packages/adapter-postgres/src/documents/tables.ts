import { KINDS, type Kind } from '@colloquy/core/store'

const TYPES = { text: 'text collate "C"', number: 'bigint' } as const

function tableOf({ columns, indexes, name }: Kind<unknown>): string {
  const own = Object.entries(columns).map(([column, { type }]) => `  ${column} ${TYPES[type]},\n`)
  const lists = Object.entries(indexes).map(
    ([index, of]) => `create index ${name}_by_${index} on ${name} (${[...of, 'id'].join(', ')});`,
  )
  return [
    `create table ${name} (\n  id text collate "C" primary key,\n  version bigint not null,\n${own.join('')}  body text not null\n);`,
    ...lists,
  ].join('\n')
}

/** A table for each kind of document, with the indexes of its lists. */
export const DOCUMENTS = KINDS.map(tableOf).join('\n\n')
