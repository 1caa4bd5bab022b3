import { createMessagingBench } from '@colloquy/test-support/messaging-bench'
import { SignJWT } from 'jose'
import { describe, expect, test, vi } from 'vitest'
import { PlatformError } from '../../src/errors.ts'
import { createDispatcher, type DispatcherOptions } from '../../src/http/dispatcher.ts'
import { messagingRoutes } from '../../src/http/routes/messaging.ts'
import { isRefusal } from '../../src/testing/socket-pair.ts'

type Bench = Awaited<ReturnType<typeof createMessagingBench>>

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

/** A token with the claims of a genuine one, except as told. */
async function forge(
  bench: Bench,
  change: { readonly claims?: object; readonly secret?: Uint8Array; readonly alg?: string } = {},
): Promise<string> {
  const [key] = await bench.context.store.access.tokenKeys.list()
  const claims = { ...claimsOf(bench.accessToken), ...change.claims }
  return new SignJWT(claims)
    .setProtectedHeader({ alg: change.alg ?? 'HS256', typ: 'JWT', kid: key?.id ?? '' })
    .sign(change.secret ?? new TextEncoder().encode(key?.secret))
}

const accepts = (bench: Bench, token: string): Promise<boolean> =>
  bench.messaging.createSession({ authorization: `Bearer ${token}`, streaming: false }).then(
    () => true,
    () => false,
  )

describe('access tokens', () => {
  test('CR10 a token is a three-part JWT with a numeric exp that names connector, visitor and agent', async () => {
    const bench = await createMessagingBench()
    const { accessToken, expiresIn } = await bench.issue()
    expect(accessToken.split('.')).toHaveLength(3)
    expect(expiresIn).toBe(86_400)
    const claims = claimsOf(accessToken)
    expect(claims.exp - Math.floor(bench.clock.now() / 1000)).toBe(86_400)
    expect(claims).toMatchObject({ connector_id: bench.connector.id, agent_id: 'PROJECT-A' })
    expect(claims.sub).not.toBe(claimsOf((await bench.issue()).accessToken).sub)
  })

  test('CR10 genuine tokens are accepted, also one with the same claims signed anew', async () => {
    const bench = await createMessagingBench()
    expect(await accepts(bench, bench.accessToken)).toBe(true)
    expect(await accepts(bench, await forge(bench))).toBe(true)
  })

  test('CR10 alg none, another algorithm, a foreign secret and other claims are refused', async () => {
    const bench = await createMessagingBench()
    const [, payload, signature] = bench.accessToken.split('.')
    const none = base64url({ alg: 'none' })
    const forged = [
      `${none}.${payload}.`,
      `${none}.${payload}.${signature}`,
      await forge(bench, { alg: 'HS512' }),
      await forge(bench, { secret: new TextEncoder().encode('another secret of the same length') }),
      await forge(bench, { claims: { iss: 'somebody' } }),
      await forge(bench, { claims: { aud: 'something' } }),
      await forge(bench, { claims: { connector_id: 'CONNECTOR-none' } }),
      await forge(bench, { claims: { agent_id: 'PROJECT-B' } }),
      await forge(bench, { claims: { exp: undefined } }),
      'a.b.c',
      'x'.repeat(100_000),
    ]
    expect(await Promise.all(forged.map(token => accepts(bench, token)))).toEqual(forged.map(() => false))
  })

  test('CR10 a token with a changed payload or signature is refused', async () => {
    const bench = await createMessagingBench()
    const [header, payload, signature = ''] = bench.accessToken.split('.')
    const other = base64url({ ...claimsOf(bench.accessToken), sub: 'somebody else' })
    const flipped = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1)
    expect(await accepts(bench, `${header}.${other}.${signature}`)).toBe(false)
    expect(await accepts(bench, `${header}.${payload}.${flipped}`)).toBe(false)
  })

  test('CR10 a token works until it expires, and not from then on', async () => {
    const bench = await createMessagingBench({ accessTokenSeconds: 60 })
    await bench.clock.advance(59_000)
    expect(await accepts(bench, bench.accessToken)).toBe(true)
    await bench.clock.advance(1_000)
    expect(await accepts(bench, bench.accessToken)).toBe(false)
  })

  test('CR10 a revoked connector takes its tokens with it', async () => {
    const bench = await createMessagingBench()
    const sessionId = await bench.session()
    await bench.access.revokeConnector(bench.connector.id)
    expect(await accepts(bench, bench.accessToken)).toBe(false)
    expect(
      await bench.messaging.handshake({ sessionId, accessToken: bench.accessToken, cursor: null }),
    ).toEqual({ status: 401, message: 'authentication failed' })
    await expect(bench.issue()).rejects.toThrow('Connector token does not exist')
  })
})

describe('issuing access tokens', () => {
  const issue = (bench: Bench, connectorToken: string | null, host: string | null) =>
    bench.messaging.issueAccessToken({ connectorToken, host, remoteAddress: '192.0.2.7' })

  test('each way in which it fails has its own text, with 401', async () => {
    const bench = await createMessagingBench()
    const { connector, token: bare } = await bench.access.createConnector({
      accountId: 'ws-one',
      agentId: 'PROJECT-A',
      environment: 'live',
      hosts: ['soon.example'],
    })
    const stored = await bench.context.store.access.connectors.find(connector.id)
    if (stored === null) throw new Error('The connector is not there.')
    await bench.context.store.access.connectors.update(stored, { ...stored, hosts: [] })
    const texts: readonly (readonly [string | null, string | null, string])[] = [
      [null, 'example.com', 'Missing authentication headers'],
      [bench.connectorToken, null, 'Missing authentication headers'],
      [bench.connectorToken, '', 'Missing authentication headers'],
      ['nonsense', 'example.com', 'Connector token does not exist'],
      [bench.connectorToken, 'example.org', 'Failed to validate connector'],
      [bench.connectorToken, 'notexample.com', 'Failed to validate connector'],
      [bare, 'soon.example', 'Connector missing host domain'],
    ]
    for (const [token, host, text] of texts)
      await expect(issue(bench, token, host)).rejects.toMatchObject({
        code: 'MESSAGING_UNAUTHORISED',
        message: text,
      })
  })

  test('an origin, the domain and its subdomains are good hosts', async () => {
    const bench = await createMessagingBench()
    for (const host of ['example.com', 'https://shop.example.com:8443', 'A.B.Example.com'])
      await expect(issue(bench, bench.connectorToken, host)).resolves.toHaveProperty('accessToken')
  })

  test('tokens are rationed by connector and address', async () => {
    const bench = await createMessagingBench({
      rateLimits: {
        key: { perSecond: 1, burst: 1 },
        session: { perSecond: 1, burst: 1 },
        accessToken: { perSecond: 1, burst: 2 },
      },
    })
    const issue = () => bench.issue()
    await issue()
    await expect(issue()).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      details: { retryAfterSeconds: 1 },
    })
    await expect(
      bench.messaging.issueAccessToken({
        connectorToken: bench.connectorToken,
        host: 'example.com',
        remoteAddress: '192.0.2.99',
      }),
    ).resolves.toHaveProperty('accessToken')
    await bench.clock.advance(1_000)
    await expect(issue()).resolves.toHaveProperty('accessToken')
  })
})

describe('sessions', () => {
  test('MS45 a session begins with what its connector says and the deployment that is active', async () => {
    const bench = await createMessagingBench({ sessionIdle: 5_000 })
    const sessionId = await bench.session(true)
    expect(sessionId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/)
    expect(bench.engine.conversation(sessionId).state).toMatchObject({
      kind: 'messaging',
      accountId: 'ws-one',
      agentId: 'PROJECT-A',
      environment: 'live',
      connectorId: bench.connector.id,
      streaming: true,
      idleTimeout: 5_000,
      deploymentId: 'DEPLOYMENT-1',
      revision: 3,
      agentName: 'Front desk',
      record: { language: 'en-GB', variantId: 'v1', variantName: 'Default' },
    })
    expect(JSON.stringify(bench.engine.conversation(sessionId).state)).not.toContain(bench.accessToken)
  })

  test('MS45 a session may begin before anything is deployed', async () => {
    const bench = await createMessagingBench()
    bench.setPinning(null)
    const sessionId = await bench.session()
    expect(bench.engine.conversation(sessionId).state).toMatchObject({ deploymentId: null, revision: null })
  })

  test.each([
    [null, 'MESSAGING_BAD_REQUEST', 'Missing access token'],
    ['', 'MESSAGING_BAD_REQUEST', 'Missing access token'],
    ['Bearer', 'MESSAGING_BAD_REQUEST', 'Missing access token'],
    ['Basic abc', 'MESSAGING_UNAUTHORISED', 'Missing authentication headers'],
    ['Bearer nonsense', 'MESSAGING_UNAUTHORISED', 'Invalid access token'],
  ])('MS45 the authorization %s is refused', async (authorization, code, message) => {
    const bench = await createMessagingBench()
    await expect(bench.messaging.createSession({ authorization, streaming: false })).rejects.toMatchObject({
      code,
      message,
    })
  })
})

describe('handshakes', () => {
  test('MS10 each way in which one fails has its status and text', async () => {
    const bench = await createMessagingBench()
    const sessionId = await bench.session()
    const { accessToken } = bench
    const other = (await bench.issue()).accessToken
    const ended = await bench.session()
    await bench.engine.execute(ended, { type: 'end', sender: null, custom: null, clientEventId: null })
    const try_ = (session: string | null, token: string | null) =>
      bench.messaging.handshake({ sessionId: session, accessToken: token, cursor: null })
    expect(await try_(null, accessToken)).toEqual({ status: 400, message: 'invalid connection parameters' })
    expect(await try_(sessionId, '')).toEqual({ status: 400, message: 'invalid connection parameters' })
    expect(await try_(sessionId, 'nonsense')).toEqual({ status: 401, message: 'authentication failed' })
    expect(await try_(sessionId, other)).toEqual({ status: 401, message: 'authentication failed' })
    for (const unknown of ['nonsense', '../..', '00000000-0000-4000-8000-000000000000', ended])
      expect(await try_(unknown, accessToken)).toEqual({ status: 404, message: 'session not found' })
    const good = await try_(sessionId, accessToken)
    expect(isRefusal(good)).toBe(false)
  })

  test('MS10 a frame says whose page is around it, and only a host of the connector gets in', async () => {
    const bench = await createMessagingBench()
    const input = { sessionId: await bench.session(), accessToken: bench.accessToken, cursor: null }
    const from = (frameHost: string | null) => bench.messaging.handshake({ ...input, frameHost })
    for (const other of ['evil.example', 'null', '', 'example.com.evil.example'])
      expect(await from(other), other).toEqual({
        status: 403,
        message: "origin not allowed: the page's host is not registered with the connector",
      })
    for (const own of [null, 'example.com', 'shop.example.com'])
      expect(isRefusal(await from(own))).toBe(false)
  })

  test('MS10 while the store is busy a handshake is to come again, and no place stays taken', async () => {
    const bench = await createMessagingBench()
    const sessionId = await bench.session()
    const input = { sessionId, accessToken: bench.accessToken, cursor: null }
    const busy = new PlatformError('STORE_BUSY', 'The store is busy. Try again.', { retryAfterSeconds: 3 })
    for (let time = 0; time < 11; time++) {
      vi.spyOn(bench.engine, 'read').mockRejectedValueOnce(busy)
      expect(await bench.messaging.handshake(input)).toEqual({
        status: 503,
        message: 'the store is busy',
        retryAfterSeconds: 3,
      })
    }
    const other = new Error('the disk is gone')
    vi.spyOn(bench.engine, 'read').mockRejectedValueOnce(other)
    await expect(bench.messaging.handshake(input)).rejects.toBe(other)
    expect(isRefusal(await bench.messaging.handshake(input))).toBe(false)
  })

  test('MS10 no other kind of conversation can be reached', async () => {
    const bench = await createMessagingBench()
    const sessionId = await bench.session()
    const kept = bench.engine.conversation(sessionId)
    kept.state = { ...kept.state, kind: 'debug' }
    expect(
      await bench.messaging.handshake({ sessionId, accessToken: bench.accessToken, cursor: null }),
    ).toMatchObject({ status: 404 })
    kept.state = { ...kept.state, kind: 'messaging', id: sessionId }
    await expect(bench.connect(sessionId)).resolves.toBeDefined()
  })

  test('MS10 ten connections and no more; one that leaves or never opens gives its place back', async () => {
    const bench = await createMessagingBench()
    const sessionId = await bench.session()
    const input = { sessionId, accessToken: bench.accessToken, cursor: null }
    const pairs = await Promise.all(Array.from({ length: 9 }, () => bench.connect(sessionId)))
    const tenth = await bench.messaging.handshake(input)
    const limit = {
      status: 429,
      message: 'connection limit exceeded for session',
      retryAfterSeconds: 5,
    }
    expect(await bench.messaging.handshake(input)).toEqual(limit)
    if (isRefusal(tenth)) throw new Error('refused')
    tenth.abandon()
    tenth.abandon()
    pairs.push(await bench.connect(sessionId))
    expect(await bench.messaging.handshake(input)).toEqual(limit)
    pairs[0]?.close()
    pairs[0]?.flushToServer()
    expect(isRefusal(await bench.messaging.handshake(input))).toBe(false)
    // One for the conversation, one for its connector.
    expect(bench.notices.subscriptions).toBe(2)
  })

  test('MS10 when the last connection has left, nothing of the session stays in the process', async () => {
    const bench = await createMessagingBench()
    const sessionId = await bench.session()
    const pair = await bench.connect(sessionId)
    await pair.flush()
    // One for the conversation, one for its connector.
    expect(bench.notices.subscriptions).toBe(2)
    pair.close()
    await pair.flush()
    await bench.clock.settle()
    expect(bench.notices.subscriptions).toBe(0)
    expect(bench.clock.pending).toBe(0)
  })
})

describe('messaging over HTTP', () => {
  const request = (path: string, headers: Record<string, string>, body = '', secure = true) => ({
    method: 'POST',
    path,
    query: '',
    headers,
    body: async () => new TextEncoder().encode(body),
    remoteAddress: '192.0.2.7',
    secure,
  })

  async function serve(options: DispatcherOptions = {}) {
    const bench = await createMessagingBench()
    const dispatcher = createDispatcher(bench.platform, messagingRoutes, options)
    const call = async (path: string, headers: Record<string, string>, body = '', secure = true) => {
      const response = await dispatcher.handle(request(path, headers, body, secure))
      return { status: response.status, body: JSON.parse(response.body ?? 'null') }
    }
    return { bench, call }
  }

  test('an access token and a session are made', async () => {
    const { bench, call } = await serve()
    const token = await call('/api/v1/access-token', {
      'x-token': bench.connectorToken,
      'x-host': 'example.com',
    })
    expect(token).toEqual({
      status: 200,
      body: { access_token: expect.any(String), expires_in: 86_400, token_type: 'Bearer' },
    })
    const authorization = `Bearer ${token.body.access_token}`
    for (const body of ['', '{}', '{"streaming_enabled":true,"platform":"ios-web","extra":[1]}']) {
      const session = await call('/api/v1/sessions', { authorization }, body)
      expect(session).toEqual({ status: 200, body: { session_id: expect.any(String) } })
      const { streaming } = bench.engine.conversation(session.body.session_id).state
      expect(streaming).toBe(body.includes('true'))
    }
  })

  test('errors are {message, error}, both the text', async () => {
    const { bench, call } = await serve()
    const authorization = `Bearer ${bench.accessToken}`
    const both = (status: number, text: string) => ({ status, body: { message: text, error: text } })
    expect(await call('/api/v1/access-token', {})).toEqual(both(401, 'Missing authentication headers'))
    expect(await call('/api/v1/sessions', {})).toEqual(both(400, 'Missing access token'))
    for (const body of ['{', '[]', '7', '{"streaming_enabled":"yes"}', '{"platform":"toaster"}'])
      expect(await call('/api/v1/sessions', { authorization }, body)).toEqual(
        both(400, 'Error parsing request'),
      )
  })

  test.each([
    ['none', undefined, 400, 'Missing access token'],
    ['none that is a bearer', 'Basic abc', 401, 'Missing authentication headers'],
    ['none of ours', 'Bearer a.b.c', 401, 'Invalid access token'],
  ])('where the token is %s the body is not even read', async (_, authorization, status, text) => {
    const { bench } = await serve()
    const dispatcher = createDispatcher(bench.platform, messagingRoutes)
    const read = vi.fn(() => Promise.resolve(Buffer.from('{')))
    const headers = authorization === undefined ? {} : { authorization }
    const answer = await dispatcher.handle({ ...request('/api/v1/sessions', headers, ''), body: read })
    expect([answer.status, JSON.parse(answer.body ?? '')]).toEqual([status, { message: text, error: text }])
    expect(read).not.toHaveBeenCalled()
  })

  test('CR5 a connector that is revoked while the body comes opens no session', async () => {
    const { bench } = await serve()
    const dispatcher = createDispatcher(bench.platform, messagingRoutes)
    const start = vi.spyOn(bench.engine, 'start')
    const headers = { authorization: `Bearer ${bench.accessToken}` }
    const { status, body } = await dispatcher.handle({
      ...request('/api/v1/sessions', headers, ''),
      async body() {
        await bench.access.revokeConnector(bench.connector.id)
        return Buffer.from('{}')
      },
    })
    expect([status, body]).toMatchObject([401, expect.stringContaining('Invalid access token')])
    expect(start).not.toHaveBeenCalled()
  })

  test('MS14 plain text is taken where the host says so', async () => {
    const { bench, call } = await serve({ allowInsecure: true })
    const headers = { 'x-token': bench.connectorToken, 'x-host': 'example.com' }
    expect((await call('/api/v1/access-token', headers, '', false)).status).toBe(200)
    const authorization = `Bearer ${bench.accessToken}`
    expect((await call('/api/v1/sessions', { authorization }, '', false)).status).toBe(200)
  })

  test('MS14 plain text is refused', async () => {
    const { bench, call } = await serve()
    const headers = { 'x-token': bench.connectorToken, 'x-host': 'example.com' }
    expect((await call('/api/v1/access-token', headers, '', false)).status).toBe(403)
    const authorization = `Bearer ${bench.accessToken}`
    expect((await call('/api/v1/sessions', { authorization }, '', false)).status).toBe(403)
  })
})
