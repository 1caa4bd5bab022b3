import { columnsOfIndex, type Kind, type Range } from '@colloquy/core/store'
import { type RawBuilder, sql } from 'kysely'
import { inOneTick } from '../database/in-one-tick.ts'
import type { Define, Placeholder } from '../database/statements.ts'
import type { Parameters } from '../database/values.ts'
import { ANSWER, type Done, keeping, type OutboxParameters } from '../outbox/outbox-keeper.ts'
import { columnsOf, tableOf } from './columns.ts'

type Row = { readonly id: string; readonly body: string; readonly version: number }

/** A kind in a sentence. */
export const namedIn = ({ name }: Kind<unknown>): string => name.replaceAll('_', ' ')

/**
 * What a range asks for, as parameters: `p0`, `p1` … for its prefix, `a0`, `a1` … for its place, `w0`, `w1` … for the
 * values that are wanted, and its bounds.
 */
export const parametersOf = ({ after = [], from, prefix, through, where = {} }: Range): Parameters => ({
  ...Object.fromEntries(prefix.map((value, at) => [`p${at}`, value])),
  ...Object.fromEntries(after.map((value, at) => [`a${at}`, value])),
  ...Object.fromEntries(Object.values(where).map((values, at) => [`w${at}`, values])),
  ...(from === undefined ? {} : { from }),
  ...(through === undefined ? {} : { through }),
})

/** The statements about a kind. */
export function documentStatements(define: Define, kind: Kind<unknown>) {
  const table = tableOf(kind)
  const columns = columnsOf(kind)
  const typeOf = (column: string) => sql.raw(columns[column] ?? 'text')
  const given = Object.keys(columns)
  const names = sql.join(given.map(column => sql.ref(column)))
  const named = namedIn(kind)
  /** Rows that are given as lists. */
  const all = (p: Placeholder<Parameters>) =>
    sql`select * from unnest(${sql.join(given.map(column => sql`${p(column)}::${typeOf(column)}[]`))}) as given`
  const values = (p: Placeholder<Parameters>) =>
    sql.join(given.map(column => sql`${p(column)}::${typeOf(column)}`))
  const set = (p: Placeholder<Parameters>) =>
    sql.join(given.map(column => sql`${sql.ref(column)} = ${p(column)}::${typeOf(column)}`))
  /** Documents of which a column is null are in no index. */
  function heldBy(
    index: string,
    { after, descending = false, from, prefix, through, where = {} }: Range,
    p: Placeholder<Parameters>,
  ) {
    const names = columnsOfIndex(kind, index)
    const terms = names.map((column, at) => {
      return at < prefix.length
        ? sql`${sql.ref(column)} = ${p(`p${at}`)}::${typeOf(column)}`
        : sql`${sql.ref(column)} is not null`
    })
    const next = names[prefix.length] ?? 'id'
    if (from !== undefined) terms.push(sql`${sql.ref(next)} >= ${p('from')}::${typeOf(next)}`)
    if (through !== undefined) terms.push(sql`${sql.ref(next)} <= ${p('through')}::${typeOf(next)}`)
    if (after !== undefined) {
      const place = [...names.slice(prefix.length), 'id']
      const given = place.map((column, at) => sql`${p(`a${at}`)}::${typeOf(column)}`)
      terms.push(
        sql`(${sql.join(place.map(column => sql.ref(column)))}) ${sql.raw(descending ? '<' : '>')} (${sql.join(given)})`,
      )
    }
    for (const [at, column] of Object.keys(where).entries())
      terms.push(sql`${sql.ref(column)} = any (${p(`w${at}`)}::${typeOf(column)}[])`)
    return terms.length === 0 ? sql`true` : sql.join(terms, sql` and `)
  }
  const makeList = (index: string, range: Range) => ({
    rows: define<Parameters>(`list the ${named}s`)<Row>((t, p) => {
      const direction = sql.raw(range.descending ? 'desc' : 'asc')
      const order = sql.join(
        [...columnsOfIndex(kind, index), 'id'].map(column => sql`${sql.ref(column)} ${direction}`),
      )
      return sql`
      select body, version from ${t(table)} where ${heldBy(index, range, p)}
      order by ${order} limit ${p('limit')}::bigint offset ${p('skip')}::bigint`
    }),
    exceeds: define<Parameters>(`count each ${named}`)<{ readonly id: string }>(
      (t, p) => sql`
      select id from ${t(table)} where ${heldBy(index, range, p)}
      limit 1 offset ${p('atMost')}::bigint`,
    ),
    clear: define<Parameters>(`write the ${named}`)(
      (t, p) => sql`delete from ${t(table)} where ${heldBy(index, range, p)}`,
    ),
  })
  const lists = new Map<string, ReturnType<typeof makeList>>()
  /** A write of one document over a version, which keeps its outbox. */
  const writing = (write: (table: RawBuilder<unknown>, p: Placeholder<Parameters>) => RawBuilder<unknown>) =>
    define<Parameters & OutboxParameters>(`write the ${named}`)<Done>(
      (t, p) => sql`
      with written as (${write(t(table), p as Placeholder<Parameters>)} returning 1),
        done (write) as (select 1 from written), ${keeping(t, p)} ${ANSWER}`,
    )
  const get = define<{ ids: readonly string[] }>(`read the ${named}`)<Pick<Row, 'id' | 'body'>>(
    (t, p) => sql`select id, body from ${t(table)} where id = any (${p('ids')}::text[])`,
  )
  return {
    name: kind.name,
    isPermanent: kind.isPermanent === true,
    /** Bodies by id. Every turn reads documents, and a thousand turns may begin at once. */
    bodies: inOneTick(async ids => new Map((await get.all({ ids })).map(({ body, id }) => [id, body]))),
    /**
     * Reads versions, which stay until the end of the transaction: in the order of ids, so that nobody waits in a
     * circle.
     */
    hold: define<{ ids: readonly string[] }>(`write the ${named}`)<Pick<Row, 'id' | 'version'>>(
      (t, p) => sql`
      select id, version from ${t(table)} where id = any (${p('ids')}::text[]) order by id for update`,
    ),
    insert: writing(
      (of, p) => sql`insert into ${of} (${names}) values (${values(p)}) on conflict (id) do nothing`,
    ),
    update: writing(
      (of, p) => sql`update ${of} set ${set(p)}
        where id = ${p('id')} and version = ${p('expected')}::bigint`,
    ),
    putAll: define<Parameters>(`write the ${named}`)(
      (t, p) => sql`
      insert into ${t(table)} (${names}) ${all(p)}
      on conflict (id) do update set ${sql.join(given.map(name => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`))}`,
    ),
    /** Answers with those that were not there. Those that others are about to add are waited for. */
    occupyAll: define<{ ids: readonly string[] }>(`write the ${named}`)<Pick<Row, 'id'>>(
      (t, p) => sql`
      insert into ${t(table)} (id, version, body)
      select id, 0, '' from unnest(${p('ids')}::text[]) as given (id) order by id
      on conflict (id) do nothing returning id`,
    ),
    /** Answers with those that were not there. */
    insertAll: define<Parameters>(`write the ${named}`)<Pick<Row, 'id'>>(
      (t, p) => sql`insert into ${t(table)} (${names}) ${all(p)} on conflict (id) do nothing returning id`,
    ),
    removeAt: writing(
      (of, p) => sql`delete from ${of} where id = ${p('id')} and version = ${p('expected')}::bigint`,
    ),
    removeAll: define<{ ids: readonly string[] }>(`write the ${named}`)(
      (t, p) => sql`delete from ${t(table)} where id = any (${p('ids')}::text[])`,
    ),
    /** For ranges like that. */
    list(index: string, range: Range) {
      const { after, descending = false, from, prefix, through, where = {} } = range
      const bounds = [from, through, after].map(bound => bound !== undefined)
      const shape = `${index} ${prefix.length} ${bounds} ${descending} ${Object.keys(where)}`
      const known = lists.get(shape) ?? makeList(index, range)
      lists.set(shape, known)
      return known
    },
  }
}
