import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { createCipher } from '../../src/guarded/secrets.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform, type PlatformOptions } from '../../src/platform.ts'
import { contextOf } from '../../src/platform-context.ts'
import { silentLog } from '../../src/ports/log.ts'
import type { Store } from '../../src/ports/store/store.ts'
import { createFakeClock, createScriptedRuntime } from '../../src/testing/index.ts'

const FIRST = 'the first key of this host'
const SECOND = 'the second key of this host'
const SEALED = /^enc\.v1\.[0-9a-f]{12}\.[A-Za-z0-9+/=]{16}\.[A-Za-z0-9+/=]+$/

/** Processes over one store. */
function processes(store: Store) {
  const clock = createFakeClock()
  onTestFinished(() => store.close())
  return (secretsKey: PlatformOptions['secretsKey'] = null) =>
    createPlatform({
      ...{ store: { ...store, close: async () => undefined }, clock, log: silentLog, secretsKey },
      ...{ workers: false, runtime: createScriptedRuntime({}, clock) },
    })
}

/** An endpoint, a context key and a token key, whose secrets must be read again. */
async function fill(platform: ReturnType<ReturnType<typeof processes>>) {
  const { id: accountId } = await platform.access.createAccount({ slug: 'one', name: 'One' })
  const agent = await platform.agents.create({ accountId, name: 'Desk', greeting: 'Hello.' })
  const hosts = ['example.com']
  const { connector, token } = await platform.access.createConnector({
    ...{ accountId, agentId: agent.id, environment: 'live' as const, hosts },
  })
  const { contextKey } = await platform.access.rotateContextKeys(connector.id)
  const { endpoint, secret } = await platform.webhooks.createEndpoint(accountId, {
    ...{ name: 'x', url: 'https://hooks.example/', eventTypes: ['conversation.completed'] as const },
  })
  const tokenInput = { connectorToken: token, host: 'example.com', remoteAddress: '192.0.2.1' }
  const { accessToken } = await platform.messaging.issueAccessToken(tokenInput)
  return { accountId, connector, contextKey, endpoint, secret, accessToken }
}

/** Every secret as the store keeps it. */
async function keptIn(store: Store, { accountId }: { readonly accountId: string }) {
  const connectors = await store.access.connectors.list({}, 10)
  const endpoints = await store.webhooks.endpoints.list(accountId, {}, 10)
  return [
    ...(await store.access.tokenKeys.list()).map(({ secret }) => secret),
    ...connectors.flatMap(({ contextKeys }) => contextKeys.map(({ secret }) => secret)),
    ...endpoints.flatMap(({ secret, previousSecret }) => [secret, previousSecret?.secret ?? secret]),
  ]
}

const stores = [
  ['memory', createMemoryStore],
  ['sqlite', () => createSqliteStore({ filename: ':memory:' })],
] as const

test.each(stores)('CR91 with a key of the host, stored secrets are encrypted: %s', async (_, createStore) => {
  const store = createStore()
  const platform = processes(store)(FIRST)
  const made = await fill(platform)
  await platform.webhooks.rotateSecret(made.accountId, made.endpoint.id)
  const kept = await keptIn(store, made)
  expect(kept).toHaveLength(4)
  for (const secret of kept) expect(secret).toMatch(SEALED)
  const { store: read } = contextOf(platform)
  const opened = await keptIn(read, made)
  expect(opened).toContain(made.contextKey.secret)
  expect(opened).toContain(made.secret)
  await expect(
    platform.messaging.createSession({ authorization: `Bearer ${made.accessToken}`, streaming: false }),
  ).resolves.toMatchObject({ sessionId: expect.any(String) })
  await expect(platform.access.updateConnector(made.connector.id, { name: 'new' })).resolves.toMatchObject({
    name: 'new',
  })
  await platform.close()
})

test('CR91 of several keys the first encrypts and all decrypt; what was stored as it is stays readable', async () => {
  const store = createMemoryStore()
  const start = processes(store)
  const plain = start()
  const made = await fill(plain)
  expect(await keptIn(store, made)).toContain(made.secret)
  const first = start(FIRST)
  expect(await keptIn(contextOf(first).store, made)).toContain(made.secret)
  await first.access.rotateContextKeys(made.connector.id)
  const both = start([SECOND, FIRST])
  await both.webhooks.rotateSecret(made.accountId, made.endpoint.id)
  const opened = await keptIn(contextOf(both).store, made)
  expect(opened).toContain(made.contextKey.secret)
  expect(opened).toContain(made.secret)
  const ids = (await keptIn(store, made)).flatMap(secret => secret.match(/^enc\.v1\.(\w+)/)?.[1] ?? [])
  expect(new Set(ids).size).toBe(2)
  for (const platform of [plain, first, both]) await platform.close()
})

test.each(stores)(
  'CR91 what is drawn once, as the key of the bus, stays the same while keys change: %s',
  async (_, createStore) => {
    const store = createStore()
    const start = processes(store)
    const THIRD = 'the third key of this host'
    const ways = [[FIRST], [SECOND, FIRST], [SECOND], [THIRD, SECOND], [FIRST, THIRD], [THIRD]]
    const drawn = new Set<string>()
    for (const keys of ways) {
      const platform = start(keys)
      drawn.add(await contextOf(platform).store.access.tokenKeys.secret('bus-key', `of ${keys}`))
      await platform.close()
    }
    expect([...drawn]).toEqual([`of ${FIRST}`])
  },
)

test('CR91 a wrong key is refused in words, by every call and by readiness', async () => {
  const store = createMemoryStore()
  const start = processes(store)
  const made = await fill(start(FIRST))
  const wrong = start(SECOND)
  const words =
    /^The store holds secrets that were encrypted with the key \w+, and secretsKey holds \w+\. Give the key/
  await expect(wrong.agents.list(made.accountId)).rejects.toMatchObject({
    name: 'PlatformError',
    message: expect.stringMatching(words),
  })
  expect(await wrong.readiness()).toMatchObject({ ready: false, secrets: expect.stringMatching(words) })
  const none = start()
  await expect(none.access.tokenKeys()).rejects.toThrow(/and secretsKey is not given\. Give the key/)
})

test('CR91 a secret that was put in the place of another one is refused', async () => {
  const cipher = createCipher([FIRST])
  const sealed = await cipher.seal('whsec_a', 'webhook endpoint one')
  expect(await cipher.open(sealed, 'webhook endpoint one')).toBe('whsec_a')
  await expect(cipher.open(sealed, 'webhook endpoint two')).rejects.toThrow(
    'A stored secret of webhook endpoint two is damaged, or was moved there from elsewhere.',
  )
  expect(await cipher.seal('whsec_a', 'webhook endpoint one')).not.toBe(sealed)
})

test('CR91 what calls give holds no secret, save where one is made', async () => {
  const platform = processes(createMemoryStore())()
  const { access, webhooks } = platform
  const made = await fill(platform)
  const { accountId, endpoint, connector } = made
  const given = JSON.stringify([
    ...[connector, endpoint, await access.connectors(), await access.connector(connector.id)],
    await access.updateConnector(connector.id, { name: 'other' }),
    await webhooks.endpoints(accountId),
    await webhooks.endpoint(accountId, endpoint.id),
    await webhooks.updateEndpoint(accountId, endpoint.id, { name: 'other' }),
    (await webhooks.rotateSecret(accountId, endpoint.id)).endpoint,
    await access.revokeContextKeys(connector.id),
    await access.tokenKeys(),
  ])
  expect(given).toContain('"kid":"ctx-')
  expect(given).not.toMatch(/whsec_|cq_context|"secret"/)
})

test('CR20 what is made with a secret comes as the thing and the secret', async () => {
  const platform = processes(createMemoryStore())()
  const { accountId, connector } = await fill(platform)
  const { access, webhooks } = platform
  const made = [
    await access.createApiKey({ kind: 'operator' }),
    await access.createConnector({
      ...{ accountId, agentId: connector.agentId, environment: 'live', hosts: ['localhost'] },
    }),
    await access.rotateContextKeys(connector.id),
    await webhooks.createEndpoint(accountId, {
      ...{ name: 'x', url: 'https://hooks.example/', eventTypes: ['conversation.completed'] },
    }),
  ]
  expect(made.map(one => Object.keys(one).sort())).toEqual([
    ['key', 'secret'],
    ['connector', 'token'],
    ['connector', 'contextKey'],
    ['endpoint', 'secret'],
  ])
})
