import { SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform, type Platform, type PlatformOptions } from '../../src/platform.ts'
import type { AccessStore } from '../../src/ports/store/store.ts'
import { createFakeClock, createScriptedRuntime } from '../../src/testing/index.ts'

const DAY = 86_400_000
const CONNECTOR_TOKEN = 'connector-token-for-tests'

const part = (token: string, index: number) =>
  JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString())
const kidOf = (token: string): string => part(token, 0).kid

/** Processes over one store with one connector, and how often the token keys were read. */
async function processes(options: Partial<PlatformOptions> = {}) {
  const clock = createFakeClock()
  const kept = createMemoryStore()
  const reads = { count: 0 }
  const access: AccessStore = {
    ...kept.access,
    tokenKeys: {
      ...kept.access.tokenKeys,
      list() {
        reads.count++
        return kept.access.tokenKeys.list()
      },
    },
  }
  const store = { ...kept, access }
  const start = (more: Partial<PlatformOptions> = {}) =>
    createPlatform({
      ...{ store, clock, rateLimits: null, wakeInterval: 1e9, queueStatusInterval: 1e9 },
      alerts: { evaluationInterval: 1e9 },
      runtime: createScriptedRuntime({}, clock),
      ...options,
      ...more,
    })
  const here = start()
  const account = await here.access.createAccount({ slug: 'one', name: 'One' })
  const agent = await here.agents.create({ accountId: account.id, name: 'Desk', greeting: 'Hello.' })
  await here.access.createConnector({
    ...{ accountId: account.id, agentId: agent.id, environment: 'live', hosts: ['example.com'] },
    token: CONNECTOR_TOKEN,
  })
  return { clock, store: kept, reads, start, here }
}

const issue = async ({ messaging }: Platform): Promise<string> => {
  const input = { connectorToken: CONNECTOR_TOKEN, host: 'example.com', remoteAddress: '192.0.2.1' }
  return (await messaging.issueAccessToken(input)).accessToken
}

const accepts = ({ messaging }: Platform, token: string): Promise<boolean> =>
  messaging.createSession({ authorization: `Bearer ${token}`, streaming: false }).then(
    () => true,
    error => {
      if (error.code === 'MESSAGING_UNAUTHORISED') return false
      throw error
    },
  )

/** A token with the claims of a genuine one, signed with a secret. */
const sign = (like: string, secret: string, kid: string): Promise<string> =>
  new SignJWT(part(like, 1))
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid })
    .sign(new TextEncoder().encode(secret))

describe('a rotation', () => {
  test('CR11 makes a new key sign in every process at once; tokens of the old one are good until they expire', async () => {
    const { clock, store, here, start } = await processes()
    const there = start()
    const old = await issue(here)
    expect(await accepts(there, old)).toBe(true)
    const keys = await here.access.rotateTokenKeys()
    expect(keys).toHaveLength(2)
    const fresh = await issue(there)
    expect(kidOf(fresh)).toBe(keys[0]?.id)
    expect(kidOf(old)).toBe(keys[1]?.id)
    for (const process of [here, there])
      expect([await accepts(process, old), await accepts(process, fresh)]).toEqual([true, true])
    await clock.advance(DAY - 1)
    expect([await accepts(here, old), await accepts(there, old)]).toEqual([true, true])
    await clock.advance(60_001)
    expect([await accepts(here, old), await accepts(there, old)]).toEqual([false, false])
    expect(await store.access.tokenKeys.list()).toHaveLength(2)
    await issue(there)
    expect((await store.access.tokenKeys.list()).map(({ id }) => id)).toEqual([kidOf(fresh)])
  })

  test('TM3 that revokes earlier keys is known everywhere after 15 s, whatever the wall clock did', async () => {
    const { clock, here, start } = await processes()
    const there = start()
    expect(await accepts(there, await issue(here))).toBe(true)
    clock.step(-2 * 3_600_000)
    const token = await issue(here)
    expect(await accepts(there, token)).toBe(true)
    await here.access.rotateTokenKeys({ revokeEarlier: true })
    await clock.advance(15_000)
    expect(await accepts(there, token)).toBe(false)
  })

  test('CR11 a key that has ended verifies nothing, although it is not yet removed', async () => {
    const { clock, store, here } = await processes()
    const old = await issue(here)
    const [first] = await store.access.tokenKeys.list()
    await here.access.rotateTokenKeys()
    await clock.advance(DAY + 60_000)
    const later = { ...part(old, 1), exp: Math.floor(clock.now() / 1_000) + 3_600 }
    const forged = await new SignJWT(later)
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: kidOf(old) })
      .sign(new TextEncoder().encode(first?.secret))
    expect(await store.access.tokenKeys.list()).toHaveLength(2)
    expect(await accepts(here, forged)).toBe(false)
  })

  test('CR11 of racing rotations each adds a key, and the tokens of all are good', async () => {
    const { store, here, start } = await processes()
    const there = start()
    await Promise.all([here, there, here, there].map(({ access }) => access.rotateTokenKeys()))
    const keys = await store.access.tokenKeys.list()
    expect(keys.map(({ number }) => number)).toEqual([5, 4, 3, 2, 1])
    const token = await issue(here)
    for (const { id, secret } of keys) expect(await accepts(there, await sign(token, secret, id))).toBe(true)
  })

  test('CR11 and AU3 comes by itself when a token is issued and the key is old enough, once for all processes', async () => {
    const { clock, store, here, start } = await processes({ tokenKeyRotation: 10 * DAY })
    const there = start()
    const first = await issue(here)
    await clock.advance(10 * DAY - 1)
    expect(kidOf(await issue(there))).toBe(kidOf(first))
    await clock.advance(1)
    const fresh = await Promise.all([here, there, here, there].map(issue))
    expect(new Set(fresh.map(kidOf)).size).toBe(1)
    expect(kidOf(fresh[0] ?? '')).not.toBe(kidOf(first))
    expect(await store.access.tokenKeys.list()).toHaveLength(2)
    const { entries } = await here.audit.list({ action: 'token_key.rotated' })
    expect(entries.map(({ actor }) => actor.type)).toEqual(['platform'])
  })

  test('CR11 never comes by itself when it is switched off', async () => {
    const { clock, here } = await processes({ tokenKeyRotation: null })
    const first = await issue(here)
    await clock.advance(1_000 * DAY)
    expect(kidOf(await issue(here))).toBe(kidOf(first))
  })

  test('CR14 with `revokeEarlier` ends the earlier keys: at once here, elsewhere within `revocationCheck`', async () => {
    const { clock, here, start } = await processes()
    const there = start()
    const old = await issue(here)
    expect([await accepts(here, old), await accepts(there, old)]).toEqual([true, true])
    await here.access.rotateTokenKeys({ revokeEarlier: true })
    expect(await accepts(here, old)).toBe(false)
    const fresh = await issue(there)
    await clock.advance(15_000)
    expect([await accepts(there, old), await accepts(there, fresh)]).toEqual([false, true])
  })
})

describe('a kid that nobody knows', () => {
  test('CR13 is refused after one reading that all share, without waiting for the clock', async () => {
    const { reads, here } = await processes()
    const token = await issue(here)
    const forge = (index: number) => sign(token, 'a secret of somebody else', `kid-${index}`)
    const forged = await Promise.all(Array.from({ length: 200 }, (_, index) => forge(index)))
    const before = reads.count
    const answers = await Promise.all(forged.map(one => accepts(here, one)))
    expect(new Set(answers)).toEqual(new Set([false]))
    expect(reads.count - before).toBe(1)
  })

  test('CR13 is refused at once when it comes again, as is the key that has ended', async () => {
    const { reads, here } = await processes()
    const token = await issue(here)
    const forged = await sign(token, 'a secret of somebody else', 'forged')
    expect(await accepts(here, forged)).toBe(false)
    await here.access.rotateTokenKeys({ revokeEarlier: true })
    const before = reads.count
    for (const one of [forged, token, forged]) expect(await accepts(here, one)).toBe(false)
    expect(reads.count - before).toBe(0)
  })

  test('CR13 one reading is under way at a time, and those that come meanwhile share the next', async () => {
    const { here, store, clock } = await processes()
    const token = await issue(here)
    const { list } = store.access.tokenKeys
    const open: (() => void)[] = []
    Object.assign(store.access.tokenKeys, {
      list: () => new Promise(resolve => open.push(() => resolve(list()))),
    })
    // Signed before: the clock's settling does not wait for cryptography.
    const forge = (kid: string) => sign(token, 'a secret of somebody else', kid)
    const [one, ...more] = await Promise.all([forge('one'), forge('two'), forge('three'), forge('four')])
    const first = accepts(here, one)
    await clock.settle()
    const others = Promise.all(more.map(forged => accepts(here, forged)))
    await clock.settle()
    expect(open).toHaveLength(1)
    open[0]?.()
    expect(await first).toBe(false)
    await clock.settle()
    expect(open).toHaveLength(2)
    open[1]?.()
    expect(await others).toEqual([false, false, false])
    expect(open).toHaveLength(2)
  })

  test('CR13 the first token of a new key is good, also amid forged ones and where a reading began before the rotation', async () => {
    const { here, start, store, clock } = await processes()
    const there = start()
    const old = await issue(here)
    expect(await accepts(there, old)).toBe(true)
    const { list } = store.access.tokenKeys
    const open: (() => void)[] = []
    Object.assign(store.access.tokenKeys, {
      // What a reading shows is as it was when it began.
      list: () => list().then(keys => new Promise(resolve => open.push(() => resolve(keys)))),
    })
    const forged = accepts(there, await sign(old, 'a secret of somebody else', 'forged'))
    await clock.settle()
    expect(open).toHaveLength(1)
    const slow = store.access.tokenKeys.list
    Object.assign(store.access.tokenKeys, { list })
    await here.access.rotateTokenKeys()
    const fresh = await issue(here)
    Object.assign(store.access.tokenKeys, { list: slow })
    const genuine = accepts(there, fresh)
    expect(await accepts(there, old)).toBe(true)
    open[0]?.()
    expect(await forged).toBe(false)
    await clock.settle()
    open[1]?.()
    expect(await genuine).toBe(true)
  })

  test('CR13 a store that fails is asked again', async () => {
    const { here, start, store } = await processes()
    const there = start()
    const token = await issue(here)
    const { list } = store.access.tokenKeys
    Object.assign(store.access.tokenKeys, { list: () => Promise.reject(new Error('disk gone')) })
    await expect(accepts(there, token)).rejects.toThrow('disk gone')
    Object.assign(store.access.tokenKeys, { list })
    expect(await accepts(there, token)).toBe(true)
  })
})

test('CR11 processes that start at once agree on the first key', async () => {
  const { store, here, start } = await processes()
  const tokens = await Promise.all([here, start(), start(), start()].map(issue))
  expect(new Set(tokens.map(kidOf)).size).toBe(1)
  expect(await store.access.tokenKeys.list()).toHaveLength(1)
})

describe('secrets that the host gives', () => {
  const [OLD, NEW] = ['the-old-secret-of-the-host', 'the-new-secret-of-the-host']

  test('CR16 the first of a list signs, and tokens of all are good', async () => {
    const { here, start } = await processes({ tokenSecret: OLD })
    const old = await issue(here)
    const both = start({ tokenSecret: [NEW, OLD] })
    const fresh = await issue(both)
    expect([await accepts(both, old), await accepts(both, fresh)]).toEqual([true, true])
    expect(await accepts(both, await sign(fresh, OLD, kidOf(old)))).toBe(true)
    expect([await accepts(here, old), await accepts(here, fresh)]).toEqual([true, false])
    const gone = start({ tokenSecret: [NEW] })
    expect([await accepts(gone, old), await accepts(gone, fresh)]).toEqual([false, true])
    expect(kidOf(fresh)).not.toContain(NEW.slice(0, 4))
  })

  test('CR16 a rotation is refused and says how it is done; the store keeps no key', async () => {
    const { here, store } = await processes({ tokenSecret: OLD })
    await issue(here)
    await expect(here.access.rotateTokenKeys()).rejects.toMatchObject({
      code: 'TOKEN_KEYS_GIVEN',
      message: expect.stringContaining('as the first of its setting tokenSecret'),
    })
    expect(await here.access.tokenKeys()).toEqual([])
    expect(await store.access.tokenKeys.list()).toEqual([])
  })

  test.each([[''], ['fifteen letters'], [[]], [[NEW, 'short']]])(
    'CR16 the platform does not start with %j, and does not repeat it',
    async tokenSecret => {
      const starting = processes({ tokenSecret })
      await expect(starting).rejects.toThrow('at least 16 characters')
      await expect(starting).rejects.not.toThrow(/fifteen|short/)
    },
  )
})
