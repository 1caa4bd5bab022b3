import { ALL_KINDS, type Filling, type KeptKinds, KINDS_NUMBER, laterKinds } from '@colloquy/core/store'
import { columnAdded, tablesOf as tablesOfKinds } from '../documents/tables.ts'
import { quotedName, quotedText, rowsOf } from './plain-sql.ts'
import { LONGEST_ANSWER, type PostgresClient } from './pool.ts'
import { SCHEMA, SCHEMA_VERSION } from './schema.ts'

/** Tables that are named in a refusal; further ones are left out. */
const MAX_NAMED = 5

/** The columns of the table in which stores recorded their migrations before there was one schema. */
const EARLIER_COLUMNS = 'version,name,applied_at'

/** The columns of the table that identifies the store. */
const COLUMNS = 'version,number,kinds'

/** Pattern of a version. */
const VERSION = /^[0-9a-f]{12}$/

/** A table of a schema, and its columns in their order. */
interface FoundTable {
  readonly name: string
  readonly columns: string
}

/** Not by to_regclass: what it has not found once it does not see either when another node has made it meanwhile. */
const tablesOf = (client: PostgresClient, schema: string): Promise<readonly FoundTable[]> =>
  rowsOf(
    client,
    `select relname as name, (select coalesce(string_agg(attname, ',' order by attnum), '') from pg_attribute
       where attrelid = pg_class.oid and attnum > 0 and not attisdropped) as columns
     from pg_class join pg_namespace on pg_namespace.oid = relnamespace
     where nspname = ${quotedText(schema)} and relkind in ('r', 'p', 'v', 'm', 'f') order by relname collate "C"`,
  )

/** A store that is in a schema. */
interface FoundStore {
  readonly version: string
  readonly number: number
  readonly kinds: KeptKinds
}

/** Version of every store from before versions were introduced. */
const EARLIER: FoundStore = { version: 'earlier', number: 0, kinds: {} }

/** Returns the store that is in the tables; null if they are no store's. */
async function storeIn(
  client: PostgresClient,
  schema: string,
  tables: readonly FoundTable[],
): Promise<FoundStore | null> {
  const columnsOf = (table: string) => tables.find(({ name }) => name === table)?.columns
  if (columnsOf('schema_migration') === EARLIER_COLUMNS) return EARLIER
  const columns = columnsOf('schema_version')
  if (columns !== 'version' && columns !== COLUMNS) return null
  const rows = await rowsOf<{ version: string; number: number; kinds: string }>(
    client,
    `select *, version::text from ${quotedName(schema)}.schema_version limit 2`,
  )
  const [row] = rows
  if (row === undefined || rows.length > 1 || !VERSION.test(row.version)) return null
  return columns === COLUMNS ? { ...row, kinds: JSON.parse(row.kinds) } : EARLIER
}

/**
 * Returns the store that the schema holds; null: nothing. It reads alone: what is refused stays as it is.
 *
 * @throws Error for a store of a later version, or whose tables are made otherwise, and for tables of another
 *   application, which it names
 */
export async function heldStore(client: PostgresClient, schema: string): Promise<FoundStore | null> {
  const tables = await tablesOf(client, schema)
  if (tables.length === 0) return null
  const store = await storeIn(client, schema, tables)
  if (store?.version === SCHEMA_VERSION) {
    if (store.number <= KINDS_NUMBER) return store
    throw new Error(
      `the schema ${schema} is one of a later version of Colloquy. Use that version, or a later one.`,
    )
  }
  if (store !== null)
    throw new Error(
      `the schema ${schema} was made by another version of Colloquy. Until 0.1.0 a store is read by the version that made it alone: use that version, or name a new schema.`,
    )
  const named = tables.slice(0, MAX_NAMED).map(({ name }) => name)
  const more = tables.length > MAX_NAMED ? ` and ${tables.length - MAX_NAMED} more` : ''
  throw new Error(
    `the schema ${schema} holds tables of another application, ${named.join(', ')}${more}. Name a new schema, or one that Colloquy has made.`,
  )
}

/** Time limit for locking tables that get columns, while others wait for them too. */
const PATIENCE = '2s'

/**
 * Returns the statements that bring a store to the kinds of this process. Later indexes are made afterwards, while
 * others write.
 */
async function statementsFor(client: PostgresClient, found: FoundStore | null): Promise<readonly string[]> {
  const bodies =
    found === null ? [] : await rowsOf<{ readonly body: string }>(client, 'select body from filling')
  const fillings = bodies.map(({ body }): Filling => JSON.parse(body))
  const later = laterKinds(found?.kinds ?? null, fillings, ALL_KINDS)
  return [
    ...(found === null ? [SCHEMA] : []),
    tablesOfKinds(later.tables),
    ...later.columns.map(({ column, kind }) => columnAdded(kind, column)),
    ...later.fillings.map(
      filling => `insert into filling (id, version, body) values (${[filling.kind, String(filling.version), JSON.stringify(filling)].map(quotedText).join(', ')})
        on conflict (id) do update set version = excluded.version, body = excluded.body;`,
    ),
    `delete from schema_version; insert into schema_version (version, number, kinds)
      values (${quotedText(SCHEMA_VERSION)}, ${KINDS_NUMBER}, ${quotedText(JSON.stringify(later.kept))});`,
  ]
}

/**
 * Makes the tables of a store, or migrates them to the kinds of this process, in one transaction. If several nodes
 * start at once, one does so while the others wait.
 *
 * @returns false when another one has done it in the meantime
 * @throws Error in its transaction, which ends with the connection
 */
export async function makeStore(client: PostgresClient, schema: string): Promise<boolean> {
  // Many nodes may wait in a row, on a server that is slow: neither the server nor the driver gives them up.
  const query_timeout = LONGEST_ANSWER
  await client.query({ text: 'begin' })
  await client.query({ text: 'set local lock_timeout = 0' })
  await client.query({ text: 'set local statement_timeout = 0' })
  await client.query({
    query_timeout,
    text: `select pg_advisory_xact_lock(hashtextextended(${quotedText(`colloquy ${schema}`)}, 0))`,
  })
  const found = await heldStore(client, schema)
  if (found?.number === KINDS_NUMBER) {
    await client.query({ text: 'rollback' })
    return false
  }
  const [there] = await rowsOf(client, `select from pg_namespace where nspname = ${quotedText(schema)}`)
  // Not with "if not exists": a role may have an empty schema, and no right to make one.
  if (there === undefined) await client.query({ text: `create schema ${quotedName(schema)}` })
  await client.query({ text: `set local search_path to ${quotedName(schema)}` })
  await client.query({ text: `set local lock_timeout = '${PATIENCE}'` })
  await client.query({ query_timeout, text: (await statementsFor(client, found)).join('\n') })
  await client.query({ text: 'commit' })
  return true
}
