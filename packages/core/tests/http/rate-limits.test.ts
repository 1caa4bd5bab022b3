import { eachMethod } from '@colloquy/test-support/each-method'
import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { describe, expect, test } from 'vitest'
import { PlatformError } from '../../src/errors.ts'
import { admitToDesk, refuseFromDesk } from '../../src/http/desk-socket.ts'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { ERROR_BODY } from '../../src/http/error-body.ts'
import type { Family, HttpResponse } from '../../src/http/route.ts'
import { routes } from '../../src/http/routes.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import type { Store } from '../../src/ports/store/store.ts'
import type { SettingsInput } from '../../src/settings/settings-input.ts'
import { type RequestLike, request } from '../support/request.ts'

/** A store that counts what is asked of it. */
function countingStore() {
  const store = createMemoryStore()
  let calls = 0
  const counted = <Port extends object>(port: Port): Port =>
    eachMethod(port, call => (...args) => {
      calls += 1
      return call(...args)
    })
  const counting: Store = {
    ...store,
    access: counted(store.access),
    agents: counted(store.agents),
    conversations: counted(store.conversations),
    webhooks: counted(store.webhooks),
  }
  return { store: counting, calls: () => calls }
}

/** A platform with all its routes, over a store that counts. */
async function serve(settings: SettingsInput = {}) {
  const { store, calls } = countingStore()
  const made = await createPopulatedPlatform({ rateLimits: {}, ...settings, store })
  const dispatcher = createDispatcher(made.platform, routes)
  const call = (line: string, like: RequestLike = {}) => dispatcher.handle(request(line, like))
  const withKey = (secret: string, line: string, from: Pick<RequestLike, 'remoteAddress'> = {}) =>
    call(line, { ...from, headers: { 'x-api-key': secret, authorization: `Bearer ${secret}` } })
  /** So many calls, one after the other; how often each status came. */
  async function often(times: number, ask: () => Promise<HttpResponse>) {
    const statuses: Record<number, number> = {}
    for (let index = 0; index < times; index++) {
      const { status } = await ask()
      statuses[status] = (statuses[status] ?? 0) + 1
    }
    return statuses
  }
  return { ...made, call, calls, withKey, often, dispatcher }
}

const AGENTS = 'GET /v1/agents/PROJECT-A'
const json = (response: HttpResponse): Record<string, unknown> => JSON.parse(response.body ?? 'null')

describe('keys over their rate', () => {
  const one = { perSecond: 0.25, burst: 1 }

  test.each([
    ['workspace', 'agents', AGENTS],
    ['workspace', 'debug-chat', 'GET /v1/agents/PROJECT-A/debug-chat/x?clientEnv=live'],
    ['workspace', 'webhooks', 'GET /v1/webhook-endpoints'],
    ['project', 'conversations-v1', 'GET /v1/one/PROJECT-A/conversations'],
    ['project', 'conversations-v3', 'GET /v3/one/PROJECT-A/conversations'],
    ['project', 'concurrency', 'GET /v1/one/PROJECT-A/conversations/concurrency'],
    ['externalEvents', 'external-events', 'POST /v1/external-events/webhook'],
    ['desk', 'desk', 'GET /desk/v1/handoffs'],
    ['operator', 'operator', 'GET /operator/v1/accounts'],
  ] as const)('SM20 a %s key is 429 at %s in its words, with Retry-After', async (kind, family, line) => {
    const { withKey, keys } = await serve({ rateLimits: { key: one } })
    await withKey(keys[kind], line)
    const refused = await withKey(keys[kind], line)
    expect([refused.status, refused.headers['Retry-After']]).toEqual([429, '4'])
    const shape = ERROR_BODY[family satisfies Family](new PlatformError('RATE_LIMITED', ''), '')
    expect(Object.keys(json(refused)).sort()).toEqual(Object.keys(shape).sort())
    expect(refused.body).toContain('Too many requests. Try again in 4 s.')
  })

  test('SM20 so are access tokens, and handshakes of the desk before the upgrade', async () => {
    const { platform, call, keys } = await serve({ rateLimits: { key: one, accessToken: one } })
    const { token } = await platform.access.createConnector({
      ...{ accountId: 'one', agentId: 'PROJECT-A', environment: 'live', hosts: ['shop.example'] },
    })
    const headers = { 'x-token': token, 'x-host': 'shop.example' }
    expect((await call('POST /api/v1/access-token', { headers })).status).toBe(200)
    const refused = await call('POST /api/v1/access-token', { headers })
    expect([refused.status, refused.headers['Retry-After'], json(refused)]).toEqual([
      429,
      '4',
      {
        message: 'Too many access tokens. Try again in 4 s.',
        error: 'Too many access tokens. Try again in 4 s.',
      },
    ])
    const admit = () =>
      admitToDesk(platform, {
        ...{ apiKey: keys.desk, host: undefined, remoteAddress: '192.0.2.1', watching: { agent_id: null } },
      })
    await admit()
    const answer = refuseFromDesk(await admit().catch((error: unknown) => error))
    expect(answer).toMatchObject({ status: 429, headers: { 'Retry-After': '4' } })
    expect(answer.body('mine')).toMatchObject({ error_code: 'RATE_LIMITED', error_id: 'mine' })
  })

  test('SM20 refused requests cost no look into the store, whatever is wrong with the key by then', async () => {
    const { platform, withKey, keys, often, calls } = await serve()
    const { key, secret } = await platform.access.createApiKey({ kind: 'workspace', accountId: 'one' })
    for (const [used, status] of [
      [keys.workspace, 200],
      [keys.project, 403],
      [secret, 200],
    ] as const) {
      expect(await often(100, () => withKey(used, AGENTS))).toEqual({ [status]: 100 })
      if (used === secret) await platform.access.revokeApiKey(key.id)
      const before = calls()
      expect(await often(2_000, () => withKey(used, AGENTS))).toEqual({ 429: 2_000 })
      expect(calls()).toBe(before)
    }
  })

  test('SM23 a key that asks thousands of times makes no other wait, nor itself in another second', async () => {
    const { withKey, keys, often, clock, dispatcher, platform } = await serve()
    expect(await often(3_000, () => withKey(keys.workspace, AGENTS))).toEqual({ 200: 100, 429: 2_900 })
    const list = 'GET /v1/one/PROJECT-A/conversations'
    expect(await often(100, () => withKey(keys.project, list))).toEqual({ 200: 100 })
    const second = await platform.access.createApiKey({ kind: 'workspace', accountId: 'one' })
    expect(await often(100, () => withKey(second.secret, AGENTS))).toEqual({ 200: 100 })
    await clock.advance(1_000)
    expect(await often(60, () => withKey(keys.workspace, AGENTS))).toEqual({ 200: 50, 429: 10 })
    // Another router of the same platform counts on.
    const other = createDispatcher(platform, routes, { families: ['agents'] })
    const asked = request(AGENTS, { headers: { 'x-api-key': keys.workspace } })
    expect((await other.handle(asked)).status).toBe(429)
    expect(other).not.toBe(dispatcher)
  })

  test('SM23 requests at the same time take one token each, also the first ones of a key', async () => {
    const { withKey, keys } = await serve()
    const answers = await Promise.all(Array.from({ length: 250 }, () => withKey(keys.workspace, AGENTS)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(100)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(150)
  })
})

describe('secrets that open nothing', () => {
  let tried = 0
  const wrong = () => {
    tried += 1
    return `cq_ws_wrong_${tried}_0000000000000000`
  }
  const attacker = { remoteAddress: '198.51.100.7' }

  test('SM24 after the burst they are 429 at their address, cost nothing, and flow in again', async () => {
    const { withKey, often, calls, clock } = await serve()
    expect(await often(40, () => withKey(wrong(), AGENTS, attacker))).toEqual({ 401: 40 })
    const before = calls()
    expect(await often(3_000, () => withKey(wrong(), AGENTS, attacker))).toEqual({ 429: 3_000 })
    expect(calls()).toBe(before)
    const refused = await withKey(wrong(), AGENTS, attacker)
    expect([refused.headers['Retry-After'], json(refused).error_code]).toEqual(['1', 'RATE_LIMITED'])
    await clock.advance(1_000)
    expect(await often(30, () => withKey(wrong(), AGENTS, attacker))).toEqual({ 401: 20, 429: 10 })
  })

  test('SM24 they keep out neither other addresses nor keys that have opened something', async () => {
    const { withKey, keys, often } = await serve()
    expect((await withKey(keys.workspace, AGENTS, attacker)).status).toBe(200)
    await often(1_000, () => withKey(wrong(), AGENTS, attacker))
    expect(await often(50, () => withKey(keys.workspace, AGENTS, attacker))).toEqual({ 200: 50 })
    expect(await often(40, () => withKey(wrong(), AGENTS, { remoteAddress: '198.51.100.8' }))).toEqual({
      401: 40,
    })
    // One that is new here has to wait: nobody can tell it from the others without looking it up.
    const list = 'GET /v1/one/PROJECT-A/conversations'
    expect((await withKey(keys.project, list, attacker)).status).toBe(429)
    expect((await withKey(keys.project, list)).status).toBe(200)
    expect((await withKey(keys.project, list, attacker)).status).toBe(200)
  })

  test('SM24 connector tokens and keys of sockets count with them; requests without a key do not', async () => {
    const { platform, call, withKey, often } = await serve()
    expect(await often(500, () => call(AGENTS, attacker))).toEqual({ 401: 500 })
    const token = () =>
      call('POST /api/v1/access-token', {
        ...attacker,
        headers: { 'x-token': wrong(), 'x-host': 'shop.example' },
      })
    expect(await often(20, token)).toEqual({ 401: 20 })
    const codes = new Set<unknown>()
    for (let index = 0; index < 20; index++) {
      const asked = { apiKey: wrong(), host: undefined, watching: { agent_id: null }, ...attacker }
      codes.add(await admitToDesk(platform, asked).catch(({ code }) => code))
    }
    expect([...codes]).toEqual(['AUTH_USER_UNAUTHORISED'])
    expect(await often(5, token)).toEqual({ 429: 5 })
    expect((await withKey(wrong(), AGENTS, attacker)).status).toBe(429)
  })

  test('SM20 an Origin opens no way to try connector tokens past it, nor to tell a good one', async () => {
    const { platform, call, often, calls } = await serve()
    const connector = { accountId: 'ws-one', agentId: 'PROJECT-A', environment: 'live' } as const
    const { token: good } = await platform.access.createConnector({ ...connector, hosts: ['shop.example'] })
    const page = (token: string) =>
      call('POST /api/v1/access-token', {
        ...attacker,
        headers: { 'x-token': token, 'x-host': 'shop.example', origin: 'https://evil.example' },
      })
    expect(await often(40, () => page(wrong()))).toEqual({ 401: 40 })
    const before = calls()
    expect(await often(1_000, () => page(wrong()))).toEqual({ 429: 1_000 })
    expect((await page(good)).status).toBe(429)
    expect(calls()).toBe(before)
  })

  test('SM24 addresses of one IPv6 network count together', async () => {
    const { withKey, often } = await serve()
    let host = 0
    const next = () => {
      host += 1
      return { remoteAddress: `2001:db8:1:2::${host.toString(16)}` }
    }
    expect(await often(100, () => withKey(wrong(), AGENTS, next()))).toEqual({ 401: 40, 429: 60 })
    expect((await withKey(wrong(), AGENTS, { remoteAddress: '2001:db8:1:3::1' })).status).toBe(401)
  })

  test('SM24 each limit can be switched off alone', async () => {
    const failures = await serve({ rateLimits: { failedAuthentication: null } })
    expect(await failures.often(500, () => failures.withKey(wrong(), AGENTS))).toEqual({ 401: 500 })
    const { keys } = failures
    expect(await failures.often(200, () => failures.withKey(keys.workspace, AGENTS))).toEqual({
      200: 100,
      429: 100,
    })
    const unlimited = await serve({ rateLimits: { key: null } })
    const ask = () => unlimited.withKey(unlimited.keys.workspace, AGENTS)
    expect(await unlimited.often(500, ask)).toEqual({ 200: 500 })
    // Known keys are known also when nobody counts them.
    await unlimited.often(100, () => unlimited.withKey(wrong(), AGENTS))
    expect((await ask()).status).toBe(200)
    const none = await serve({ rateLimits: null })
    expect(await none.often(300, () => none.withKey(wrong(), AGENTS))).toEqual({ 401: 300 })
    expect(await none.often(300, () => none.withKey(none.keys.workspace, AGENTS))).toEqual({ 200: 300 })
  })

  test.each([
    ['key', { perSecond: 0, burst: 1 }],
    ['session', { perSecond: 1, burst: 0 }],
    ['accessToken', { perSecond: Number.NaN, burst: 1 }],
    ['failedAuthentication', { perSecond: 1, burst: -1 }],
  ] as const)('SM24 a limit of %s that lets nothing through is refused at once', async (name, limit) => {
    await expect(serve({ rateLimits: { [name]: limit } })).rejects.toThrow(`rateLimits.${name}.`)
  })
})

describe('pages of visitors', () => {
  const rateLimits = {
    key: { perSecond: 0.25, burst: 3 },
    accessToken: { perSecond: 0.25, burst: 3 },
  }
  const allowed = ({ headers }: HttpResponse) => headers['Access-Control-Allow-Origin']

  async function servePages() {
    const made = await serve({ rateLimits })
    const { call, platform } = made
    const connector = { accountId: 'ws-one', agentId: 'PROJECT-A', environment: 'live' } as const
    const { token } = await platform.access.createConnector({ ...connector, hosts: ['shop.example'] })
    const issue = (origin: string) =>
      call('POST /api/v1/access-token', {
        headers: { 'x-token': token, 'x-host': 'shop.example', origin },
      })
    const session = (accessToken: unknown, origin: string) =>
      call('POST /api/v1/sessions', { headers: { authorization: `Bearer ${accessToken}`, origin } })
    return { ...made, issue, session }
  }

  test('SM20 they pay once, and read that it was too often', async () => {
    const { issue, session, often, calls } = await servePages()
    const origin = 'https://shop.example'
    const { access_token } = json(await issue(origin))
    expect(await often(2, () => issue(origin))).toEqual({ 200: 2 })
    expect(await often(3, () => session(access_token, origin))).toEqual({ 200: 3 })
    const before = calls()
    for (const refused of [await issue(origin), await session(access_token, origin)])
      expect([refused.status, refused.headers['Retry-After'], allowed(refused)]).toEqual([429, '4', origin])
    for (const refused of [await issue('https://evil.example'), await session(access_token, 'null')])
      expect([refused.status, allowed(refused)]).toEqual([429, undefined])
    // The keys of access tokens are read with none of these requests.
    expect(calls()).toBe(before)
  })

  test('SM20 a page on another host pays for each refusal', async () => {
    const { issue, session, often, calls } = await servePages()
    const { access_token } = json(await issue('https://shop.example'))
    expect(await often(2, () => issue('https://evil.example'))).toEqual({ 403: 2 })
    expect(await often(3, () => session(access_token, 'https://evil.example'))).toEqual({ 403: 3 })
    const before = calls()
    expect(await often(100, () => issue('https://evil.example'))).toEqual({ 429: 100 })
    expect(await often(100, () => session(access_token, 'https://evil.example'))).toEqual({ 429: 100 })
    expect(calls()).toBe(before)
  })
})
