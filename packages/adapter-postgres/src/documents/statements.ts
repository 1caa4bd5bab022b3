import type { Kind, Range } from '@colloquy/core/store'
import { type RawBuilder, sql } from 'kysely'
import type { Define, Placeholder } from '../database/statements.ts'
import type { Table } from '../database/tables.ts'
import type { Parameters } from '../database/values.ts'
import { ANSWER, type Done, keeping, type OutboxParameters } from '../outbox/outbox-keeper.ts'

type Row = { readonly body: string; readonly version: number }

/** What a column is sent as. */
export const TYPES = { text: 'text', number: 'bigint' } as const

/** The table of a kind: each has one. */
export const tableOf = ({ name }: Kind<unknown>): Table => name as Table

/** A kind in a sentence. */
export const namedIn = ({ name }: Kind<unknown>): string => name.replaceAll('_', ' ')

/** What a range asks for, as parameters: `p0`, `p1` … for its prefix, and `through`. */
export const parametersOf = ({ prefix, through }: Range): Parameters => ({
  ...Object.fromEntries(prefix.map((value, at) => [`p${at}`, value])),
  ...(through === undefined ? {} : { through }),
})

/** The statements about a kind. */
export function documentStatements(define: Define, kind: Kind<unknown>) {
  const table = tableOf(kind)
  const { columns, indexes } = kind
  const typeOf = (column: string) =>
    sql.raw(column === 'version' ? 'bigint' : TYPES[columns[column]?.type ?? 'text'])
  const given = ['id', 'version', ...Object.keys(columns), 'body']
  const names = sql.join(given.map(column => sql.ref(column)))
  const values = (p: Placeholder<Parameters>) =>
    sql.join(given.map(column => sql`${p(column)}::${typeOf(column)}`))
  const set = (p: Placeholder<Parameters>) =>
    sql.join(given.map(column => sql`${sql.ref(column)} = ${p(column)}::${typeOf(column)}`))
  /** Documents of which a column is null are in no index. */
  const heldBy = (index: string, prefix: number, hasThrough: boolean, p: Placeholder<Parameters>) =>
    sql.join(
      columnsOf(index).map((column, at) => {
        const name = sql.ref(column)
        if (at < prefix) return sql`${name} = ${p(`p${at}`)}::${typeOf(column)}`
        return hasThrough && at === prefix
          ? sql`${name} <= ${p('through')}::${typeOf(column)}`
          : sql`${name} is not null`
      }),
      sql` and `,
    )
  function columnsOf(index: string): readonly string[] {
    const of = indexes[index]
    if (of === undefined) throw new Error(`Documents of the kind ${kind.name} have no index ${index}.`)
    return of
  }
  const makeList = (index: string, prefix: number, hasThrough: boolean) => ({
    rows: define<Parameters>(`list a ${namedIn(kind)}`)<Row>((t, p) => {
      const order = sql.join([...columnsOf(index), 'id'].map(column => sql.ref(column)))
      return sql`
      select body, version from ${t(table)} where ${heldBy(index, prefix, hasThrough, p)}
      order by ${order} limit ${p('limit')}::bigint`
    }),
    exceeds: define<Parameters>(`count each ${namedIn(kind)}`)<{ readonly id: string }>(
      (t, p) => sql`
      select id from ${t(table)} where ${heldBy(index, prefix, hasThrough, p)}
      limit 1 offset ${p('atMost')}::bigint`,
    ),
  })
  const lists = new Map<string, ReturnType<typeof makeList>>()
  /** A write of one document over a version, which keeps its outbox. */
  const writing = (write: (table: RawBuilder<unknown>, p: Placeholder<Parameters>) => RawBuilder<unknown>) =>
    define<Parameters & OutboxParameters>(`write a ${namedIn(kind)}`)<Done>(
      (t, p) => sql`
      with written as (${write(t(table), p as Placeholder<Parameters>)} returning 1),
        done (write) as (select 1 from written), ${keeping(t, p)} ${ANSWER}`,
    )
  return {
    get: define<{ id: string }>(`read a ${namedIn(kind)}`)<Row>(
      (t, p) => sql`select body, version from ${t(table)} where id = ${p('id')}`,
    ),
    /** Reads a version, which stays until the end of the transaction. */
    hold: define<{ id: string }>(`write a ${namedIn(kind)}`)<Pick<Row, 'version'>>(
      (t, p) => sql`select version from ${t(table)} where id = ${p('id')} for update`,
    ),
    insert: writing(
      (of, p) => sql`insert into ${of} (${names}) values (${values(p)}) on conflict (id) do nothing`,
    ),
    update: writing(
      (of, p) => sql`update ${of} set ${set(p)}
        where id = ${p('id')} and version = ${p('expected')}::bigint`,
    ),
    put: define<Parameters>(`write a ${namedIn(kind)}`)(
      (t, p) => sql`
      insert into ${t(table)} (${names}) values (${values(p)})
      on conflict (id) do update set ${set(p)}`,
    ),
    removeAt: writing(
      (of, p) => sql`delete from ${of} where id = ${p('id')} and version = ${p('expected')}::bigint`,
    ),
    remove: define<{ id: string }>(`write a ${namedIn(kind)}`)(
      (t, p) => sql`delete from ${t(table)} where id = ${p('id')}`,
    ),
    list(index: string, prefix: number, hasThrough: boolean) {
      const shape = JSON.stringify([index, prefix, hasThrough])
      const known = lists.get(shape) ?? makeList(index, prefix, hasThrough)
      lists.set(shape, known)
      return known
    },
  }
}
