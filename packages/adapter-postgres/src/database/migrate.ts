import type { PostgresClient } from './pool.ts'

/** One step of the schema. Versions count from 1 without gaps. */
export interface Migration {
  readonly version: number
  readonly name: string
  /** Statements over tables without a schema: they run with the store's schema as the only one that is searched. */
  readonly sql: string
}

/** A schema's name as SQL has it. */
/** A name as SQL takes it. */
export const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A text as SQL has it. */
export const quotedText = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** The table in which a schema records its migrations. */
const RECORD = `
create table schema_migration (
  version integer primary key,
  name text not null,
  applied_at timestamptz not null default now()
)`

/** Rows of a query without parameters. */
export async function rowsOf<Row>(client: PostgresClient, text: string): Promise<readonly Row[]> {
  return (await client.query({ text })).rows as readonly Row[]
}

/** The schema's version, 0 for one without tables; it must not be one after the newest. */
async function versionOf(client: PostgresClient, schema: string, newest: number): Promise<number> {
  // Not to_regclass: what it has not found once it does not see either when another node has made it meanwhile.
  const [found] = await rowsOf<{ there: boolean }>(
    client,
    `select exists (select from pg_class join pg_namespace on pg_namespace.oid = relnamespace
       where nspname = ${quotedText(schema)} and relname = 'schema_migration') as there`,
  )
  if (!found?.there) return 0
  const [row] = await rowsOf<{ version: number }>(
    client,
    `select coalesce(max(version), 0) as version from ${quotedName(schema)}.schema_migration`,
  )
  const version = row?.version ?? 0
  if (version <= newest) return version
  throw new Error(
    `the schema ${schema} has version ${version}, and this version of @colloquy/adapter-postgres knows none after ${newest}: use the version that wrote it, or a newer one.`,
  )
}

/** Makes the next version of the schema. Resolves to the version that is there now. */
async function step(
  client: PostgresClient,
  schema: string,
  migrations: readonly Migration[],
): Promise<number> {
  await client.query({ text: 'begin' })
  // Other nodes may need long for theirs, and large tables may be rewritten.
  await client.query({ text: 'set local lock_timeout = 0' })
  await client.query({ text: 'set local statement_timeout = 0' })
  await client.query({
    text: `select pg_advisory_xact_lock(hashtextextended(${quotedText(`colloquy ${schema}`)}, 0))`,
  })
  const version = await versionOf(client, schema, migrations.length)
  const next = migrations[version]
  if (next === undefined) {
    await client.query({ text: 'rollback' })
    return version
  }
  if (version === 0) {
    const [there] = await rowsOf(client, `select 1 from pg_namespace where nspname = ${quotedText(schema)}`)
    if (there === undefined) await client.query({ text: `create schema ${quotedName(schema)}` })
  }
  await client.query({ text: `set local search_path to ${quotedName(schema)}` })
  if (version === 0) await client.query({ text: RECORD })
  await client.query({ text: next.sql })
  await client.query({
    text: `insert into schema_migration (version, name) values (${next.version}, ${quotedText(next.name)})`,
  })
  await client.query({ text: 'commit' })
  return next.version
}

/**
 * Brings a schema to its newest version, one transaction for each migration. Of several nodes that start at once one
 * makes a step while the others wait for it.
 *
 * @returns the version that it had before
 * @throws Error when the schema is newer than the newest migration known here; it is left as it was.
 */
export async function migrate(
  client: PostgresClient,
  schema: string,
  migrations: readonly Migration[],
): Promise<number> {
  const before = await versionOf(client, schema, migrations.length)
  for (let version = before; version < migrations.length; ) version = await step(client, schema, migrations)
  return before
}
