import { type Kind, orderOf } from '@colloquy/core/store'
import { nameOfIndex, quoted } from './statements.ts'

/** Limit of all columns of an index together, and the size of a number and of a text's length in it, bytes. */
const INDEX_BYTES = 3_072
const NUMBER_BYTES = 9
const LENGTH_BYTES = 3

/** Size of the id that ends every index. Only with it are lists read in their order, without sorting. */
const ID_BYTES = 1_000

/** Returns the bytes of an index that each of its texts may take. */
function shareOf(kind: Kind<unknown>, index: string): number {
  const of = orderOf(kind, index)
  const texts = of.filter(name => kind.columns[name]?.type === 'text').length
  const free = INDEX_BYTES - ID_BYTES - LENGTH_BYTES - NUMBER_BYTES * (of.length - texts)
  return Math.floor(free / texts) - LENGTH_BYTES
}

/**
 * Returns the type of a column. Texts are UTF-8 as bytes: those are in the order of code points, and an index has room
 * for four times as many letters as in columns of characters, of which each counts as four bytes. Texts of one index
 * share what the id leaves: with five of them there are 400 bytes for each, which is more than core gives any. What is
 * longer is refused by the server.
 */
function typeOf(kind: Kind<unknown>, column: string): string {
  const { columns, indexes } = kind
  if (columns[column]?.type !== 'text') return 'bigint'
  const shares = Object.keys(indexes)
    .filter(index => orderOf(kind, index).includes(column))
    .map(index => shareOf(kind, index))
  // In no index: not bounded by one.
  return shares.length === 0 ? 'longblob' : `varbinary(${Math.min(ID_BYTES, ...shares)})`
}

/** The variable of a session in which a batch names the table whose permanent documents it may change. */
export const PERMITTED = '@colloquy_permitted'

function triggersOf(name: string): readonly string[] {
  const refuse = `if not ${PERMITTED} <=> '${name}' then signal sqlstate '45000' set message_text = '${name} is append-only.'; end if`
  return [
    `create or replace trigger ${name}_stands before update on ${name} for each row ${refuse}`,
    `create or replace trigger ${name}_stays before delete on ${name} for each row ${refuse}`,
  ]
}

const typed = (kind: Kind<unknown>, column: string): string => `${quoted(column)} ${typeOf(kind, column)}`

/** Others are waited for, and wait, for so long, seconds. */
const PATIENCE = 2

/** Adds a column to a table that is there. */
export const columnAdded = (kind: Kind<unknown>, column: string): string =>
  `alter table ${quoted(kind.name)} wait ${PATIENCE} add column if not exists ${typed(kind, column)}, algorithm = instant`

/**
 * Adds an index to a table while others write. Columns that were there may be longer than it has room for: then it does
 * not give their whole order, and the server sorts.
 *
 * @param lengths of the table's texts, in bytes
 */
export function indexAdded(kind: Kind<unknown>, index: string, lengths: ReadonlyMap<string, number>): string {
  const share = shareOf(kind, index)
  const parts = orderOf(kind, index).map(column =>
    column !== 'id' && (lengths.get(column) ?? 0) > share ? `${quoted(column)}(${share})` : quoted(column),
  )
  const added = `index if not exists ${quoted(nameOfIndex(kind, index))} (${parts.join(', ')})`
  return `set statement max_statement_time = 0 for
    alter table ${quoted(kind.name)} wait ${PATIENCE} add ${added}, algorithm = inplace, lock = none`
}

/** Returns a table of a kind. Each statement may be carried out again. */
export function tableOf(kind: Kind<unknown>): readonly string[] {
  const { columns, indexes, isPermanent, name, words } = kind
  const parts = [
    `id varbinary(${ID_BYTES}) primary key`,
    'version bigint not null',
    ...Object.keys(columns).map(column => typed(kind, column)),
    ...(words === undefined ? [] : ['words longtext character set utf8mb4 collate utf8mb4_bin']),
    'body longtext character set utf8mb4 not null',
    ...Object.keys(indexes).map(
      index => `index ${quoted(nameOfIndex(kind, index))} (${orderOf(kind, index).map(quoted).join(', ')})`,
    ),
  ]
  return [
    `create table if not exists ${quoted(name)} (\n  ${parts.join(',\n  ')}\n) engine = InnoDB row_format = dynamic`,
    ...(isPermanent ? triggersOf(name) : []),
  ]
}

/** Number of rows at which batches wait for each other. */
export const SLOTS = 256

/** Batches that count a part of an index wait at its slot. All are there from the start: adding one could deadlock. */
export const SLOT_TABLE: readonly string[] = [
  'create table if not exists slot (slot int primary key) engine = InnoDB',
  `insert ignore into slot (slot) values ${Array.from({ length: SLOTS }, (_, slot) => `(${slot})`).join(', ')}`,
]
