import pg from 'pg'

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Schemas of a test file, and a connection of its own to look behind the store's back. */
export interface PostgresSchemas {
  readonly url: string
  readonly pool: pg.Pool
  /** The name of a schema that nothing is in. It is made by whoever uses it. */
  fresh(): string
  /** Removes every row of the schema's tables but the one that says which schema they are of. */
  empty(schema: string): Promise<void>
  /** Removes all schemas, and closes the connection. */
  remove(): Promise<void>
}

/** Begins with no schema. To be removed when the test file is over. */
export function postgresSchemas(url: string): PostgresSchemas {
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  // A server that ends the connections of a test ends these too.
  pool.on('error', () => undefined)
  const prefix = `test_${process.pid}_${Date.now().toString(36)}_${Math.random().toString(36).slice(2, 6)}`
  const names: string[] = []
  return {
    url,
    pool,
    fresh() {
      const name = `${prefix}_${names.length}`
      names.push(name)
      return name
    },
    async empty(schema) {
      const { rows } = await pool.query<{ readonly name: string }>(
        "select relname as name from pg_class where relnamespace = $1::regnamespace and relkind = 'r' and relname <> 'schema_version'",
        [quoted(schema)],
      )
      const tables = rows.map(({ name }) => `delete from ${quoted(schema)}.${quoted(name)}`)
      // One transaction: what the audit log asks for is said in it.
      await pool.query(`begin; set local colloquy.removal = 'audit_entry'; ${tables.join('; ')}; commit`)
    },
    async remove() {
      for (const name of names) await pool.query(`drop schema if exists ${quoted(name)} cascade`)
      await pool.end()
    },
  }
}
