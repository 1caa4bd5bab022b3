import { quotedName, quotedText, rowsOf } from './plain-sql.ts'
import type { PostgresClient } from './pool.ts'
import { SCHEMA, SCHEMA_VERSION } from './schema.ts'

/** Tables that are named in a refusal; further ones are left out. */
const MAX_NAMED = 5

/** The columns of the table in which stores recorded their migrations before there was one schema. */
const EARLIER_COLUMNS = 'version,name,applied_at'

/** What stands for a version. */
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

/** The version of the store that is in the tables; null where they are no store's. */
async function versionIn(
  client: PostgresClient,
  schema: string,
  tables: readonly FoundTable[],
): Promise<string | null> {
  const columnsOf = (table: string) => tables.find(({ name }) => name === table)?.columns
  if (columnsOf('schema_migration') === EARLIER_COLUMNS) return 'earlier'
  if (columnsOf('schema_version') !== 'version') return null
  const rows = await rowsOf<{ version: string }>(
    client,
    `select version::text from ${quotedName(schema)}.schema_version limit 2`,
  )
  const [row] = rows
  return row !== undefined && rows.length === 1 && VERSION.test(row.version) ? row.version : null
}

/**
 * Whether the schema holds a store, or nothing. It reads alone: what is refused stays as it is.
 *
 * @throws Error for a store of another version, and for tables of another application, which it names
 */
export async function holdsStore(client: PostgresClient, schema: string): Promise<boolean> {
  const tables = await tablesOf(client, schema)
  if (tables.length === 0) return false
  const version = await versionIn(client, schema, tables)
  if (version === SCHEMA_VERSION) return true
  if (version !== null)
    throw new Error(
      `the schema ${schema} was made by another version of Colloquy. Until 0.1.0 a store is read by the version that made it alone: use that version, or name a new schema.`,
    )
  const named = tables.slice(0, MAX_NAMED).map(({ name }) => name)
  const more = tables.length > MAX_NAMED ? ` and ${tables.length - MAX_NAMED} more` : ''
  throw new Error(
    `the schema ${schema} holds tables of another application, ${named.join(', ')}${more}. Name a new schema, or one that Colloquy has made.`,
  )
}

/**
 * Makes the tables of a store, in one transaction. Of several nodes that start at once one makes them while the others
 * wait for it.
 *
 * @returns false when another one has made them meanwhile
 * @throws Error in its transaction, which ends with the connection
 */
export async function makeStore(client: PostgresClient, schema: string): Promise<boolean> {
  await client.query({ text: 'begin' })
  // Many nodes may wait in a row, on a server that is slow.
  await client.query({ text: 'set local lock_timeout = 0' })
  await client.query({ text: 'set local statement_timeout = 0' })
  await client.query({
    text: `select pg_advisory_xact_lock(hashtextextended(${quotedText(`colloquy ${schema}`)}, 0))`,
  })
  if (await holdsStore(client, schema)) {
    await client.query({ text: 'rollback' })
    return false
  }
  const [there] = await rowsOf(client, `select from pg_namespace where nspname = ${quotedText(schema)}`)
  // Not with "if not exists": a role may have an empty schema, and no right to make one.
  if (there === undefined) await client.query({ text: `create schema ${quotedName(schema)}` })
  await client.query({ text: `set local search_path to ${quotedName(schema)}` })
  await client.query({ text: SCHEMA })
  await client.query({
    text: `insert into schema_version (version) values (${quotedText(SCHEMA_VERSION)})`,
  })
  await client.query({ text: 'commit' })
  return true
}
