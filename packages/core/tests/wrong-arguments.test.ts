import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { type ArgumentRead, type Fields, libraryCalls } from '@colloquy/test-support/library-calls'
import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { isPlatformError } from '../src/errors.ts'

/** What a caller without types hands over in the place of anything. */
const WRONG: readonly unknown[] = [
  ...[undefined, null, 42, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, true, 10n, Symbol('s')],
  ...['', ' ', 'no-such', '__proto__', 'a\0b', '\ud83d', 'x'.repeat(10_000)],
  ...[
    {},
    [],
    [null],
    [{}],
    ['no-such'],
    { id: 42 },
    { id: 'no-such' },
    Object.create(null),
    new Date(Number.NaN),
  ],
  ...[() => null, new Map(), /x/],
]

/** Values that the populated platform takes, by the names of arguments and fields; `x` for all others. */
function goodOf(name: string, ids: Readonly<Record<string, unknown>>): unknown {
  return name in ids ? ids[name] : 'x'
}

function goodFields(fields: Fields, ids: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, inner]) => {
      return inner === true && name in ids ? [[name, ids[name]]] : []
    }),
  )
}

const goodArguments = (
  known: readonly ArgumentRead[],
  ids: Readonly<Record<string, unknown>>,
): readonly unknown[] => known.map(one => (typeof one === 'string' ? goodOf(one, ids) : goodFields(one, ids)))

/** The arguments with each wrong value at each place: an argument, a field, a field within a field. */
function* wrongCalls(
  known: readonly ArgumentRead[],
  ids: Readonly<Record<string, unknown>>,
): Generator<{ readonly at: string; readonly input: readonly unknown[] }> {
  const good = goodArguments(known, ids)
  for (const value of WRONG) {
    yield { at: 'all', input: known.map(() => value) }
    for (const [index, one] of known.entries()) {
      const given = (wrong: unknown) => good.map((other, place) => (place === index ? wrong : other))
      yield { at: `${index}`, input: given(value) }
      if (typeof one === 'string') continue
      const fields = goodFields(one, ids)
      for (const [name, inner] of Object.entries(one)) {
        yield { at: `${index}.${name}`, input: given({ ...fields, [name]: value }) }
        if (inner === true) continue
        const list = Array.isArray(inner)
        for (const field of Object.keys(list ? inner[0] : inner)) {
          const object = { [field]: value }
          yield {
            at: `${index}.${name}.${field}`,
            input: given({ ...fields, [name]: list ? [object] : object }),
          }
        }
      }
    }
  }
}

/** Whose records are asked for. */
const SCOPE = { accountId: 'ws-one', agentId: 'PROJECT-A', environment: 'live' }

const at = (target: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((object, name) => Reflect.get(Object(object), name), target)

/** How a call ends: null for an answer, else what it throws. */
async function endOf(make: () => unknown): Promise<unknown> {
  try {
    const made = make()
    if (typeof made === 'object' && made !== null && Symbol.asyncIterator in made) {
      const pieces = (made as AsyncIterable<unknown>)[Symbol.asyncIterator]()
      await pieces.next()
      await pieces.return?.()
    } else await made
    return null
  } catch (error) {
    return error
  }
}

async function world(store: Parameters<typeof createPopulatedPlatform>[0]) {
  const { platform, clock } = await createPopulatedPlatform(store)
  const { connector } = await platform.access.createConnector({
    ...{ accountId: 'ws-one', agentId: 'PROJECT-A', environment: 'live', hosts: ['localhost'] },
  })
  const [branch] = await platform.agents.branches('PROJECT-A')
  const agent = await platform.agents.find('PROJECT-A')
  const ids = {
    ...{ accountId: 'ws-one', agentId: 'PROJECT-A', branchId: branch?.id, environment: 'live' },
    ...{ agent, connector, ended: () => null, listener: () => null, offset: 0, limit: 5 },
    ...{ status: 'waiting', state: 'started', reason: null, region: null, revision: 0, id: connector.id },
  }
  return { platform, clock, ids }
}

/** What is refused changes nothing: tests share it. */
let shared: Awaited<ReturnType<typeof world>>
beforeAll(async () => {
  shared = await world({ store: createSqliteStore({ filename: ':memory:' }) })
})
afterAll(() => shared.platform.close())

test('EM8 whatever a call is given, it answers or throws a PlatformError', async () => {
  const { platform, ids } = await world({ store: createSqliteStore({ filename: ':memory:' }) })
  onTestFinished(() => platform.close())
  const raw: string[] = []
  let count = 0
  for (const [name, known] of libraryCalls()) {
    const call = at(platform, name)
    if (typeof call !== 'function') throw new Error(`${name} is no call`)
    for (const { at: place, input } of wrongCalls(known, ids)) {
      count++
      const error = await endOf(() => Reflect.apply(call, null, input))
      if (error !== null && !isPlatformError(error))
        raw.push(`${name} ${place}: ${String(error).slice(0, 150)}`)
    }
  }
  expect(count).toBeGreaterThan(10_000)
  expect(raw).toEqual([])
})

test.each([
  ['reading.records', [{ ...SCOPE, environment: 'production' }, { offset: 0 }, 5]],
  ['reading.newest', [{ ...SCOPE, environment: 'LIVE' }, 0, 5]],
  ['reading.concurrency', [{ ...SCOPE, environment: '', startTime: 0, endTime: 1 }]],
  ['reading.concurrency', [{ ...SCOPE, startTime: 0, endTime: 1, sliceBy: 'language' }]],
  [
    'reading.audio',
    [{ accountId: 'a', agentId: 'b', conversationId: 'c', direction: 'both', redacted: true }],
  ],
  ['desk.handoffs', ['ws-one', 'open']],
  ['desk.typing', ['ws-one', 'x.1', 'typing']],
  ['liveAgents.typing', ['x.1', 'typing']],
  ['access.createApiKey', [{ kind: 'externalEvents', accountId: 'ws-one' }]],
  ['access.authenticate', ['a secret', ['externalEvents'], null]],
  ['access.createConnector', [{ ...SCOPE, environment: 'production', hosts: ['localhost'] }]],
  ['conversations.start', [{ ...SCOPE, environment: 'production', channel: 'CHAT' }]],
  ['conversations.purge', [{ olderThan: 0, environment: 'production' }]],
  ['webhooks.endpoints', ['ws-one', { eventType: 'conversation.ended' }]],
  ['webhooks.deliveries', ['ws-one', 'whe_x', { status: 'failed' }]],
  ['alerts.rules', ['ws-one', { state: 'firing' }]],
  ['alerts.rules', ['ws-one', { metric: 'errors' }]],
  ['voices.list', ['ws-one', { gender: 'loud' }]],
  ['voices.cachedAudio', ['PROJECT-A', { order: 'size' }]],
  ['audit.list', [{ action: 'agent.renamed' }]],
  ['agents.publish', ['PROJECT-A', { environment: 'production' }]],
  ['agents.deployments', ['PROJECT-A', 'production']],
  ['agents.realTimeConfig', ['PROJECT-A', 'production']],
  ['agents.updateRealTimeConfigVariables', ['PROJECT-A', 'production', {}]],
  ['agents.startReplay', ['PROJECT-A', { deploymentId: 'x', environment: 'production', last: 1 }]],
  ['calls.usualConnector', ['PROJECT-A', 'production']],
  [
    'calls.find',
    [{ agentId: 'PROJECT-A', id: 'OUT-00000000-0000-4000-8000-000000000000', environment: 'production' }],
  ],
  ['debugChat.read', [{ id: 'PROJECT-A', accountId: 'ws-one' }, 'x', { environment: 'production' }]],
  ['telephony.importNumbers', ['PROJECT-A', { phoneNumbers: ['+442079460001'], environment: 'production' }]],
])('EM8 %s refuses a word that it does not know', async (path, input) => {
  const { platform } = shared
  const call = at(platform, path)
  if (typeof call !== 'function') throw new Error(`${path} is no call`)
  const error = await endOf(() => Reflect.apply(call, null, input))
  expect(error).toMatchObject({ name: 'PlatformError', status: expect.toSatisfy(status => status < 500) })
  expect(String(error)).toMatch(/one of|must be|expected an action/)
})

test('EM8 a missing credential is no credential', async () => {
  const { platform } = shared
  for (const [name, input] of [
    ['authenticate', []],
    ['authenticate', [null, ['workspace'], null]],
    ['authenticate', [{}, ['workspace'], null]],
    ['connectorByToken', []],
  ] as const) {
    const call = at(platform, `access.${name}`)
    if (typeof call !== 'function') throw new Error(`${name} is no call`)
    expect(await Reflect.apply(call, null, input)).toBeNull()
  }
})

test('EM84 every call of a platform that is closed is refused as closed', async () => {
  const { platform, ids } = await world({ store: createSqliteStore({ filename: ':memory:' }) })
  await platform.close()
  for (const [name, known] of libraryCalls()) {
    const call = at(platform, name)
    // Transports call it while the platform goes away.
    if (name === 'messaging.endStreams') continue
    if (typeof call !== 'function') throw new Error(`${name} is no call`)
    const error = await endOf(() => Reflect.apply(call, null, goodArguments(known, ids)))
    expect(error, name).toMatchObject({
      code: 'PLATFORM_CLOSED',
      message: 'The platform is closed. Make another one with createPlatform.',
    })
  }
})

test('DC6 a debug chat where nothing is deployed says how to deploy', async () => {
  const { platform, ids } = shared
  const { agent } = ids
  if (agent === null) throw new Error('There is no agent.')
  await expect(platform.debugChat.start(agent, { environment: 'live' })).rejects.toMatchObject({
    code: 'CHAT_DRAFT_NOT_EXIST',
    message: 'Nothing is deployed to live. Publish or promote first.',
  })
})
