import { createPostgresStore } from '@colloquy/adapter-postgres'
import type { Log } from '@colloquy/core'
import type { Store } from '@colloquy/core/store'
import pg from 'pg'
import type { PostgresSettings } from './settings.ts'
import { StartError } from './start-error.ts'

/** The store's own errors, in the words of the variables. */
const WORDS: readonly (readonly [string, string])[] = [
  ['createPostgresStore could not open ', ''],
  ['set prepare to false', 'set COLLOQUY_DATABASE_PREPARE=off'],
]

/** Opens the store in PostgreSQL. @throws StartError with the server, the reason and what to do, without a password */
export async function openPostgres(settings: PostgresSettings, log: Log): Promise<Store> {
  try {
    return await createPostgresStore({ ...settings, log })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const reason = WORDS.reduce((text, [said, meant]) => text.replace(said, meant), message)
    throw new StartError(`COLLOQUY_DATABASE_URL cannot be opened: ${reason}`)
  }
}

/** Any number that no one else takes: where servers wait for each other. */
const TURN = 4_105_286_113_547_021

/**
 * Runs it while no other server does over the same database: of several that start at once, one makes the demo data and
 * the keys. In a transaction, so that it holds through a pooler too.
 */
export async function inTurn<Result>({ url }: PostgresSettings, run: () => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url, application_name: 'colloquy start' })
  // Without the connection the turn is over for others, and it goes on: each step looks first.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('begin')
    await client.query(`select pg_advisory_xact_lock(${TURN})`)
    return await run()
  } finally {
    await client.end()
  }
}
