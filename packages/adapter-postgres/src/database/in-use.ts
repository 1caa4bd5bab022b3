import { after } from './after.ts'
import { quotedText, rowsOf } from './plain-sql.ts'
import type { PostgresClient } from './pool.ts'

/** Time to wait for other connections to close, and the interval between checks, milliseconds. */
const PATIENCE = 2_000
const BETWEEN_LOOKS = 100

const keyOf = (schema: string): string => `hashtextextended('colloquy in use ' || ${schema}, 0)`

/** Shows to others, as long as a connection lasts, that the schema of the parameter is in use. It keeps no one out. */
export const HOLD = `select pg_advisory_lock_shared(${keyOf('$1')})`

/**
 * Waits until no other connection shows that it uses the schema.
 *
 * @throws Error when some are left after a while
 */
export async function refuseOthers(client: PostgresClient, schema: string): Promise<void> {
  const until = performance.now() + PATIENCE
  for (;;) {
    const [found] = await rowsOf<{ others: string }>(
      client,
      `select count(distinct pid) as others from pg_locks
       where locktype = 'advisory' and objsubid = 1 and granted and pid <> pg_backend_pid()
         and database = (select oid from pg_database where datname = current_database())
         and (classid::bigint << 32 | objid::bigint) = ${keyOf(quotedText(schema))}`,
    )
    const others = Number(found?.others ?? 0)
    if (others === 0) return
    if (performance.now() >= until)
      throw new Error(
        `the store in the schema ${schema} is in use, by ${others} connection${others === 1 ? '' : 's'}. Stop what uses it.`,
      )
    await after(BETWEEN_LOOKS)
  }
}
