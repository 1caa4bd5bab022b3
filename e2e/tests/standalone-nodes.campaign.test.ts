import { createApi } from '@colloquy/test-support/api'
import { ask, greetedVisitor } from '@colloquy/test-support/demo'
import type { WireEvent } from '@colloquy/test-support/journal'
import { ownPostgres } from '@colloquy/test-support/own-postgres'
import { postgresDatabase } from '@colloquy/test-support/postgres-database'
import { linesOf, within } from '@colloquy/test-support/program'
import { ownRedis } from '@colloquy/test-support/redis'
import { requireProgram, useServer } from '@colloquy/test-support/servers'
import { CREDENTIALS, startStandalone } from '@colloquy/test-support/standalone'
import { openWire } from '@colloquy/test-support/wire-client'
import { expect, onTestFinished, test, vi } from 'vitest'

const [postgres, redis, nats] = await Promise.all([
  useServer('postgres'),
  useServer('redis'),
  useServer('nats'),
])
const program = requireProgram('postgres', 'postgresql')
const redisServer = requireProgram('redis-server', 'redis-server')

const addressAt = (
  { url }: { readonly url: string },
  { sessionId, accessToken }: { readonly sessionId: string; readonly accessToken: string },
): string => `${url.replace('http', 'ws')}/ws?session_id=${sessionId}&access_token=${accessToken}`

const saying =
  (answer: string) =>
  ({ type, payload }: WireEvent): boolean =>
    type === 'EVENT_TYPE_AI_AGENT_MESSAGE' && payload.text === answer

test.each([
  ['postgres', 'postgres'],
  ['Redis', redis],
  ['NATS', nats],
])('SS29 two servers over one database hear of each other at once, over %s', async (_name, bus) => {
  const settings = {
    COLLOQUY_DATABASE_URL: await postgresDatabase(postgres),
    COLLOQUY_BUS_URL: bus,
    ...CREDENTIALS,
  }
  const [one, other] = await Promise.all([startStandalone(settings), startStandalone(settings)])
  const { visitor, sessionId, accessToken } = await greetedVisitor(one)
  // It sends no heartbeat, at which its server would look.
  const elsewhere = await openWire(addressAt(other, { sessionId, accessToken }))
  const answer = await ask(visitor, 'When can I check in?')
  await within(elsewhere.next(saying(answer)), 'the answer')
  for (const server of [one, other]) server.kill('SIGTERM')
  expect(await within(Promise.all([one.exit, other.exit]), 'exit')).toEqual([0, 0])
  for (const server of [one, other]) expect(server.output.stderr).not.toMatch(/"level":[56]0/)
})

test('SS29 a bus that is away at the start stops no server: the log says so, what is said elsewhere is found by looking, and heard at once when it is there', async () => {
  const broker = await ownRedis(redisServer)
  const settings = {
    COLLOQUY_DATABASE_URL: await postgresDatabase(postgres),
    COLLOQUY_BUS_URL: `redis://127.0.0.1:${broker.port}`,
    ...CREDENTIALS,
  }
  const [one, other] = await Promise.all([startStandalone(settings), startStandalone(settings)])
  for (const server of [one, other]) await server.line(/The bus has no connection to Redis/)
  const { visitor, sessionId, accessToken } = await greetedVisitor(one)
  const elsewhere = await openWire(addressAt(other, { sessionId, accessToken }))
  const found = elsewhere.next(saying(await ask(visitor, 'When can I check in?')))
  const heartbeats = setInterval(() => elsewhere.send('HEARTBEAT'), 1_000)
  onTestFinished(() => clearInterval(heartbeats))
  await within(found, 'the answer that is looked for')
  clearInterval(heartbeats)
  await broker.start()
  for (const server of [one, other]) await server.line(/The bus is connected to Redis at .* again/)
  await within(
    elsewhere.next(saying(await ask(visitor, 'Where can I park my car?'))),
    'the answer that is told',
  )
})

test.each([
  ['Redis, ten in all', redis, 10],
  ['postgres, ten in each server', 'postgres', 20],
])('SS29 a session has its connections over %s', async (_name, bus, most) => {
  const settings = {
    COLLOQUY_DATABASE_URL: await postgresDatabase(postgres),
    COLLOQUY_BUS_URL: bus,
    ...CREDENTIALS,
  }
  const servers = await Promise.all([startStandalone(settings), startStandalone(settings)])
  const { visitor, sessionId, accessToken } = await greetedVisitor(servers[0])
  visitor.stop()
  const statuses: string[] = []
  const open = (server: { readonly url: string }): Promise<unknown> =>
    openWire(addressAt(server, { sessionId, accessToken })).then(
      () => statuses.push('open'),
      error => statuses.push(String(error)),
    )
  for (let number = 0; number < 11; number++) for (const server of servers) await open(server)
  expect(statuses.filter(status => status === 'open')).toHaveLength(most)
  expect(statuses.filter(status => status === 'Error: refused with 429')).toHaveLength(22 - most)
})

test('SS2 of five servers that start at once over an empty database one makes the demo data and the keys', async () => {
  const settings = { COLLOQUY_DATABASE_URL: await postgresDatabase(postgres), COLLOQUY_BUS_URL: 'postgres' }
  const servers = await Promise.all(Array.from({ length: 5 }, () => startStandalone(settings)))
  const shown = servers.flatMap(({ output }) =>
    linesOf(output.stderr).filter(line => /^COLLOQUY_\w+=cq_/.test(line)),
  )
  expect(shown.map(line => line.split('=')[0]).sort()).toEqual(Object.keys(CREDENTIALS).sort())
})

test('SS2 and SS29 a database that stops ends no server: requests are answered 503, and all goes on when it is back', async () => {
  const database = await ownPostgres(program)
  await database.start()
  const server = await startStandalone({
    COLLOQUY_DATABASE_URL: `postgres://postgres@127.0.0.1:${database.port}/postgres`,
    COLLOQUY_BUS_URL: 'postgres',
    ...CREDENTIALS,
  })
  const { visitor } = await greetedVisitor(server)
  await database.kill()
  const headers = { 'X-Api-Key': CREDENTIALS.COLLOQUY_WORKSPACE_KEY }
  const asked = await fetch(new URL('/v1/agents/PROJECT-DEMO', server.url), { headers })
  expect(asked.status).toBe(503)
  await database.start()
  await vi.waitFor(() => createApi(server.url)('/v1/agents/PROJECT-DEMO', { headers, status: 200 }))
  expect(await ask(visitor, 'When can I check in?')).toContain('3 pm')
  await server.line(/The bus is connected to PostgreSQL at .* again/)
  server.kill('SIGTERM')
  expect(await within(server.exit, 'exit')).toBe(0)
})
