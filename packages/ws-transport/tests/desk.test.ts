import { createServer } from 'node:http'
import { promisify } from 'node:util'
import { createPlatform, type SettingsInput } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import { createFakeClock, createScriptedRuntime } from '@colloquy/core/testing'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { attachDesk, attachMessaging, type EndpointOptions } from '../src/index.ts'
import { type Client, listen, openClient, refusedUpgrade } from './support/client.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

const ADA = { id: 'a1', name: 'Ada', avatarUrl: 'https://example.com/ada.png' }
const handOff = (reason: string) => [
  'One moment.',
  { type: 'handoff' as const, destination: 'reception', reason },
]
const MESSAGES = { person: handOff('asked'), 'at length': handOff('x'.repeat(200_000)) }

/** A whole platform with visitors and a desk on one server. */
async function serve(options: EndpointOptions = {}, settings: SettingsInput = {}) {
  const clock = createFakeClock()
  const errors: unknown[] = []
  const store = createMemoryStore()
  const platform = createPlatform({
    store,
    runtime: createScriptedRuntime({ greeting: 'Welcome.', messages: MESSAGES }, clock),
    clock,
    rateLimits: null,
    onError: error => errors.push(error),
    ...settings,
  })
  const account = await platform.access.createAccount({ slug: 'acme', name: 'Acme' })
  const agent = await platform.agents.create({ accountId: account.id, name: 'Desk', greeting: 'Welcome.' })
  await platform.agents.publish(agent.id, { environment: 'live' })
  const { token } = await platform.access.createConnector({
    accountId: account.id,
    agentId: agent.id,
    environment: 'live',
    hosts: ['localhost'],
    handoff: { mode: 'server', queueName: 'reception', timeoutSeconds: 300 },
  })
  const desk = await platform.access.createApiKey({ kind: 'desk', accountId: account.id })
  const server = createServer()
  const visitors = attachMessaging(server, platform)
  const endpoint = attachDesk(server, platform, options)
  const port = await listen(server)
  cleanups.push(async () => {
    await Promise.all([visitors.close(), endpoint.close()])
    await new Promise<void>(resolve => server.close(() => resolve()))
    await platform.close()
  })
  const base = `ws://127.0.0.1:${port}`
  const url = (key: string): string => `${base}/desk/v1/ws?api_key=${encodeURIComponent(key)}`
  return {
    ...{ platform, clock, errors, store, account, agent, desk, endpoint, server, base, url },
    /** A visitor whom the agent has greeted. */
    async visitor() {
      const { accessToken } = await platform.messaging.issueAccessToken({
        connectorToken: token,
        host: 'http://localhost',
        remoteAddress: '127.0.0.1',
      })
      const { sessionId } = await platform.messaging.createSession({
        authorization: `Bearer ${accessToken}`,
        streaming: false,
      })
      const client = await openClient(`${base}/ws?session_id=${sessionId}&access_token=${accessToken}`)
      client.send({ type: 'EVENT_TYPE_REQUEST_AI_AGENT_JOIN', payload: {} })
      await client.until(event => event.payload?.text === 'Welcome.')
      return { client, sessionId, handoffId: `${sessionId}.1` }
    },
  }
}

const say = (client: Client, text: string): void =>
  client.send({ type: 'EVENT_TYPE_USER_MESSAGE', payload: { text } })
const types = (client: Client): readonly string[] => client.received.map(({ type }) => type)
const heard = (client: Client, type: string) => client.until(event => event.type === type)

describe("a live agent's socket", () => {
  test('MS42 hears a handoff from its beginning to its end, in the words of the desk', async () => {
    const { platform, account, desk, url, visitor } = await serve()
    const live = await openClient(url(desk.secret))
    const { client, sessionId, handoffId } = await visitor()
    say(client, 'person')
    await heard(live, 'handoff.waiting')
    say(client, 'Grüß dich 👋')
    await heard(live, 'handoff.visitor_message')
    client.send({ type: 'EVENT_TYPE_USER_TYPING', payload: { state: 'TYPING_STATE_STARTED' } })
    await heard(live, 'handoff.visitor_typing')
    await platform.desk.accept(account.id, handoffId, ADA)
    await heard(live, 'handoff.accepted')
    client.send({ type: 'EVENT_TYPE_USER_END_SESSION', payload: {} })
    await heard(live, 'handoff.ended')
    const handoff = {
      handoff_id: handoffId,
      session_id: sessionId,
      queue_name: 'reception',
      reason: 'asked',
      destination: 'reception',
      waiting_since: '2026-01-01T00:00:00.000Z',
      can_return: true,
    }
    const agent = { id: 'a1', name: 'Ada', avatar_url: 'https://example.com/ada.png' }
    const message = {
      message_id: expect.any(String),
      text: 'Grüß dich 👋',
      sent_at: '2026-01-01T00:00:00.000Z',
    }
    expect(live.received).toEqual([
      {
        type: 'handoff.waiting',
        handoff: {
          ...handoff,
          last_line: { text: 'person', at: '2026-01-01T00:00:00.000Z' },
          status: 'waiting',
          position_in_queue: 1,
        },
      },
      { type: 'handoff.visitor_message', handoff_id: handoffId, session_id: sessionId, message },
      { type: 'handoff.visitor_typing', handoff_id: handoffId, state: 'started' },
      { type: 'handoff.accepted', handoff: { ...handoff, status: 'active', position_in_queue: null, agent } },
      { type: 'handoff.ended', handoff_id: handoffId, session_id: sessionId, reason: 'visitor ended' },
    ])
  })

  test('MS92 a desk that sends ever more frames is closed with 1008', async () => {
    const { desk, url } = await serve({}, { rateLimits: {} })
    const live = await openClient(url(desk.secret))
    for (let count = 0; count < 100; count++) live.send('x'.repeat(65_000))
    expect(await live.closed).toMatchObject({ code: 1008, reason: 'too many frames' })
  })

  test('DK1 who comes later is told what waits and what is active', async () => {
    const { platform, account, desk, url, visitor } = await serve()
    const early = await openClient(url(desk.secret))
    const one = await visitor()
    say(one.client, 'person')
    await heard(early, 'handoff.waiting')
    await platform.desk.accept(account.id, one.handoffId, ADA)
    await heard(early, 'handoff.accepted')
    const two = await visitor()
    say(two.client, 'person')
    await early.until(event => 'handoff' in event && JSON.stringify(event).includes(two.handoffId))
    const late = await openClient(url(desk.secret))
    await heard(late, 'handoff.accepted')
    expect(types(late)).toEqual(['handoff.waiting', 'handoff.accepted'])
  })

  test('DK15 with the id of its live agent keeps the handoff while it is open, and no longer', async () => {
    const settings = { sessionIdle: 24 * 3_600_000 }
    const { platform, clock, account, desk, server, url, visitor } = await serve({}, settings)
    const live = await openClient(`${url(desk.secret)}&agent_id=${encodeURIComponent('a1')}`)
    const anonymous = await openClient(url(desk.secret))
    const { client, handoffId } = await visitor()
    say(client, 'person')
    await heard(live, 'handoff.waiting')
    await platform.desk.accept(account.id, handoffId, ADA)
    await heard(live, 'handoff.accepted')
    const attended = async () =>
      (await platform.desk.handoffs(account.id, 'active')).some(active => active.handoffId === handoffId)
    await clock.advance(10 * 60_000)
    expect(await attended()).toBe(true)
    live.socket.terminate()
    await live.closed
    // The server sees the end later than the client: until then there is a sign of an open socket.
    const open = promisify(server.getConnections.bind(server))
    await vi.waitFor(async () => expect(await open()).toBe(2))
    const gone = clock.now()
    for (let second = 0; second < 90 && (await attended()); second++) await clock.advance(1_000)
    expect(clock.now() - gone).toBeGreaterThanOrEqual(60_000)
    expect(clock.now() - gone).toBeLessThanOrEqual(82_000)
    await heard(client, 'EVENT_TYPE_LIVE_AGENT_LEFT')
    await heard(client, 'EVENT_TYPE_SESSION_END')
    expect(await heard(anonymous, 'handoff.ended')).toMatchObject({ reason: 'live agent absent' })
  })

  test.each(['', 'a'.repeat(201)])('DK15 an agent_id that is none is refused: "%s"', async id => {
    const { desk, url } = await serve()
    const { status, body } = await refusedUpgrade(`${url(desk.secret)}&agent_id=${id}`)
    expect(status).toBe(400)
    expect(body).toMatchObject({
      error_code: 'SCHEMA_VALIDATION_FAILED',
      error_message: expect.stringContaining('agent_id'),
    })
  })

  test('DK15 and DK604 says who sits there, by what name and picture, and which visitors they take', async () => {
    const { platform, account, desk, url } = await serve()
    const ada = '&agent_id=a1&agent_name=Ada&agent_avatar_url=https%3A%2F%2Fexample.com%2Fa.png'
    const live = await openClient(
      `${url(desk.secret)}${ada}&queue=billing&queue=sales&skill=de&skill=vip&talks_at_once=3`,
    )
    const plain = await openClient(`${url(desk.secret)}&agent_id=b1`)
    await expect.poll(async () => (await platform.desk.colleagues(account.id)).length).toBe(2)
    expect(await platform.desk.colleagues(account.id)).toEqual([
      {
        ...{ id: 'a1', name: 'Ada', avatarUrl: 'https://example.com/a.png' },
        ...{ queues: ['billing', 'sales'], skills: ['de', 'vip'], talks: 0, talksAtOnce: 3, awaySince: null },
      },
      {
        ...{ id: 'b1', name: 'b1', avatarUrl: '', queues: null, skills: [], talks: 0 },
        ...{ talksAtOnce: 20, awaySince: null },
      },
    ])
    live.socket.close()
    plain.socket.close()
    await expect.poll(async () => (await platform.desk.colleagues(account.id)).length).toBe(0)
  })

  test.each([
    '&agent_name=%20',
    '&agent_avatar_url=ftp%3A%2F%2Fx',
    '&queue=',
    '&queue=a'.repeat(51),
    '&skill=',
    '&talks_at_once=0',
  ])('DK15 what does not fit is refused: "%s"', async query => {
    const { desk, url } = await serve()
    const { status, body } = await refusedUpgrade(`${url(desk.secret)}&agent_id=a1${query}`)
    expect(status).toBe(400)
    expect(body).toMatchObject({
      error_code: 'SCHEMA_VALIDATION_FAILED',
      error_message: expect.stringContaining('query parameter'),
    })
  })

  test('DK15 a wrong key is refused before the agent_id is looked at', async () => {
    const { url } = await serve()
    expect((await refusedUpgrade(`${url('wrong-key-of-nobody')}&agent_id=`)).status).toBe(401)
  })

  test('frames of the client mean nothing and leave the socket open', async () => {
    const { desk, url, visitor } = await serve()
    const live = await openClient(url(desk.secret))
    for (const frame of ['{"type":', '', '{"type":"handoff.ended"}', 'x'.repeat(60_000)]) live.send(frame)
    live.socket.send(Buffer.from([0, 255]))
    const { client } = await visitor()
    say(client, 'person')
    await heard(live, 'handoff.waiting')
    expect(types(live)).toEqual(['handoff.waiting'])
  })
})

describe('who may watch', () => {
  test('DK8 a missing, wrong or revoked key is 401, a key of another kind 403', async () => {
    const { platform, account, agent, desk, base, url } = await serve()
    const issue = (input: Parameters<typeof platform.access.createApiKey>[0]) =>
      platform.access.createApiKey({ accountId: account.id, ...input })
    const answer = (status: number, code: string) => ({
      status,
      type: 'application/json; charset=utf-8',
      headers: expect.any(Object),
      body: {
        success: false,
        error: expect.any(String),
        error_id: expect.any(String),
        error_code: code,
        error_message: expect.any(String),
        data: null,
      },
    })
    const unauthorised = answer(401, 'AUTH_USER_UNAUTHORISED')
    const forbidden = answer(403, 'USER_ACCESS_FORBIDDEN')
    expect(await refusedUpgrade(`${base}/desk/v1/ws`)).toEqual(unauthorised)
    expect(await refusedUpgrade(url(''))).toEqual(unauthorised)
    expect(await refusedUpgrade(`${url(desk.secret)}&api_key=${desk.secret}`)).toEqual(unauthorised)
    expect(await refusedUpgrade(url(`${desk.secret}x`))).toEqual(unauthorised)
    expect(await refusedUpgrade(url((await issue({ kind: 'workspace' })).secret))).toEqual(forbidden)
    const project = await issue({ kind: 'project', agentId: agent.id })
    expect(await refusedUpgrade(url(project.secret))).toEqual(forbidden)
    await platform.access.revokeApiKey(desk.key.id)
    expect(await refusedUpgrade(url(desk.secret))).toEqual(unauthorised)
  })

  test.each([
    ['without a key', '/desk/v1/ws', {}, 401],
    ['of a page elsewhere', '/desk/v1/ws', { origin: 'https://evil.example' }, 403],
    ['beyond the bound', '/desk/v1/ws', {}, 429],
    ['that is none', '/desk/v1/ws', { 'sec-websocket-version': '7' }, 400],
    ['that breaks', '/desk/v1/ws', {}, 500],
  ] as const)(
    'HT18 the error id of a handshake %s is its correlation id',
    async (how, path, headers, status) => {
      const { base, desk, store } = await serve(how === 'beyond the bound' ? { maxHandshakes: 0 } : {})
      if (how === 'that breaks')
        store.access.apiKeys.findByHash = () => Promise.reject(new Error('disk gone'))
      const key = how === 'without a key' ? '' : `?api_key=${desk.secret}`
      const ids = new Set<string>()
      for (const given of [{}, {}, { 'x-correlation-id': 'mine' }]) {
        const refused = await refusedUpgrade(base + path + key, { ...headers, ...given })
        expect(refused.status).toBe(status)
        const { 'x-correlation-id': id, 'x-ai-correlation-id': same } = refused.headers
        expect([same, refused.body]).toEqual([id, expect.objectContaining({ error_id: id })])
        ids.add(String(id))
      }
      expect([ids.size, ids.has('mine')]).toEqual([3, true])
    },
  )

  test('DK8 an account hears of its own visitors alone', async () => {
    const { platform, desk, url, visitor } = await serve()
    const other = await platform.access.createAccount({ slug: 'other', name: 'Other' })
    const { secret } = await platform.access.createApiKey({ kind: 'desk', accountId: other.id })
    const stranger = await openClient(url(secret))
    const live = await openClient(url(desk.secret))
    const { client } = await visitor()
    say(client, 'person')
    await heard(live, 'handoff.waiting')
    // A ping is answered behind whatever was sent before.
    await new Promise(resolve => {
      stranger.socket.once('pong', resolve)
      stranger.socket.ping()
    })
    expect(stranger.received).toEqual([])
  })

  test('DK8 a key that is revoked closes its sockets with 1008, and no others', async () => {
    const { platform, account, desk, url } = await serve({ pingInterval: 250 })
    const second = await platform.access.createApiKey({ kind: 'desk', accountId: account.id })
    const revoked = await openClient(url(desk.secret))
    const kept = await openClient(url(second.secret))
    await platform.access.revokeApiKey(desk.key.id)
    expect(await revoked.closed).toEqual({ code: 1008, reason: 'api key revoked' })
    await new Promise(resolve => kept.socket.once('ping', resolve))
    await new Promise(resolve => kept.socket.once('ping', resolve))
    expect(kept.socket.readyState).toBe(WebSocket.OPEN)
  })

  test('CR5 DK8 a revoked key closes its sockets at once, an expired one within `revocationCheck`', async () => {
    const { platform, account, clock, desk, url } = await serve()
    const expiresAt = clock.now() + 5_000
    const ending = await platform.access.createApiKey({ kind: 'desk', accountId: account.id, expiresAt })
    const revoked = await openClient(url(desk.secret))
    const expired = await openClient(url(ending.secret))
    await platform.access.revokeApiKey(desk.key.id)
    expect(await revoked.closed).toEqual({ code: 1008, reason: 'api key revoked' })
    await clock.advance(4_999)
    expect(expired.socket.readyState).toBe(WebSocket.OPEN)
    await clock.advance(15_000)
    expect((await expired.closed).code).toBe(1008)
    expect((await refusedUpgrade(url(ending.secret))).status).toBe(401)
  })

  test('DK8 keys are for their region', async () => {
    const hosts = {
      base: { eu: 'api.eu.example.com', us: 'api.us.example.com' },
      platform: {},
      messaging: {},
    }
    const { platform, account, url } = await serve({}, { hosts })
    const { secret } = await platform.access.createApiKey({
      kind: 'desk',
      accountId: account.id,
      region: 'eu',
    })
    expect((await refusedUpgrade(url(secret), { host: 'api.us.example.com' })).status).toBe(401)
    const live = await openClient(url(secret), { host: 'api.eu.example.com' })
    expect(live.socket.readyState).toBe(WebSocket.OPEN)
  })

  test('HT33, SM20 a wrong key counts for the address that a trusted proxy names, region and rate included', async () => {
    const hosts = {
      base: { eu: 'api.eu.example.com', us: 'api.us.example.com' },
      platform: {},
      messaging: {},
    }
    const limits = { failedAuthentication: { perSecond: 0.5, burst: 2 } }
    const { platform, account, url } = await serve({ trustProxy: true }, { hosts, rateLimits: limits })
    const issued = await platform.access.createApiKey({ kind: 'desk', accountId: account.id, region: 'eu' })
    const at = (region: string, address: string) => ({
      'x-forwarded-host': `api.${region}.example.com`,
      'x-forwarded-for': `6.6.6.6, ${address}`,
      'x-forwarded-proto': 'https',
    })
    for (const status of [401, 401, 429])
      expect((await refusedUpgrade(url(issued.secret), at('us', '192.0.2.1'))).status).toBe(status)
    const refused = await refusedUpgrade(url(issued.secret), at('us', '192.0.2.1'))
    expect([refused.headers['retry-after'], refused.body]).toEqual([
      '2',
      expect.objectContaining({ error_code: 'RATE_LIMITED' }),
    ])
    const live = await openClient(url(issued.secret), at('eu', '192.0.2.2'))
    expect(live.socket.readyState).toBe(WebSocket.OPEN)
  })

  test('DK8 a check that breaks is 500 without a word of the cause, and the host is told', async () => {
    const { store, desk, errors, url } = await serve()
    const broken = new Error('disk gone')
    store.access.apiKeys.findByHash = () => Promise.reject(broken)
    const { status, body } = await refusedUpgrade(url(desk.secret))
    expect(status).toBe(500)
    expect(JSON.stringify(body)).not.toContain('disk')
    expect(errors).toEqual([broken])
  })

  test('DK8 plain text is refused with 403 where a trusted proxy says so', async () => {
    const { desk, url } = await serve({ trustProxy: true })
    const plain = await refusedUpgrade(url(desk.secret), { 'x-forwarded-proto': 'http' })
    expect(plain).toMatchObject({
      status: 403,
      body: { success: false, error_code: 'USER_ACCESS_FORBIDDEN' },
    })
    const secure = await openClient(url(desk.secret), { 'x-forwarded-proto': 'https' })
    expect(secure.socket.readyState).toBe(WebSocket.OPEN)
  })
})

describe('bad company', () => {
  test('DK8 a client too slow to read is closed with 1013, the others hear on', async () => {
    // It is cut off by no timer, however long the others take.
    const patient = { pingInterval: 2 ** 31 - 1, closeTimeout: 2 ** 31 - 1 }
    const { desk, url, visitor } = await serve({ maxBufferedBytes: 50_000, ...patient })
    const slow = await openClient(url(desk.secret))
    const quick = await openClient(url(desk.secret))
    const { client } = await visitor()
    say(client, 'person')
    await Promise.all([heard(slow, 'handoff.waiting'), heard(quick, 'handoff.waiting')])
    slow.socket.pause()
    const messages = () => quick.received.filter(({ type }) => type === 'handoff.visitor_message')
    const text = 'x'.repeat(130_000)
    for (let count = 1; count <= 45; count++) {
      say(client, text)
      await quick.until(() => messages().length === count)
    }
    slow.socket.resume()
    expect((await slow.closed).code).toBe(1013)
    expect(slow.received.length).toBeLessThan(quick.received.length)
  })

  test('DK8 what is told first waits for a client that reads slowly', async () => {
    const { desk, url, visitor, clock } = await serve({ maxBufferedBytes: 50_000 })
    const early = await openClient(url(desk.secret))
    for (let count = 0; count < 30; count++) say((await visitor()).client, 'at length')
    await early.until(() => early.received.length === 30)
    const late = await openClient(url(desk.secret))
    late.socket.pause()
    await clock.settle()
    late.socket.resume()
    await late.until(() => late.received.length === 30)
    const ids = (client: Client) =>
      client.received.map(event => /"handoff_id":"([^"]+)"/.exec(JSON.stringify(event))?.[1])
    expect(new Set(ids(late)).size).toBe(30)
    expect(new Set(ids(late))).toEqual(new Set(ids(early)))
  })

  test('DK8 a line that cannot be read closes with 1011, and the host is told', async () => {
    const { store, desk, errors, url } = await serve()
    const broken = new Error('disk gone')
    store.conversations.handoffs.list = () => Promise.reject(broken)
    const live = await openClient(url(desk.secret))
    expect((await live.closed).code).toBe(1011)
    expect(errors).toContain(broken)
  })

  test('DK8 going away closes every socket with 1001 and takes no more', async () => {
    const { desk, endpoint, url } = await serve()
    const live = await openClient(url(desk.secret))
    await endpoint.close()
    expect((await live.closed).code).toBe(1001)
  })

  test('DK8 paths that neither endpoint serves are 404', async () => {
    const { base } = await serve()
    expect((await refusedUpgrade(`${base}/desk/v1/other`)).status).toBe(404)
    expect((await refusedUpgrade(`${base}/desk/v1/ws/`)).status).toBe(404)
  })
})

test('HT42 once the platform was closed, handshakes of visitors and of the desk are 503, and no error is told', async () => {
  const { platform, base, url, desk, errors } = await serve()
  await platform.close()
  const visitor = await refusedUpgrade(`${base}/ws?session_id=AS-1&access_token=x`)
  expect(visitor).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
  expect(visitor.body).toMatchObject({ message: expect.stringContaining('going away') })
  const agent = await refusedUpgrade(url(desk.secret))
  expect(agent).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
  expect(agent.body).toMatchObject({ error_code: 'PLATFORM_CLOSED' })
  expect(errors).toEqual([])
})
