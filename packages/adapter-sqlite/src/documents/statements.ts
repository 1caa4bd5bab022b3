import { columnsOfIndex, type Kind, type Range } from '@colloquy/core/store'
import { type RawBuilder, sql } from 'kysely'
import type { Define, Parameters, SqlValue } from '../database/statements.ts'

type Row = { readonly body: string; readonly version: number }

/**
 * What a range asks for, as parameters: `p0`, `p1` … for its prefix, `a0`, `a1` … for its place, `w0`, `w1` … for the
 * values that are wanted, as JSON, and its bounds.
 */
export const parametersOf = ({ after = [], from, prefix, through, where = {} }: Range): Parameters => ({
  ...Object.fromEntries(prefix.map((value, at) => [`p${at}`, value])),
  ...Object.fromEntries(after.map((value, at) => [`a${at}`, value])),
  ...Object.fromEntries(Object.values(where).map((values, at) => [`w${at}`, JSON.stringify(values)])),
  ...(from === undefined ? {} : { from }),
  ...(through === undefined ? {} : { through }),
})

/** The rows of an index that ranges like that hold; those of which a column is null are not among them. */
function heldBy(
  columns: readonly string[],
  { after, descending = false, from, prefix, through, where = {} }: Range,
  p: (name: string) => RawBuilder<SqlValue>,
): RawBuilder<boolean> {
  const terms = columns.map((column, at) => {
    return at < prefix.length ? sql`${sql.ref(column)} = ${p(`p${at}`)}` : sql`${sql.ref(column)} is not null`
  })
  const next = sql.ref(columns[prefix.length] ?? 'id')
  if (from !== undefined) terms.push(sql`${next} >= ${p('from')}`)
  if (through !== undefined) terms.push(sql`${next} <= ${p('through')}`)
  if (after !== undefined) {
    const place = [...columns.slice(prefix.length), 'id'].map(column => sql.ref(column))
    const given = place.map((_, at) => p(`a${at}`))
    terms.push(sql`(${sql.join(place)}) ${sql.raw(descending ? '<' : '>')} (${sql.join(given)})`)
  }
  for (const [at, column] of Object.keys(where).entries())
    terms.push(sql`${sql.ref(column)} in (select value from json_each(${p(`w${at}`)}))`)
  return terms.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(terms, sql` and `)}`
}

/** The statements about a kind, prepared. */
export function documentStatements(define: Define, kind: Kind<unknown>) {
  const { columns, isPermanent, name } = kind
  const table = sql.table(name)
  const given = ['id', 'version', ...Object.keys(columns), 'body']
  const set = given.map(column => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`)
  const lists = new Map<string, ReturnType<typeof makeList>>()
  function makeList(index: string, range: Range) {
    const of = columnsOfIndex(kind, index)
    // Without being told, SQLite takes another index where it expects fewer rows in a range of that.
    const indexed = index === 'id' ? table : sql`${table} indexed by ${sql.ref(`${name}_by_${index}`)}`
    const direction = sql.raw(range.descending ? 'desc' : 'asc')
    const order = sql.join([...of, 'id'].map(column => sql`${sql.ref(column)} ${direction}`))
    return {
      rows: define<Parameters>()((db, p) =>
        sql<Row>`select body, version from ${indexed} where ${heldBy(of, range, p)}
          order by ${order} limit ${p('limit')} offset ${p('skip')}`.compile(db),
      ),
      exceeds: define<Parameters>()((db, p) =>
        sql<{ readonly id: string }>`select id from ${indexed} where ${heldBy(of, range, p)}
          limit 1 offset ${p('atMost')}`.compile(db),
      ),
      clear: define<Parameters>()((db, p) =>
        sql`delete from ${indexed} where ${heldBy(of, range, p)}`.compile(db),
      ),
    }
  }
  const remove = define<{ id: string }>()((db, p) =>
    sql`delete from ${table} where id = ${p('id')}`.compile(db),
  )
  const permit = define()(db => sql`insert into removal (permitted) values (1)`.compile(db))
  const forbid = define()(db => sql`delete from removal`.compile(db))
  return {
    get: define<{ id: string }>()((db, p) =>
      sql<Row>`select body, version from ${table} where id = ${p('id')}`.compile(db),
    ),
    put: define<Parameters>()((db, p) =>
      sql`insert into ${table} (${sql.join(given.map(column => sql.ref(column)))})
        values (${sql.join(given.map(column => p(column)))})
        ${isPermanent ? sql`` : sql`on conflict (id) do update set ${sql.join(set)}`}`.compile(db),
    ),
    remove: {
      run(parameters: { readonly id: string }): void {
        if (isPermanent) permit.run({})
        remove.run(parameters)
        if (isPermanent) forbid.run({})
      },
    },
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
