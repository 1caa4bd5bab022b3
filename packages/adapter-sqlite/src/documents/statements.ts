import type { Kind, Range } from '@colloquy/core/store'
import { type RawBuilder, sql } from 'kysely'
import type { Define, Parameters, SqlValue } from '../database/statements.ts'

type Row = { readonly body: string; readonly version: number }

/** What a range asks for, as parameters: `p0`, `p1` … for its prefix, and `through`. */
export const parametersOf = ({ prefix, through }: Range): Parameters => ({
  ...Object.fromEntries(prefix.map((value, at) => [`p${at}`, value])),
  ...(through === undefined ? {} : { through }),
})

/** The rows of an index that a range of that shape holds; those of which a column is null are not among them. */
function heldBy(
  columns: readonly string[],
  prefix: number,
  hasThrough: boolean,
  p: (name: string) => RawBuilder<SqlValue>,
): RawBuilder<boolean> {
  const terms = columns.map((column, at) => {
    const name = sql.ref(column)
    if (at < prefix) return sql`${name} = ${p(`p${at}`)}`
    return hasThrough && at === prefix ? sql`${name} <= ${p('through')}` : sql`${name} is not null`
  })
  return sql<boolean>`${sql.join(terms, sql` and `)}`
}

/** The statements about a kind, prepared. */
export function documentStatements(define: Define, { columns, indexes, name }: Kind<unknown>) {
  const table = sql.table(name)
  const given = ['id', 'version', ...Object.keys(columns), 'body']
  const set = given.map(column => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`)
  const lists = new Map<string, ReturnType<typeof makeList>>()
  function makeList(index: string, prefix: number, hasThrough: boolean) {
    const of = indexes[index]
    if (of === undefined) throw new Error(`Documents of the kind ${name} have no index ${index}.`)
    const order = sql.join([...of, 'id'].map(column => sql.ref(column)))
    return {
      rows: define<Parameters>()((db, p) =>
        sql<Row>`select body, version from ${table} where ${heldBy(of, prefix, hasThrough, p)}
          order by ${order} limit ${p('limit')}`.compile(db),
      ),
      exceeds: define<Parameters>()((db, p) =>
        sql<{ readonly id: string }>`select id from ${table} where ${heldBy(of, prefix, hasThrough, p)}
          limit 1 offset ${p('atMost')}`.compile(db),
      ),
    }
  }
  return {
    get: define<{ id: string }>()((db, p) =>
      sql<Row>`select body, version from ${table} where id = ${p('id')}`.compile(db),
    ),
    put: define<Parameters>()((db, p) =>
      sql`insert into ${table} (${sql.join(given.map(column => sql.ref(column)))})
        values (${sql.join(given.map(column => p(column)))})
        on conflict (id) do update set ${sql.join(set)}`.compile(db),
    ),
    /** Those after an id, in the order of ids. */
    after: define<{ after: string; count: number }>()((db, p) =>
      sql<Row>`select body, version from ${table} where id > ${p('after')}
        order by id limit ${p('count')}`.compile(db),
    ),
    remove: define<{ id: string }>()((db, p) => sql`delete from ${table} where id = ${p('id')}`.compile(db)),
    list(index: string, prefix: number, hasThrough: boolean) {
      const shape = JSON.stringify([index, prefix, hasThrough])
      const known = lists.get(shape) ?? makeList(index, prefix, hasThrough)
      lists.set(shape, known)
      return known
    },
  }
}
