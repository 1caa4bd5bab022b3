import { ownPostgres, ownStandby } from '@colloquy/test-support/own-postgres'
import { swallowingProxy } from '@colloquy/test-support/swallowing-proxy'
import pg from 'pg'
import { vi } from 'vitest'

/** A primary, and a standby that can take its place. */
export interface Primaries {
  /** The address that follows the primary. */
  readonly url: string
  /** From now on each commit waits until the standby has it. */
  waitForStandby(): Promise<void>
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
  const second = await ownStandby(program, first.port)
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
    async losePrimary() {
      await first.kill()
      address.moveTo(second.port)
    },
    async promote() {
      await query(second.port, 'select pg_promote()')
    },
  }
}
