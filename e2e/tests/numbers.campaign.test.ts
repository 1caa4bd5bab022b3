import { createPostgresStore } from '@colloquy/adapter-postgres'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { isPlatformError } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import type { Store } from '@colloquy/core/store'
import { createDispatcher, type HttpRequest, routes } from '@colloquy/core/transport'
import { libraryCalls } from '@colloquy/test-support/library-calls'
import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { postgresDatabase } from '@colloquy/test-support/postgres-database'
import { useServer } from '@colloquy/test-support/servers'
import { describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { encodeCursor } from '../../packages/core/src/domain/conversation/cursor.ts'

/** `GET /path?query`, as a binding describes it. */
function getOf(target: string, headers: Readonly<Record<string, string>> = {}): HttpRequest {
  const [path = '', query = ''] = target.split('?')
  const body = async () => new Uint8Array()
  return { method: 'GET', path, query, headers, body, remoteAddress: '203.0.113.9', secure: true }
}

// Slow: every paged call of library and HTTP is asked for every number, over three stores.

const postgres = await useServer('postgres')
const STORES: Readonly<Record<string, () => Promise<Store>>> = {
  memory: async () => createMemoryStore(),
  SQLite: async () => createSqliteStore({ filename: ':memory:' }),
  PostgreSQL: async () => createPostgresStore({ url: await postgresDatabase(postgres) }),
}

/** Beyond what a store's integers hold, and what is no number of anything. */
const NUMBERS = [
  2 ** 31,
  2 ** 32,
  Number.MAX_SAFE_INTEGER,
  2 ** 63,
  1e300,
  -1,
  -(2 ** 31) - 1,
  1.5,
  Number.NaN,
]

/** Cursors as the platform writes them, of places that no list has. */
const CURSORS = NUMBERS.filter(Number.isSafeInteger).flatMap(startedAt =>
  ['x', '1', String(startedAt)].map(id => encodeCursor({ startedAt, id })),
)

/** Names of what a caller counts, and pages or times by. */
const COUNTED =
  /limit|offset|cursor|page|position|turns|sequence|time|startedAt|olderThan|last|revision|after|before|since|until/i

/** One conversation with a turn, so that pages and transcripts are not empty before they are asked for. */
async function world(store: Store) {
  const made = await createPopulatedPlatform({ store })
  onTestFinished(() => made.platform.close())
  const { access, agents, conversations } = made.platform
  const id = { agentId: 'PROJECT-A', conversationId: 'c-1' }
  await conversations.start({
    ...id,
    accountId: 'ws-one',
    environment: 'live',
    channel: 'CHAT',
    startedAt: 5,
  })
  await conversations.recordTurn({ ...id, turnId: 't', userInput: 'Hello', userInputAt: 6 })
  const [branch] = await agents.branches('PROJECT-A')
  const { connector } = await access.createConnector({
    ...{ accountId: 'ws-one', agentId: 'PROJECT-A', environment: 'live', hosts: ['localhost'] },
  })
  const known: Readonly<Record<string, unknown>> = {
    ...{ accountId: 'ws-one', agentId: 'PROJECT-A', branchId: branch?.id, connectorId: connector.id },
    ...{ environment: 'live', id: 'c-1', conversationId: 'c-1', offset: 0, limit: 5, status: 'waiting' },
    ...{ startTime: 0, endTime: 60_000, agent: await agents.find('PROJECT-A') },
  }
  return { ...made, known }
}

/** The input of each call with that number in each place where something is counted. */
function* counting(known: Readonly<Record<string, unknown>>, number: number | string) {
  for (const [name, named] of libraryCalls()) {
    const good = named.map(one => {
      if (typeof one === 'string') return known[one] ?? 'x'
      const fields = Object.keys(one).filter(field => field in known)
      return Object.fromEntries(fields.map(field => [field, known[field]]))
    })
    for (const [at, one] of named.entries()) {
      const given = (value: unknown) => good.map((other, place) => (place === at ? value : other))
      if (typeof one === 'string') {
        if (COUNTED.test(one)) yield { place: `${name} ${one}`, name, input: given(number) }
        continue
      }
      for (const field of Object.keys(one).filter(field => COUNTED.test(field)))
        yield { place: `${name} ${field}`, name, input: given({ ...Object(good[at]), [field]: number }) }
    }
  }
}

const parameterSchema = z.looseObject({ name: z.string(), in: z.string(), required: z.boolean().optional() })
const documentSchema = z.looseObject({
  paths: z.record(
    z.string(),
    z.looseObject({ get: z.looseObject({ parameters: z.array(parameterSchema).optional() }).optional() }),
  ),
})

const REQUIRED: Readonly<Record<string, string>> = {
  ...{ client_env: 'live', clientEnv: 'live', environment: 'live' },
  ...{ start_time: '1970-01-01T00:00:00Z', end_time: '1970-01-02T00:00:00Z' },
}

const pathOf = (path: string): string =>
  path
    .replace(/\{(?:account|accountId|account_id)\}/, 'ws-one')
    .replace(/\{(?:agentId|agent_id|project_id|projectId)\}/, 'PROJECT-A')
    .replace(/\{conversation\w*\}/i, 'c-1')
    .replace(/\{\w+\}/g, 'some')

describe.each(Object.entries(STORES))('numbers of callers over %s', (_, open) => {
  test('EM8 whatever number a call of the library is given, it answers or refuses', async () => {
    const { platform, known } = await world(await open())
    const wrong: string[] = []
    let answered = 0
    for (const number of [...NUMBERS, ...CURSORS])
      for (const { place, name, input } of counting(known, number)) {
        const call = name
          .split('.')
          .reduce<unknown>((object, part) => Reflect.get(Object(object), part), platform)
        if (typeof call !== 'function') throw new Error(`${name} is no call`)
        try {
          await Reflect.apply(call, null, input)
          answered++
        } catch (error) {
          const refused = isPlatformError(error) && error.status < 500
          if (!refused) wrong.push(`${place} ${number}: ${String(error).slice(0, 150)}`)
        }
      }
    expect(wrong).toEqual([])
    expect(answered).toBeGreaterThan(50)
  })

  test('HT14 whatever number a parameter of a query is, the answer is a page or a refusal', async () => {
    const { platform, keys, errors } = await world(await open())
    const { handle } = createDispatcher(platform, routes)
    const document = documentSchema.parse(JSON.parse((await handle(getOf('/openapi.json'))).body ?? ''))
    const wrong: string[] = []
    let answered = 0
    for (const [path, { get }] of Object.entries(document.paths)) {
      const query = get?.parameters?.filter(one => one.in === 'query') ?? []
      for (const { name } of query.filter(one => COUNTED.test(one.name)))
        for (const number of [1, ...NUMBERS, ...CURSORS, '9223372036854775808', '99999999999999999999'])
          for (const key of [keys.workspace, keys.project, keys.operator, keys.desk]) {
            const filled = new URLSearchParams({ ...REQUIRED, [name]: String(number) })
            for (const unused of Object.keys(REQUIRED))
              if (!query.some(one => one.name === unused)) filled.delete(unused)
            const headers = { 'x-api-key': key, authorization: `Bearer ${key}` }
            const { status } = await handle(getOf(`${pathOf(path)}?${filled}`, headers))
            if (status === 200) answered++
            if (status >= 500) wrong.push(`${status} ${path} ${name}=${number}`)
          }
    }
    expect(wrong).toEqual([])
    expect(errors).toEqual([])
    expect(answered).toBeGreaterThan(50)
  })
})
