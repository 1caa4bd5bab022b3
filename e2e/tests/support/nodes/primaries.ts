import { ownPostgres, ownStandby } from '@colloquy/test-support/own-postgres'
import { swallowingProxy } from '@colloquy/test-support/swallowing-proxy'
import pg from 'pg'
import { vi } from 'vitest'
import { at, textAt } from '../../../../examples/quickstart/src/json.ts'

/** A primary, and a standby that can take its place. */
export interface Primaries {
  /** The address that follows the primary. */
  readonly url: string
  /** From now on each commit waits until the standby has it. */
  waitForStandby(): Promise<void>
  /** Resolves when the standby has all that the primary has now. */
  standbyHasAll(): Promise<void>
  /** From now on the standby gets nothing any more. */
  cutStandbyOff(): void
  /** The primary is lost, and the address names the standby, which takes no writes yet. */
  losePrimary(): Promise<void>
  /** The standby becomes the primary. */
  promote(): Promise<void>
}

const urlOf = (port: number): string => `postgres://postgres@127.0.0.1:${port}/postgres`

/** Carries statements out, and returns the rows of the last. */
async function query(port: number, ...statements: readonly string[]): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: urlOf(port) })
  await client.connect()
  try {
    let rows: readonly unknown[] = []
    for (const statement of statements) ({ rows } = await client.query(statement))
    return rows
  } finally {
    await client.end()
  }
}

/** Starts both. They end with the test. */
export async function startPrimaries(program: string): Promise<Primaries> {
  const first = await ownPostgres(program)
  await first.start()
  const replication = await swallowingProxy(first.port)
  const second = await ownStandby(program, replication.port)
  await second.start()
  const address = await swallowingProxy(first.port)
  return {
    url: urlOf(address.port),
    async waitForStandby() {
      await query(
        first.port,
        "alter system set synchronous_standby_names = 'standby'",
        'select pg_reload_conf()',
      )
      await vi.waitUntil(async () => {
        const rows = await query(first.port, "select from pg_stat_replication where sync_state = 'sync'")
        return rows.length === 1
      })
    },
    async standbyHasAll() {
      const [now] = await query(first.port, 'select pg_current_wal_lsn()::text as place')
      await vi.waitUntil(async () => {
        const [row] = await query(
          second.port,
          `select pg_last_wal_replay_lsn() >= '${textAt(now, 'place')}' as done`,
        )
        return at(row, 'done') === true
      })
    },
    cutStandbyOff: () => replication.swallow(),
    async losePrimary() {
      await first.kill()
      address.moveTo(second.port)
    },
    async promote() {
      await query(second.port, 'select pg_promote()')
    },
  }
}
