import type { Log } from '@colloquy/core'
import { ALL_KINDS } from '@colloquy/core/store'
import { indexesOf, type TableIndex } from '../documents/tables.ts'
import { quotedName, quotedText, rowsOf } from './plain-sql.ts'
import { LONGEST_ANSWER, type PostgresClient, type PostgresPool } from './pool.ts'

/** Delay before a retry, milliseconds. */
const BETWEEN_TRIES = 2_000

/** Removes the store's own time limits: making an index takes as long as the table is large. */
const UNBOUND = 'set statement_timeout = 0; set lock_timeout = 0'

/** An index that is not there, or was left unfinished by who made it. */
interface MissingIndex extends TableIndex {
  readonly isLeft: boolean
}

/** Returns the indexes of kinds that cannot be used. */
export async function missingIndexes(
  client: PostgresClient,
  schema: string,
): Promise<readonly MissingIndex[]> {
  const rows = await rowsOf<{ readonly name: string; readonly valid: boolean; readonly made: boolean }>(
    client,
    `select relname as name, indisvalid as valid, exists (select from pg_locks where relation = indrelid and granted
       and mode = 'ShareUpdateExclusiveLock' and database = (select oid from pg_database where datname = current_database())) as made
     from pg_class join pg_index on indexrelid = pg_class.oid where relnamespace = ${quotedText(quotedName(schema))}::regnamespace`,
  )
  const known = new Map(rows.map(row => [row.name, row]))
  return ALL_KINDS.flatMap(indexesOf).flatMap(index => {
    const found = known.get(index.name)
    if (found?.valid) return []
    return [{ ...index, isLeft: found !== undefined && !found.made }]
  })
}

/**
 * Makes indexes that were added after their tables, while others read and write. Until an index exists, its lists are
 * read without it. If there are several nodes, one makes an index while the others wait for it. An index left
 * unfinished by one node is made again by another.
 *
 * @param prepare false: connections have no settings of their own
 * @returns a function that stops it; the server finishes the index in progress
 */
export function makeLaterIndexes(
  pool: PostgresPool,
  schema: string,
  { log, prepare }: { readonly log: Log; readonly prepare: boolean },
): () => void {
  let isOver = false
  let client: PostgresClient | null = null
  const letGo = (): void => {
    client?.release(true)
    client = null
  }

  async function makeAll(on: PostgresClient): Promise<void> {
    for (const { isLeft, name, of, table } of await missingIndexes(on, schema)) {
      const [index, place] = [`${quotedName(schema)}.${name}`, `${quotedName(schema)}.${table}`]
      const run = (text: string) => on.query({ text, query_timeout: LONGEST_ANSWER })
      if (isLeft) await run(`drop index concurrently if exists ${index}`)
      await run(`create index concurrently if not exists ${name} on ${place} ${of}`)
      log.info('An index of the store was made', { schema, index: name })
    }
  }

  async function run(): Promise<void> {
    for (let isWhole = false; !isWhole && !isOver; ) {
      try {
        client = await pool.connect()
        client.on('error', () => {})
        if (prepare) await client.query({ text: UNBOUND })
        if (!isOver) await makeAll(client)
        isWhole = true
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        if (!isOver)
          log.warn('An index of the store could not be made, and is tried again', { schema, reason })
      }
      letGo()
      if (!isWhole && !isOver) await new Promise(resolve => setTimeout(resolve, BETWEEN_TRIES).unref())
    }
  }
  void run()
  return () => {
    isOver = true
    letGo()
  }
}
