import { CONVERSATION_KINDS, KINDS, type Kind, orderOf } from '@colloquy/core/store'
import { quoted } from './statements.ts'

/** Whatever is kept. */
export const ALL_KINDS: readonly Kind<unknown>[] = [...KINDS, ...CONVERSATION_KINDS]

/** What all columns of an index may have together, in bytes, and what a number and the length of a text take of it. */
const INDEX_BYTES = 3_072
const NUMBER_BYTES = 9
const LENGTH_BYTES = 3

/** Of ids, which end every index: only so are lists read in their order, and not sorted. */
const ID_BYTES = 1_000

/**
 * The type of a column. Texts are UTF-8 as bytes: those are in the order of code points, and an index has room for four
 * times as many letters as in columns of characters, of which each counts as four bytes. Texts of one index share what
 * the id leaves: with five of them there are 400 bytes for each, which is more than core gives any. What is longer is
 * refused by the server.
 */
function typeOf(kind: Kind<unknown>, column: string): string {
  const { columns, indexes } = kind
  const isText = (name: string): boolean => columns[name]?.type === 'text'
  if (!isText(column)) return 'bigint'
  const shares = Object.keys(indexes)
    .map(index => orderOf(kind, index))
    .filter(of => of.includes(column))
    .map(of => {
      const texts = of.filter(isText).length
      const free = INDEX_BYTES - ID_BYTES - LENGTH_BYTES - NUMBER_BYTES * (of.length - texts)
      return Math.floor(free / texts) - LENGTH_BYTES
    })
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

function tableOf(kind: Kind<unknown>): readonly string[] {
  const { columns, indexes, isPermanent, name, words } = kind
  const parts = [
    `id varbinary(${ID_BYTES}) primary key`,
    'version bigint not null',
    ...Object.keys(columns).map(column => `${quoted(column)} ${typeOf(kind, column)}`),
    ...(words === undefined ? [] : ['words longtext character set utf8mb4 collate utf8mb4_bin']),
    'body longtext character set utf8mb4 not null',
    ...Object.keys(indexes).map(
      index => `index ${quoted(`${name}_by_${index}`)} (${orderOf(kind, index).map(quoted).join(', ')})`,
    ),
  ]
  return [
    `create table if not exists ${quoted(name)} (\n  ${parts.join(',\n  ')}\n) engine = InnoDB row_format = dynamic`,
    ...(isPermanent ? triggersOf(name) : []),
  ]
}

/** How many rows there are for batches to wait for each other at. */
export const SLOTS = 256

/** Batches that count a part of an index wait at its slot. All are there from the start: adding one could deadlock. */
const SLOT_TABLE = [
  'create table if not exists slot (slot int primary key) engine = InnoDB',
  `insert ignore into slot (slot) values ${Array.from({ length: SLOTS }, (_, slot) => `(${slot})`).join(', ')}`,
]

/** A table for each kind of document, with the indexes of its lists. Each statement may be carried out again. */
export const SCHEMA: readonly string[] = [...SLOT_TABLE, ...ALL_KINDS.flatMap(tableOf)]
