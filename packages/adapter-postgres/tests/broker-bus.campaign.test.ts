import { silentLog } from '@colloquy/core'
import { testBus } from '@colloquy/core/testing/contracts'
import { testBrokerBus } from '@colloquy/test-support/broker-bus'
import { ownPostgres } from '@colloquy/test-support/own-postgres'
import { requireProgram } from '@colloquy/test-support/servers'
import pg from 'pg'
import { describe, onTestFinished } from 'vitest'
import { writePayloads } from '../src/bus/payloads.ts'
import { createPostgresBus } from '../src/index.ts'
import { nameOf, SECRET } from './bus-ends.ts'

const program = requireProgram('postgres', 'postgresql')

const urlOf = (port: number): string => `postgres://postgres@127.0.0.1:${port}/postgres`

/** Asks on a connection of its own. */
async function asking<Row extends pg.QueryResultRow>(
  port: number,
  text: string,
  values: readonly string[] = [],
): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: urlOf(port) })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Row>(text, [...values])).rows
  } finally {
    await client.end()
  }
}

testBrokerBus('bus over PostgreSQL', {
  server: () => ownPostgres(program),
  connect(port, settings) {
    const bus = createPostgresBus({ url: urlOf(port), ...settings })
    bus.nameChannels?.(SECRET)
    return bus
  },
  async clients({ port }) {
    const rows = await asking(
      port,
      "select 1 from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
    )
    return rows.length
  },
  async say({ port }, topic, text) {
    const isKept = typeof text === 'string' && !text.includes('\u0000')
    const payload = isKept ? writePayloads([[topic, text]], 0)[0] : 'no text of this server'
    await asking(port, 'select pg_notify($1, $2)', [nameOf('colloquy'), payload ?? ''])
  },
})

describe('over a server that is killed', () => {
  let server: Awaited<ReturnType<typeof ownPostgres>> | null = null
  testBus('bus over PostgreSQL', {
    async connect() {
      if (server === null) {
        server = await ownPostgres(program)
        await server.start()
        onTestFinished(() => {
          server = null
        })
      }
      const bus = createPostgresBus({ url: urlOf(server.port), log: silentLog })
      return { bus, close: () => bus.close() }
    },
    async interrupt() {
      await server?.kill()
      await server?.start()
    },
  })
})
