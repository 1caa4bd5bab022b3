import { ask, greetedVisitor, readRecord } from '@colloquy/test-support/demo'
import { postgresDatabase } from '@colloquy/test-support/postgres-database'
import { linesOf, runExample, within } from '@colloquy/test-support/program'
import { useServer } from '@colloquy/test-support/servers'
import { CREDENTIALS, startStandalone } from '@colloquy/test-support/standalone'
import pg from 'pg'
import { expect, test } from 'vitest'
import { at } from '../../examples/quickstart/src/json.ts'

const server = await useServer('postgres')

test('SS2 and SS29 over PostgreSQL with its own bus the demo agent answers, a signal drains, and a later start goes on', async () => {
  const url = await postgresDatabase(server)
  const settings = {
    COLLOQUY_DATABASE_URL: url,
    COLLOQUY_DATABASE_SCHEMA: 'chat',
    COLLOQUY_DATABASE_CONNECTIONS: '3',
    COLLOQUY_BUS_URL: 'postgres',
    ...CREDENTIALS,
  }
  const first = await startStandalone(settings)
  const { visitor, sessionId, greeting } = await greetedVisitor(first)
  expect(greeting).not.toBe('')
  expect(await ask(visitor, 'When can I check in?')).toContain('3 pm')
  first.kill('SIGTERM')
  expect(await within(first.exit, 'exit')).toBe(0)
  expect(first.output.stderr).toContain('The store is in PostgreSQL')
  expect(first.output.stderr).not.toMatch(/"level":[456]0/)

  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('select count(*)::int as conversations from chat.conversation')
  await client.end()
  expect(rows).toEqual([{ conversations: 1 }])

  const second = await startStandalone(settings)
  expect(at(await readRecord(second, sessionId), 'id')).toBe(sessionId)
})

/** Runs a server that does not start, and what it says. */
async function refusal(COLLOQUY_DATABASE_URL: string): Promise<readonly string[]> {
  const program = runExample('standalone', { PORT: '0', COLLOQUY_DATABASE_URL, COLLOQUY_LOG: 'error' })
  expect(await within(program.exit, 'exit')).toBe(1)
  expect(program.output.stdout).toBe('')
  return linesOf(program.output.stderr)
}

test('SS2 a database that will not do ends the start with one line, without the password', async () => {
  const url = await postgresDatabase(server)
  const changed = (change: (url: URL) => void): string => {
    const other = new URL(url)
    change(other)
    return other.href
  }
  expect(await refusal('postgres://me:topsecretword@127.0.0.1:1/x')).toEqual([
    'COLLOQUY_DATABASE_URL cannot be opened: 127.0.0.1:1/x: nothing listens there. Start the server, or correct host and port.',
  ])
  const nowhere = changed(other => {
    other.pathname = '/no-such-database'
  })
  expect(await refusal(nowhere)).toEqual([
    expect.stringMatching(
      /^COLLOQUY_DATABASE_URL cannot be opened: .*: database "no-such-database" does not exist\. Create the database, or correct its name\.$/,
    ),
  ])

  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('create schema colloquy; create table colloquy.other (id int)')
    expect(await refusal(url)).toEqual([
      expect.stringMatching(/holds tables of another application, other\. Name a new schema/),
    ])
  } finally {
    await client.end()
  }
})
