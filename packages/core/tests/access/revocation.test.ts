import { createMessagingBench } from '@colloquy/test-support/messaging-bench'
import { createNetwork } from '@colloquy/test-support/network'
import { describe, expect, test, vi } from 'vitest'
import { sameHash } from '../../src/domain/access/secret.ts'
import { admitToDesk } from '../../src/http/desk-socket.ts'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform, type Platform } from '../../src/platform.ts'
import { createFakeClock, createScriptedRuntime } from '../../src/testing/index.ts'

/** Two processes over one store, with a key of an account, and a socket of the key in each. */
async function twoProcesses() {
  const clock = createFakeClock()
  const store = createMemoryStore()
  const network = createNetwork()
  const errors: unknown[] = []
  const start = () =>
    createPlatform({
      ...{ store, clock, bus: network.bus(), wakeInterval: 3_600_000, queueStatusInterval: 3_600_000 },
      runtime: createScriptedRuntime({}, clock),
      onError: error => errors.push(error),
    })
  const [here, there] = [start(), start()]
  await here.access.createAccount({ accountId: 'ws-one', slug: 'one', name: 'One' })
  const { key, secret } = await here.access.createApiKey({
    kind: 'desk',
    accountId: 'one',
    expiresAt: clock.now() + 100_000,
  })
  /** How often the socket was told that it is over. */
  const watch = async (platform: Platform) => {
    const admission = await admitToDesk(platform, {
      apiKey: secret,
      host: undefined,
      remoteAddress: '192.0.2.1',
      watching: { agent_id: null },
    })
    const socket = { ended: 0, leave: (): void => {} }
    socket.leave = admission.watchKey(() => {
      socket.ended++
    })
    await clock.settle()
    return socket
  }
  const accepts = async (platform: Platform) =>
    (await platform.access.authenticate(secret, ['desk'], null)) !== null
  return { clock, store, network, errors, here, there, key, secret, watch, accepts }
}

describe('a revoked key', () => {
  test('CR5 opens nothing from then on, in any process, whether a notice comes or not', async () => {
    const { network, here, there, key, accepts } = await twoProcesses()
    expect([await accepts(here), await accepts(there)]).toEqual([true, true])
    network.delivery = 'never'
    await there.access.revokeApiKey(key.id)
    expect([await accepts(here), await accepts(there)]).toEqual([false, false])
  })

  test('CR5 opens no path from the next request on, though it opened it before and the notice is lost', async () => {
    const { clock, network, here, there, key, secret } = await twoProcesses()
    const statusAt = (platform: Platform) => {
      const { handle } = createDispatcher(platform, routes)
      const [method, path, query] = ['GET', '/desk/v1/handoffs', '']
      const from = { remoteAddress: '192.0.2.1', secure: true, body: async () => new Uint8Array() }
      return async () =>
        (await handle({ method, path, query, headers: { 'x-api-key': secret }, ...from })).status
    }
    const [one, two] = [statusAt(here), statusAt(there)]
    for (let request = 0; request < 3; request++) expect([await one(), await two()]).toEqual([200, 200])
    network.delivery = 'never'
    await there.access.revokeApiKey(key.id)
    expect([await one(), await two()]).toEqual([401, 401])
    const ending = await here.access.createApiKey({
      kind: 'desk',
      accountId: 'one',
      expiresAt: clock.now() + 1_000,
    })
    const { handle } = createDispatcher(there, routes)
    const ask = () =>
      handle({
        ...{ method: 'GET', path: '/desk/v1/handoffs', query: '', headers: { 'x-api-key': ending.secret } },
        ...{ remoteAddress: '192.0.2.1', secure: true, body: async () => new Uint8Array() },
      })
    expect((await ask()).status).toBe(200)
    await clock.advance(1_000)
    expect((await ask()).status).toBe(401)
  })

  test('CR5 ends its sockets at once wherever it is heard of, and those of no other key', async () => {
    const { here, there, key, watch } = await twoProcesses()
    const other = await here.access.createApiKey({ kind: 'desk', accountId: 'one' })
    const sockets = [await watch(here), await watch(there)]
    let others = 0
    here.access.watchApiKey(other.key.id, () => others++)
    await here.access.revokeApiKey(key.id)
    expect(sockets.map(({ ended }) => ended > 0)).toEqual([true, true])
    expect(others).toBe(0)
  })

  test('CR5 ends them within `revocationCheck` where the notice is lost', async () => {
    const { clock, network, here, there, key, watch } = await twoProcesses()
    const socket = await watch(there)
    network.delivery = 'never'
    await here.access.revokeApiKey(key.id)
    await clock.settle()
    expect(socket.ended).toBe(0)
    await clock.advance(15_000)
    expect(socket.ended).toBeGreaterThan(0)
  })

  test('CR5 ends a socket that opens meanwhile', async () => {
    const { clock, network, here, there, key, secret } = await twoProcesses()
    network.delivery = 'never'
    const admission = await admitToDesk(there, {
      apiKey: secret,
      host: undefined,
      remoteAddress: '192.0.2.1',
      watching: { agent_id: null },
    })
    await here.access.revokeApiKey(key.id)
    let ended = 0
    admission.watchKey(() => ended++)
    await clock.settle()
    expect(ended).toBeGreaterThan(0)
  })

  test('CR5 a key that expires ends its sockets within `revocationCheck`', async () => {
    const { clock, here, watch } = await twoProcesses()
    const socket = await watch(here)
    await clock.advance(99_999)
    expect(socket.ended).toBe(0)
    await clock.advance(15_000)
    expect(socket.ended).toBeGreaterThan(0)
  })

  test('CR5 is listened for no longer than there are sockets', async () => {
    const { clock, store, here, key, watch } = await twoProcesses()
    const reads = vi.spyOn(store.access.apiKeys, 'find')
    const readsOf = async (milliseconds: number) => {
      reads.mockClear()
      await clock.advance(milliseconds)
      return reads.mock.calls.length
    }
    const sockets = [await watch(here), await watch(here)]
    expect(await readsOf(15_000)).toBe(1)
    for (const socket of sockets) socket.leave()
    expect(await readsOf(60_000)).toBe(0)
    await here.access.revokeApiKey(key.id)
    expect(sockets.map(({ ended }) => ended)).toEqual([0, 0])
  })

  test('CR5 a store that cannot be read is told to the host, and looked at again', async () => {
    const { clock, store, errors, network, here, there, key, watch } = await twoProcesses()
    const socket = await watch(there)
    network.delivery = 'never'
    await here.access.revokeApiKey(key.id)
    const { find } = store.access.apiKeys
    Object.assign(store.access.apiKeys, { find: () => Promise.reject(new Error('disk gone')) })
    await clock.advance(15_000)
    expect([errors.length, socket.ended]).toEqual([1, 0])
    Object.assign(store.access.apiKeys, { find })
    await clock.advance(15_000)
    expect(socket.ended).toBeGreaterThan(0)
  })
})

describe('what is kept of a secret', () => {
  test('CR6 the store has hashes and prefixes alone', async () => {
    const bench = await createMessagingBench()
    const sessionId = await bench.session()
    const { secret } = await bench.access.createApiKey({ kind: 'desk', accountId: 'one' })
    const kept = JSON.stringify([
      await bench.access.apiKeys(),
      await bench.access.connectors(),
      bench.engine.conversation(sessionId).state,
    ])
    for (const text of [secret, bench.connectorToken, bench.accessToken])
      expect(kept).not.toContain(text.slice(8))
  })

  test('CR6 hashes are compared whole: one bit anywhere makes the difference', () => {
    const hash = '00'.repeat(32)
    expect(sameHash(hash, hash)).toBe(true)
    for (let index = 0; index < 64; index++)
      expect(sameHash(hash, `${hash.slice(0, index)}1${hash.slice(index + 1)}`)).toBe(false)
    expect(sameHash(hash, hash.slice(2))).toBe(false)
  })

  test('CR6 what a store finds is not believed: another hash opens nothing', async () => {
    const bench = await createMessagingBench()
    const { access } = bench.context.store
    const { secret } = await bench.access.createApiKey({ kind: 'desk', accountId: 'one' })
    const { findByHash } = access.apiKeys
    const { findByTokenHash } = access.connectors
    const flip = (hash: string) => (hash.endsWith('0') ? '1' : '0')
    Object.assign(access.apiKeys, {
      async findByHash(hash: string) {
        const key = await findByHash(hash)
        return key && { ...key, hash: hash.slice(0, -1) + flip(hash) }
      },
    })
    Object.assign(access.connectors, {
      async findByTokenHash(hash: string) {
        const connector = await findByTokenHash(hash)
        return connector && { ...connector, tokenHash: hash.slice(0, -1) + flip(hash) }
      },
    })
    expect(await bench.access.authenticate(secret, ['desk'], null)).toBeNull()
    expect(await bench.access.connectorByToken(bench.connectorToken)).toBeNull()
  })
})
