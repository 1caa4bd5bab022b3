import { quotedText, rowsOf } from './migrate.ts'
import type { PostgresClient } from './pool.ts'

/** Tables that are named in a refusal; further ones are left out. */
const MAX_NAMED = 5

/** The columns of the table in which a store records its migrations. */
const RECORD = ['version', 'name', 'applied_at']

/**
 * Refuses a schema in which another application keeps its tables (PG16). It reads alone: what is refused stays as it
 * is.
 *
 * @throws Error naming tables that it holds
 */
export async function refuseForeign(client: PostgresClient, schema: string): Promise<void> {
  const of = quotedText(schema)
  const tables = await rowsOf<{ name: string }>(
    client,
    `select relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
     where nspname = ${of} and relkind in ('r', 'p', 'v', 'm', 'f') order by relname collate "C"`,
  )
  if (tables.length === 0) return
  const columns = await rowsOf<{ name: string }>(
    client,
    `select attname as name from pg_attribute join pg_class on pg_class.oid = attrelid
       join pg_namespace on pg_namespace.oid = relnamespace
     where nspname = ${of} and relname = 'schema_migration' and attnum > 0 and not attisdropped order by attnum`,
  )
  if (columns.map(({ name }) => name).join() === RECORD.join()) return
  const named = tables.slice(0, MAX_NAMED).map(({ name }) => name)
  const more = tables.length > MAX_NAMED ? ` and ${tables.length - MAX_NAMED} more` : ''
  throw new Error(
    `the schema ${schema} holds tables of another application, ${named.join(', ')}${more}. Name a new schema, or one that Colloquy has made.`,
  )
}
