import { type Kind, keyColumns, orderOf } from '@colloquy/core/store'
import { quotedName } from '../database/plain-sql.ts'
import { columnsOf, listed, typeOf } from './columns.ts'

const TYPES = { text: 'text collate "C"', bigint: 'bigint' } as const

/** Also for those who write past the store: who may names the table for its own transaction. */
export const KEEPING = `create function keep_permanent() returns trigger language plpgsql as $$
begin
  if current_setting('colloquy.removal', true) = tg_table_name then
    return case tg_op when 'DELETE' then old else new end;
  end if;
  raise exception '% is append-only.', tg_table_name;
end $$;`

/** Room for the next version of a row on its page: most documents are written again. */
const FILLFACTOR = 85

/**
 * Rows whose version is negative keep others from adding what must not be there, or what is removed. They go at the end
 * of their statement, and the place is held until the end of the transaction all the same.
 */
function leavingOf(kind: Kind<unknown>): readonly string[] {
  const { name } = kind
  const isAdded = keyColumns(kind)
    .map(column => `${quotedName(column)} = new.${quotedName(column)}`)
    .join(' and ')
  return [
    `create function leave_${name}() returns trigger language plpgsql set search_path from current as $$
begin
  delete from ${name} where ${isAdded};
  return null;
end $$;`,
    `create trigger leave after insert or update on ${name} for each row when (new.version < 0) execute function leave_${name}();`,
  ]
}

/** An index of a table, and what it is of. */
export interface TableIndex {
  readonly name: string
  readonly table: string
  readonly of: string
}

/** An index has no row of which one of its columns is null. One that begins as the key does is the key's. */
export function indexesOf(kind: Kind<unknown>): readonly TableIndex[] {
  const key = keyColumns(kind)
  return Object.entries(kind.indexes)
    .filter(([, of]) => of.some((column, at) => column !== key[at]))
    .map(([index, of]) => ({
      name: `${kind.name}_by_${index}`,
      table: kind.name,
      of: `(${listed(orderOf(kind, index))}) where ${of.map(column => `${quotedName(column)} is not null`).join(' and ')}`,
    }))
}

const typedColumn = (kind: Kind<unknown>, column: string): string =>
  `${quotedName(column)} ${TYPES[typeOf(kind, column)]}`

/** Adds a column to a table that is there. */
export const columnAdded = (kind: Kind<unknown>, column: string): string =>
  `alter table ${kind.name} add column if not exists ${typedColumn(kind, column)};`

/** Rare words are looked up in the index. For a frequent word, the rows of a list are checked one after the other. */
function wordIndexesOf({ columns, indexes, name }: Kind<unknown>): readonly string[] {
  const others = Object.keys(columns).filter(column => !Object.values(indexes).flat().includes(column))
  return [
    `create index ${name}_by_words on ${name} using gin (words);`,
    ...others.map(column => `create index ${name}_in_${column} on ${name} (${quotedName(column)});`),
  ]
}

function tableOf(kind: Kind<unknown>): string {
  const { isPermanent, name, words } = kind
  const own = columnsOf(kind).map(column => typedColumn(kind, column))
  const parts = [
    ...own,
    ...(words === undefined ? [] : ['words text[] collate "C"']),
    'body text not null',
    `primary key (${listed(keyColumns(kind))})`,
  ]
  const permanent = `create trigger keep_permanent before update or delete on ${name} for each row execute function keep_permanent();`
  return [
    `create table ${name} (\n  ${parts.join(',\n  ')}\n) with (fillfactor = ${FILLFACTOR});`,
    ...indexesOf(kind).map(({ name, of, table }) => `create index ${name} on ${table} ${of};`),
    ...(words === undefined ? [] : wordIndexesOf(kind)),
    ...(isPermanent ? [permanent] : leavingOf(kind)),
  ].join('\n')
}

/** Returns a table for each kind of document, with the indexes of its lists. */
export const tablesOf = (kinds: readonly Kind<unknown>[]): string => kinds.map(tableOf).join('\n\n')
