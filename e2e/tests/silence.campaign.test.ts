import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { inspect } from 'node:util'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform, type Log } from '@colloquy/core'
import type { Store } from '@colloquy/core/store'
import { createRequestListener } from '@colloquy/http-express'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'
import { attachDesk, attachMessaging } from '@colloquy/ws-transport'
import { expect, onTestFinished, test, vi } from 'vitest'

/** What a test sends; the answer is everything that comes back, in one text. */
interface Sent {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly upgrade?: boolean
}

const UPGRADE = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
}

/** Sends a request and takes whatever comes: head and body, or the first bytes of a socket. */
function send(
  port: number,
  { method = 'GET', path, headers = {}, body, upgrade = false }: Sent,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ port, method, path, headers: { ...(upgrade ? UPGRADE : {}), ...headers } })
    outgoing.on('error', reject)
    outgoing.on('upgrade', ({ statusCode, rawHeaders }, socket, head) => {
      socket.destroy()
      resolve([statusCode, rawHeaders, String(head)].join('\n'))
    })
    outgoing.on('response', response => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        text += part
      })
      response.on('end', () => resolve([response.statusCode, response.rawHeaders, text].join('\n')))
    })
    outgoing.end(body)
  })
}

/** A store whose parts fail when told to; the errors of accounts and credentials say what they were asked, as careless ones do. */
function failing(kept: Store) {
  const state = { broken: false }
  const breakable = <Part extends object>(part: Part, tells: boolean): Part =>
    new Proxy(part, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name)
        if (typeof method === 'object' && method !== null) return breakable(method, tells)
        if (!state.broken || typeof method !== 'function') return method
        return (...input: unknown[]) =>
          Promise.reject(new Error(`disk gone: ${String(name)}${tells ? ` ${JSON.stringify(input)}` : ''}`))
      },
    })
  const store: Store = {
    agents: breakable(kept.agents, false),
    conversations: breakable(kept.conversations, false),
    webhooks: breakable(kept.webhooks, false),
    alerts: breakable(kept.alerts, false),
    access: breakable(kept.access, true),
    audit: breakable(kept.audit, false),
    close: () => kept.close(),
  }
  return { store, state }
}

/** Everything on one server, and everything that it says to its host. */
async function serve() {
  const told: string[] = []
  const tell = (...what: unknown[]): void => {
    told.push(inspect(what, { depth: 12, maxStringLength: null, showHidden: true }))
  }
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const)
    vi.spyOn(console, method).mockImplementation(tell)
  onTestFinished(() => {
    vi.restoreAllMocks()
  })
  const log: Log = { debug: tell, info: tell, warn: tell, error: tell }
  const { store, state } = failing(createSqliteStore({ filename: ':memory:' }))
  const platform = createPlatform({
    ...{ store, log, rateLimits: null, runtime: createRetrievalRuntime() },
    onError: tell,
  })
  const server = createServer(createRequestListener(platform))
  const endpoints = [attachMessaging(server, platform), attachDesk(server, platform)]
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  onTestFinished(async () => {
    state.broken = false
    await Promise.all(endpoints.map(endpoint => endpoint.close()))
    server.closeAllConnections()
    server.close()
    await platform.close()
  })
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  return { platform, state, told, send: (sent: Sent) => send(port, sent) }
}

type Served = Awaited<ReturnType<typeof serve>>

/** A credential of every kind, and some that work no more. */
async function credentials({ platform }: Served) {
  const { access, agents, messaging } = platform
  const account = await access.createAccount({ accountId: 'ws-one', slug: 'one', name: 'One' })
  const agent = await agents.create({ accountId: account.id, name: 'Desk', greeting: 'Hello.' })
  await agents.publish(agent.id, { environment: 'live' })
  const issue = async (input: Parameters<typeof access.createApiKey>[0]) => access.createApiKey(input)
  const keys = await Promise.all([
    issue({ kind: 'operator' }),
    ...(['workspace', 'project', 'external_events', 'desk'] as const).map(kind =>
      issue({ kind, accountId: account.id }),
    ),
    issue({ kind: 'desk', accountId: account.id, secret: 'brought-by-the-host-itself' }),
  ])
  const revoked = await issue({ kind: 'workspace', accountId: account.id })
  await access.revokeApiKey(revoked.key.id)
  const expired = await issue({ kind: 'workspace', accountId: account.id, expiresAt: Date.now() + 3_000 })
  await vi.waitUntil(() => Date.now() > (expired.key.expiresAt ?? 0))
  const { token } = await access.createConnector({
    ...{ accountId: account.id, agentId: agent.id, hosts: ['example.com'] },
    environment: 'live',
  })
  const { accessToken } = await messaging.issueAccessToken({
    connectorToken: token,
    host: 'example.com',
    remoteAddress: '192.0.2.1',
  })
  const { sessionId } = await messaging.createSession({
    authorization: `Bearer ${accessToken}`,
    streaming: false,
  })
  const good = [...keys.map(({ secret }) => secret), token, accessToken]
  const dead = [revoked.secret, expired.secret]
  // A wrong one differs in the middle, so that its end is one that must not be seen.
  const wrong = good.map(secret => `${secret.slice(0, 12)}~${secret.slice(13)}`)
  return { agentId: agent.id, sessionId, secrets: [...good, ...dead, ...wrong], all: [...good, ...dead] }
}

const PLACES: readonly ((secret: string) => Pick<Sent, 'headers'>)[] = [
  secret => ({ headers: { 'x-api-key': secret } }),
  secret => ({ headers: { authorization: `Bearer ${secret}` } }),
  secret => ({ headers: { authorization: secret } }),
  secret => ({ headers: { authorization: `Basic ${secret}` } }),
  secret => ({ headers: { 'x-token': secret, 'x-host': 'example.com' } }),
  secret => ({ headers: { 'x-token': 'nonsense', 'x-host': secret } }),
  secret => ({ headers: { cookie: `key=${secret}`, origin: `https://${secret}`, host: secret } }),
]

/** Requests for every family that carry the secret in the address or in the body. */
function* requests(secret: string, agentId: string, sessionId: string): Generator<Sent> {
  const text = encodeURIComponent(secret)
  const json = { 'content-type': 'application/json', authorization: `Bearer ${secret}`, 'x-api-key': secret }
  const paths = [
    ...[
      '/v1/accounts/ws-one/agents',
      `/v1/accounts/${text}/agents`,
      `/v1/agents/${text}`,
      `/v1/agents/${agentId}`,
    ],
    ...[`/v1/ws-one/${agentId}/conversations`, `/v1/${text}/${text}/conversations`, '/operator/v1/api-keys'],
    ...[`/v3/ws-one/${agentId}/conversations`, '/operator/v1/token-keys', '/operator/v1/connectors'],
    ...[`/operator/v1/connectors/${text}`, '/desk/v1/handoffs', `/desk/v1/handoffs/${text}`, `/${text}`],
    ...['/v1/webhook-endpoints', `/v1/ws-one/${agentId}/conversations/concurrency`],
  ]
  for (const place of PLACES) {
    yield { path: '/v1/accounts/ws-one/agents', ...place(secret) }
    yield { path: '/operator/v1/accounts', ...place(secret) }
    yield { path: '/api/v1/access-token', method: 'POST', body: '{}', ...place(secret) }
    yield { path: '/api/v1/sessions', method: 'POST', ...place(secret) }
    yield { path: '/desk/v1/ws', upgrade: true, ...place(secret) }
  }
  for (const path of paths) {
    yield { path, headers: json }
    yield {
      path: `${path}?api_key=${text}&access_token=${text}&cursor=${text}&limit=${text}&status=${text}`,
      headers: json,
    }
    yield { path, method: 'DELETE', headers: { 'x-api-key': 'wrong' } }
  }
  const bodies = [
    JSON.stringify({ key: secret, secret, token: secret, kind: secret, accountId: secret, region: 'us us' }),
    JSON.stringify({ kind: 'desk', accountId: secret, permissions: [secret], expiresAt: secret }),
    JSON.stringify({ environment: secret, hosts: [`${secret} `], revokeEarlier: secret }),
    `{"key": "${secret}`,
    secret,
  ]
  for (const body of bodies)
    for (const path of [
      ...['/operator/v1/api-keys', '/operator/v1/connectors', '/operator/v1/token-keys/rotate'],
      ...['/v1/accounts/ws-one/agents', '/api/v1/sessions', `/v1/agents/${agentId}/debug-chat`],
      `/v1/external-events/webhook?event_id_location=payload&event_id_path=${text}&account_id=ws-one&project_id=${agentId}`,
    ])
      yield { path, method: 'POST', headers: json, body }
  for (const session of [sessionId, text, ''])
    yield { path: `/ws?session_id=${session}&access_token=${text}&cursor=${text}`, upgrade: true }
  yield { path: `/desk/v1/ws?api_key=${text}&agent_id=${text}`, upgrade: true }
  yield { path: `/desk/v1/ws?api_key=${text}&access_token=${text}`, upgrade: true }
  yield { path: `/${text}?access_token=${text}`, upgrade: true }
}

/** The secret, and its end, as they would stand in a text. */
const traces = (secret: string): readonly string[] => [secret.slice(-12), secret.slice(-24, -12)]

test('CR20 no credential stands in any answer or log, wherever it was sent, good or bad, in order or broken', async () => {
  const served = await serve()
  const { agentId, sessionId, secrets, all } = await credentials(served)
  const needles = all.flatMap(traces)
  const leaks = new Set<string>()
  const statuses = new Map<string, number>()
  const search = (text: string, what: string): void => {
    if (needles.some(needle => text.includes(needle))) leaks.add(`${what}: ${text}`)
  }
  for (const broken of [false, true]) {
    served.state.broken = broken
    for (const secret of secrets)
      for (const sent of requests(secret, agentId, sessionId)) {
        const answer = await served.send(sent)
        const status = answer.slice(0, 3)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        // Whoever was let in is told which id there is not, in the words of the address.
        const named = status === '404' && sent.path.split('?')[0]?.includes(encodeURIComponent(secret))
        if (!named) search(answer, `${sent.method ?? 'GET'} ${sent.path}`)
      }
  }
  served.state.broken = false
  for (const text of served.told) search(text, 'told')
  expect([...leaks].slice(0, 3)).toEqual([])
  // It went all ways: let in, opened, refused in each manner, and broken.
  for (const status of ['101', '200', '400', '401', '403', '404', '500'])
    expect(statuses.get(status) ?? 0, status).toBeGreaterThan(3)
  expect(served.told.length).toBeGreaterThan(100)
})
