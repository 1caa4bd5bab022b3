import {
  columnsOfIndex,
  type Kind,
  orderOf,
  placeValues,
  type Range,
  type Saying,
} from '@colloquy/core/store'
import { quotedName } from '../database/plain-sql.ts'
import type { Define, Statement } from '../database/statements.ts'
import type { Parameters } from '../database/values.ts'
import { namedIn, typeOf } from './columns.ts'

/**
 * What a range asks for, as parameters: `p0`, `p1` … for its prefix, `a0`, `a1` … for its place, `w0`, `w1` … for the
 * values that are wanted, `s0`, `s1` … for words, and its bounds.
 */
export function parametersOf(kind: Kind<unknown>, index: string, range: Range): Parameters {
  const { from, limit, prefix, skip = 0, through, where = {}, saying } = range
  const after = range.after === undefined ? [] : placeValues(kind, index, range.after)
  return {
    ...Object.fromEntries(prefix.map((value, at) => [`p${at}`, value])),
    ...Object.fromEntries(after.map((value, at) => [`a${at}`, value])),
    ...Object.fromEntries(Object.values(where).map((values, at) => [`w${at}`, values])),
    ...Object.fromEntries((saying?.words ?? []).map((some, at) => [`s${at}`, some])),
    ...(from === undefined ? {} : { from }),
    ...(through === undefined ? {} : { through }),
    limit: limit ?? null,
    skip,
  }
}

/** The condition for documents whose id some document with these words has in a column. */
const said = ({ column, kind, words }: Saying): string =>
  `id in (select ${quotedName(column)} from @${kind.name} where ${['true', ...words.map((_, at) => `words && $s${at}::text[]`)].join(' and ')})`

/** The condition for what ranges of that shape hold. Documents of which a column is null are in no index. */
function heldBy(kind: Kind<unknown>, index: string, range: Range): string {
  const { after, descending = false, from, prefix, through, where = {}, saying } = range
  const given = (column: string, name: string) => `$${name}::${typeOf(kind, column)}`
  const order = orderOf(kind, index)
  const next = order[prefix.length] ?? ''
  const place = order.slice(prefix.length)
  const behind = (): string =>
    `(${place.map(quotedName).join(', ')}) ${descending ? '<' : '>'} (${place.map((column, at) => given(column, `a${at}`)).join(', ')})`
  return [
    'true',
    ...columnsOfIndex(kind, index).map((column, at) =>
      at < prefix.length
        ? `${quotedName(column)} = ${given(column, `p${at}`)}`
        : `${quotedName(column)} is not null`,
    ),
    ...(from === undefined ? [] : [`${quotedName(next)} >= ${given(next, 'from')}`]),
    ...(through === undefined ? [] : [`${quotedName(next)} <= ${given(next, 'through')}`]),
    ...(after === undefined ? [] : [behind()]),
    ...Object.keys(where).map((column, at) => `${quotedName(column)} = any (${given(column, `w${at}`)}[])`),
    ...(saying === undefined ? [] : [said(saying)]),
  ].join(' and ')
}

/** The statements about ranges of one shape. */
export interface List {
  readonly rows: Statement<{ readonly body: string }>
  /** Finds a row where there are more than that. */
  readonly exceeds: Statement<unknown>
}

function makeList(define: Define, kind: Kind<unknown>, index: string, range: Range): List {
  const held = heldBy(kind, index, range)
  const order = orderOf(kind, index).map(
    column => `${quotedName(column)} ${range.descending ? 'desc' : 'asc'}`,
  )
  // A word that few hold wants another plan than one that all do.
  const planned = range.saying === undefined ? 'once' : 'each time'
  return {
    rows: define(
      `list the ${namedIn(kind)}s`,
      `select body from @${kind.name} where ${held} order by ${order.join(', ')} limit $limit::bigint offset $skip::bigint`,
      { planned },
    ),
    exceeds: define(
      `count each ${namedIn(kind)}`,
      `select 1 from @${kind.name} where ${held} limit 1 offset $atMost::bigint`,
    ),
  }
}

/** The statements about ranges, each shape of which is written once. */
export function createLists(define: Define): (kind: Kind<unknown>, index: string, range: Range) => List {
  const lists = new Map<string, List>()
  return (kind, index, range) => {
    const { after, descending = false, from, prefix, through, where = {}, saying } = range
    const bounds = [from, through, after].map(bound => bound !== undefined)
    const shape = [
      kind.name,
      index,
      prefix.length,
      bounds,
      descending,
      Object.keys(where),
      saying && [saying.kind.name, saying.column, saying.words.length],
    ].join()
    const known = lists.get(shape) ?? makeList(define, kind, index, range)
    lists.set(shape, known)
    return known
  }
}
