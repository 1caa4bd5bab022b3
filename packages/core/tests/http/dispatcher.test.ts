import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { TEST_ROUTES } from '@colloquy/test-support/routes'
import { describe, expect, test } from 'vitest'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { RESPONSE_HEADERS } from '../../src/http/response-headers.ts'
import type { HttpResponse } from '../../src/http/route.ts'
import type { SettingsInput } from '../../src/settings/settings-input.ts'
import { type RequestLike, request } from '../support/request.ts'

async function serve(settings: SettingsInput = {}) {
  const made = await createPopulatedPlatform(settings)
  const dispatcher = createDispatcher(made.platform, TEST_ROUTES)
  const call = (line: string, like?: RequestLike) => dispatcher.handle(request(line, like))
  /** With the key that a path's family asks for. */
  const callAs = (key: keyof typeof made.keys, line: string, like: RequestLike = {}) =>
    call(line, { ...like, headers: { 'x-api-key': made.keys[key], ...like.headers } })
  return { ...made, call, callAs }
}

const json = (response: HttpResponse): Record<string, unknown> => JSON.parse(response.body ?? 'null')
const told = (response: HttpResponse) => [response.status, json(response).error_code]

describe('paths and methods', () => {
  test('HT2 and HT30 unknown paths are 404 in the words of their family, none of ours in the envelope', async () => {
    const { call } = await serve()
    const ours = await call('GET /v1/agents/A/b/c/d')
    expect(told(ours)).toEqual([404, 'ROUTE_NOT_FOUND'])
    expect(json(await call('GET /v1/a/b/conversations/x/y'))).toEqual({ error_message: expect.any(String) })
    expect(told(await call('GET /index.html'))).toEqual([404, 'ROUTE_NOT_FOUND'])
  })

  test('HT2 another method is 405 with Allow, also OPTIONS (HT2), and the key plays no part', async () => {
    const { call } = await serve()
    for (const method of ['OPTIONS', 'PUT', 'GET', 'TRACE']) {
      const response = await call(`${method} /desk/v1/echo`)
      expect(told(response)).toEqual([405, 'METHOD_NOT_ALLOWED'])
      expect(response.headers.Allow).toBe('DELETE, POST')
    }
  })

  test('HT2 HEAD is GET without a body, errors included', async () => {
    const { call, callAs } = await serve()
    expect(await callAs('workspace', 'HEAD /v1/agents/PROJECT-A')).toMatchObject({ status: 200, body: null })
    expect(await call('HEAD /v1/agents/PROJECT-A')).toMatchObject({ status: 401, body: null })
  })
})

describe('hosts', () => {
  const hosts = {
    base: { us: 'api.us.example.com', uk: 'api.uk.example.com' },
    platform: { 'us-1': 'platform-us-1.example.com' },
    messaging: { default: 'chat.example.com' },
  }
  const on = (host: string) => ({ headers: { host } })

  test('SM3 a family answers on its own hosts alone', async () => {
    const { callAs } = await serve({ hosts })
    const agents = 'GET /v1/agents/PROJECT-A'
    const list = 'GET /v1/one/PROJECT-A/conversations'
    for (const host of ['api.us.example.com', 'API.UK.example.com:8443', 'api.us.example.com.'])
      expect((await callAs('workspace', agents, on(host))).status).toBe(200)
    for (const host of ['platform-us-1.example.com', 'chat.example.com', 'evil.com', ''])
      expect((await callAs('workspace', agents, on(host))).status).toBe(404)
    expect((await callAs('workspace', agents)).status).toBe(404)
    expect((await callAs('project', list, on('platform-us-1.example.com'))).status).toBe(200)
    expect((await callAs('project', list, on('api.us.example.com'))).status).toBe(404)
    expect((await callAs('project', list, on('platform.example.com'))).status).toBe(404)
    expect((await callAs('project', 'GET /api/v1/open/one', on('chat.example.com'))).status).toBe(200)
    expect((await callAs('desk', 'DELETE /desk/v1/echo', on('anything.example'))).status).toBe(204)
  })

  test('SM3 a base host without a region is 400 and names the regions', async () => {
    const { callAs } = await serve({ hosts })
    const response = await callAs('workspace', 'GET /v1/agents/PROJECT-A', on('api.example.com'))
    expect(told(response)).toEqual([400, 'HOST_WITHOUT_REGION'])
    expect(json(response).error_message).toContain('us (api.us.example.com), uk (api.uk.example.com)')
  })

  test('SM3 a key of another region is 401', async () => {
    const { call, platform } = await serve({ hosts })
    const { secret } = await platform.access.createApiKey({
      kind: 'workspace',
      accountId: 'one',
      region: 'us',
    })
    const at = (host: string) => call('GET /v1/agents/PROJECT-A', { headers: { 'x-api-key': secret, host } })
    expect((await at('api.us.example.com')).status).toBe(200)
    expect(told(await at('api.uk.example.com'))).toEqual([401, 'AUTH_USER_UNAUTHORISED'])
  })
})

describe('keys', () => {
  test('SM3 no good key is 401, whatever else is wrong with the request', async () => {
    const { call, platform, keys } = await serve()
    const revoked = await platform.access.createApiKey({ kind: 'workspace', accountId: 'one' })
    await platform.access.revokeApiKey(revoked.key.id)
    for (const key of ['', ' ', 'x', `${keys.workspace}x`, revoked.secret, 'ü', '__proto__'])
      for (const line of [
        'GET /v1/agents/PROJECT-A',
        'GET /v1/agents/nobody?limit=x',
        'GET /v1/agents/%zz',
        'GET /v1/accounts/nobody/agents',
        'POST /desk/v1/echo',
      ])
        expect(told(await call(line, { headers: { 'x-api-key': key }, body: '{' }))).toEqual([
          401,
          'AUTH_USER_UNAUTHORISED',
        ])
    expect((await call('GET /v1/agents/PROJECT-A')).status).toBe(401)
    const bearer = { headers: { authorization: `Bearer ${keys.workspace}` } }
    expect((await call('GET /v1/agents/PROJECT-A', bearer)).status).toBe(401)
  })

  test('SM3 a good key of another kind is 403 and the message says which is needed', async () => {
    const { callAs } = await serve()
    for (const key of ['project', 'externalEvents', 'desk', 'operator'] as const) {
      const response = await callAs(key, 'GET /v1/agents/PROJECT-A')
      expect(told(response)).toEqual([403, 'USER_ACCESS_FORBIDDEN'])
      expect(json(response).error_message).toContain('workspace')
    }
    expect((await callAs('workspace', 'GET /v1/one/PROJECT-A/conversations')).status).toBe(403)
  })

  test('SM3 a limited key opens what it is limited to', async () => {
    const { call, platform } = await serve()
    const { secret } = await platform.access.createApiKey({
      kind: 'project',
      accountId: 'one',
      permissions: ['conversations'],
    })
    const headers = { 'x-api-key': secret }
    expect((await call('GET /v1/one/PROJECT-A/conversations', { headers })).status).toBe(200)
    const refused = await call('GET /v1/one/PROJECT-A/conversations/concurrency', { headers })
    expect([refused.status, json(refused)]).toEqual([
      403,
      { error_message: 'The API key lacks the permission "analytics".' },
    ])
  })

  test.each([
    ['workspace', '/v1/accounts/ws-one/agents', 200, undefined],
    ['workspace', '/v1/accounts/one/agents', 200, undefined],
    ['workspace', '/v1/accounts/nobody/agents', 404, 'ACCOUNT_NOT_FOUND'],
    ['workspace', '/v1/accounts/two/agents', 403, 'USER_ACCESS_FORBIDDEN'],
    ['workspace', '/v1/agents/PROJECT-A', 200, undefined],
    ['workspace', '/v1/agents/PROJECT-B', 200, undefined],
    ['workspace', '/v1/agents/nobody', 404, 'PROJECT_NOT_FOUND'],
    ['workspace', '/v1/agents/PROJECT-Z', 403, 'USER_ACCESS_FORBIDDEN'],
    ['project', '/v1/one/PROJECT-A/conversations', 200, undefined],
    ['project', '/v1/ws-one/PROJECT-A/conversations', 200, undefined],
    ['project', '/v1/one/PROJECT-B/conversations', 403, undefined],
    ['project', '/v1/one/PROJECT-Z/conversations', 404, undefined],
    ['project', '/v1/two/PROJECT-Z/conversations', 403, undefined],
    ['project', '/v1/nobody/PROJECT-A/conversations', 404, undefined],
    ['project', '/v1/one/nobody/conversations', 404, undefined],
  ] as const)('SM3 %s key at %s: %i', async (key, path, status, code) => {
    const { callAs } = await serve()
    expect(told(await callAs(key, `GET ${path}`))).toEqual([status, code])
  })

  test('SM3 a key for one agent opens nothing of the account as a whole', async () => {
    const { call, platform } = await serve()
    const input = { kind: 'workspace', accountId: 'one', agentId: 'PROJECT-A' } as const
    const headers = { 'x-api-key': (await platform.access.createApiKey(input)).secret }
    expect((await call('GET /v1/agents/PROJECT-A', { headers })).status).toBe(200)
    expect((await call('GET /v1/agents/PROJECT-B', { headers })).status).toBe(403)
    expect((await call('GET /v1/accounts/one/agents', { headers })).status).toBe(403)
  })

  test('SM3 the handler is given account and agent, the account also when only the agent is named', async () => {
    const { callAs } = await serve()
    const response = await callAs('workspace', 'GET /v1/agents/PROJECT-A')
    expect(json(response)).toMatchObject({ account: 'ws-one', agent: 'PROJECT-A', kind: 'workspace' })
  })

  test('SM20 over its rate a key is 429 with Retry-After, another key is not, and time heals', async () => {
    const slow = { perSecond: 0.5, burst: 2 }
    const { callAs, clock } = await serve({ rateLimits: { key: slow, session: slow, accessToken: slow } })
    const statuses = []
    for (let index = 0; index < 3; index++)
      statuses.push((await callAs('workspace', 'GET /v1/agents/PROJECT-A')).status)
    expect(statuses).toEqual([200, 200, 429])
    const refused = await callAs('workspace', 'GET /v1/agents/PROJECT-A')
    expect(refused.headers['Retry-After']).toBe('2')
    expect((await callAs('project', 'GET /v1/one/PROJECT-A/conversations')).status).toBe(200)
    await clock.advance(2_000)
    expect((await callAs('workspace', 'GET /v1/agents/PROJECT-A')).status).toBe(200)
  })
})

describe('input', () => {
  const echo = 'POST /desk/v1/echo'
  const typed = { 'content-type': 'application/json' }

  test.each([
    [{ name: '' }, ['"name"', '>=1']],
    [{ name: 5 }, ['"name"', 'expected string']],
    [{ environment: 'prod' }, ['"environment"', '"sandbox"|"pre-release"|"live"']],
    [{ nested: {} }, ['"nested.greeting" is required', 'expected string']],
    [{ mixed: null }, ['"mixed"', 'expected string, received null, or expected number']],
    [{ name: 1, environment: 2 }, ['"name"', '"environment"']],
    [[], ['The body is not valid', 'expected object']],
    ['null', ['The body is not valid', 'expected object']],
  ])('HT14 body %j is 400, naming field and what is allowed', async (body, parts) => {
    const { callAs } = await serve()
    const response = await callAs('desk', echo, { headers: typed, body })
    expect(told(response)).toEqual([400, 'SCHEMA_VALIDATION_FAILED'])
    for (const part of parts) expect(json(response).error_message).toContain(part)
  })

  test.each(['limit=0', 'limit=6', 'limit=x', 'limit=1.5', 'limit=', 'limit=1&limit=2', 'limit=%zz'])(
    'HT14 query %s is 400 and names the parameter',
    async query => {
      const { callAs } = await serve()
      const response = await callAs('project', `GET /v1/one/PROJECT-A/conversations?${query}`)
      expect([response.status, json(response).error_message]).toEqual([
        400,
        expect.stringContaining('"limit"'),
      ])
    },
  )

  test('HT1 a repeated parameter is a list, and unknown ones are ignored', async () => {
    const { callAs } = await serve()
    const list = 'GET /v1/one/PROJECT-A/conversations'
    expect(json(await callAs('project', `${list}?channel=CHAT&x=1`))).toMatchObject({ channel: 'CHAT' })
    const repeated = await callAs('project', `${list}?channel=CHAT&channel=VOICE%20SIP&limit=2`)
    expect(json(repeated)).toMatchObject({ channel: ['CHAT', 'VOICE SIP'], limit: 2 })
  })

  test.each([{}, typed, { 'content-type': 'text/plain' }])(
    'HT15 an empty body is fine with %j',
    async headers => {
      const { callAs } = await serve()
      expect(json(await callAs('desk', echo, { headers }))).toEqual({})
      expect((await callAs('desk', 'DELETE /desk/v1/echo', { headers })).status).toBe(204)
      expect((await callAs('workspace', 'GET /v1/agents/PROJECT-A', { headers })).status).toBe(200)
    },
  )

  test.each([
    ['{', 'not valid JSON'],
    ['{"a":1}}', 'not valid JSON'],
    ['{a:1}', 'not valid JSON'],
    ['undefined', 'not valid JSON'],
    [new Uint8Array([0x22, 0xff, 0x22]), 'not valid UTF-8'],
    [`{"free":${'['.repeat(100)}${']'.repeat(100)}}`, 'deeper'],
    ['['.repeat(500_000), 'deeper'],
    ['{"a":'.repeat(100_000), 'deeper'],
  ])('HT15 the body %.20s… is 400', async (body, message) => {
    const { callAs, errors } = await serve()
    const response = await callAs('desk', echo, { headers: typed, body })
    expect([...told(response), errors]).toEqual([400, 'SCHEMA_VALIDATION_FAILED', []])
    expect(json(response).error_message).toContain(message)
  })

  test('HT15 brackets in text are no nesting, and a byte order mark is no text', async () => {
    const { callAs } = await serve()
    const name = `${'['.repeat(200)}\\"${'{'.repeat(200)}`
    const body = `\uFEFF{"name":"${name}","free":${'['.repeat(99)}${']'.repeat(99)}}`
    expect((await callAs('desk', echo, { headers: typed, body })).status).toBe(200)
  })

  test.each([
    ['caf\\ud83d', 'caf\ufffd'],
    ['\\uDE00\\ud83d', '\ufffd\ufffd'],
    ['\\ud83d\\ud83d\\ude00', '\ufffd\u{1f600}'],
    ['\\uD83D\\uDE00', '\u{1f600}'],
    ['\\\\ud83d', '\\ud83d'],
    ['\\\\\\ud83d\\n\\u0064', '\\\ufffd\nd'],
    ['\u{1f600}', '\u{1f600}'],
  ])('HT15 the text %s of a body is read as %s, in names too', async (written, read) => {
    const { callAs } = await serve()
    const body = `{"name":"${written}","free":{"${written}":["${written}"]}}`
    const response = await callAs('desk', echo, { headers: typed, body })
    expect(json(response)).toEqual({ name: read, free: { [read]: [read] } })
  })

  test('HT15 half of a pair at the end of text that is no JSON is refused as such', async () => {
    const { callAs } = await serve()
    for (const body of ['{"name":"\\ud83', '{"name":"\\ud83d\\', '\\ud83d'])
      expect(told(await callAs('desk', echo, { headers: typed, body }))).toEqual([
        400,
        'SCHEMA_VALIDATION_FAILED',
      ])
  })

  test('HT16 a body over the limit is 413, one of the limit is not', async () => {
    const { callAs, platform } = await serve()
    const bytes = (size: number) => `{"name":"${'x'.repeat(size - 11)}"}`
    const limit = platform.settings.limits.bodyBytes.desk
    expect((await callAs('desk', echo, { headers: typed, body: bytes(limit) })).status).toBe(200)
    const response = await callAs('desk', echo, { headers: typed, body: bytes(limit + 1) })
    expect(told(response)).toEqual([413, 'BODY_TOO_LARGE'])
    expect(json(response).error_message).toContain(String(limit))
  })

  test.each([
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['multipart/form-data; boundary=x', 415],
    ['application/jsonp', 415],
    ['text/json', 415],
    ['application/json; charset=latin1', 415],
    ['', 415],
    ['application/json', 200],
    ['Application/JSON; Charset="UTF-8"', 200],
    ['application/merge-patch+json', 200],
  ])('HT17 content type %j: %i', async (type, status) => {
    const { callAs } = await serve()
    const response = await callAs('desk', echo, { headers: { 'content-type': type }, body: { name: 'x' } })
    expect(response.status).toBe(status)
  })

  test('HT17 a content encoding is 415, no content type counts as JSON', async () => {
    const { callAs } = await serve()
    const gzip = { ...typed, 'content-encoding': 'gzip' }
    expect((await callAs('desk', echo, { headers: gzip, body: { name: 'x' } })).status).toBe(415)
    expect((await callAs('desk', echo, { body: { name: 'x' } })).status).toBe(200)
  })

  test('HT1 path parameters are decoded once; what cannot be decoded is 400', async () => {
    const { callAs, addAgent, platform } = await serve()
    const account = await platform.access.account('one')
    if (account === null) throw new Error('no account')
    await addAgent('a/b c%20', account.id)
    const path = `GET /v1/agents/${encodeURIComponent('a/b c%20')}`
    expect(json(await callAs('workspace', path))).toMatchObject({ agent: 'a/b c%20' })
    for (const bad of ['%', '%zz', '%E0%A4%A', '%C0%AF', '%ff']) {
      const response = await callAs('workspace', `GET /v1/agents/${bad}`)
      expect(told(response)).toEqual([400, 'SCHEMA_VALIDATION_FAILED'])
      expect(json(response).error_message).toContain('"agent"')
    }
    for (const odd of ['..', '%2e%2e%2f', '%00', '__proto__', 'x'.repeat(100_000)])
      expect((await callAs('workspace', `GET /v1/agents/${odd}`)).status).toBe(404)
  })

  test('HT24 __proto__ reaches no object', async () => {
    const { callAs } = await serve()
    const body = String.raw`{"__proto__":{"name":"x"},"free":{"__proto__":{"admin":true},"\u005f_proto__":{"b":1},"constructor":1,"k":"__proto__"}}`
    const response = await callAs('desk', echo, { headers: typed, body })
    expect(response.body).toBe('{"free":{"constructor":1,"k":"__proto__"}}')
    const query = 'GET /v1/one/PROJECT-A/conversations?__proto__=x&__proto__[limit]=1&constructor=y'
    expect(json(await callAs('project', query))).toMatchObject({ limit: 5 })
    expect(Object.hasOwn(Object.prototype, 'admin')).toBe(false)
  })
})

describe('answers', () => {
  test('HT18 the correlation id of the request is kept when it is well formed', async () => {
    const { call } = await serve({ brand: 'Acme' })
    const ids = async (headers: Readonly<Record<string, string>>) => {
      const response = await call('GET /v1/conflict', { headers })
      const id = response.headers['X-Correlation-Id']
      expect(response.headers['X-Acme-Correlation-Id']).toBe(id)
      expect(json(response).error_id).toBe(id)
      return id
    }
    expect(await ids({ 'x-correlation-id': 'abc-1' })).toBe('abc-1')
    expect(await ids({ 'x-acme-correlation-id': 'abc-2', 'x-correlation-id': 'abc-1' })).toBe('abc-2')
    expect(await ids({ 'x-acme-correlation-id': 'a b', 'x-correlation-id': 'abc-1' })).toBe('abc-1')
    for (const bad of ['', ' ', 'a\nb', 'ü', '<script>', 'x'.repeat(129)])
      expect(await ids({ 'x-correlation-id': bad })).toMatch(/^[0-9a-f-]{36}$/)
    expect(await ids({})).not.toBe(await ids({}))
  })

  test('HT18 HT39 the header has the word for headers, not that for events', async () => {
    const { call } = await serve({ brand: { events: 'ACME', headers: 'AcmeBot' } })
    const { headers } = await call('GET /v1/conflict', { headers: { 'x-acmebot-correlation-id': 'abc-3' } })
    expect(headers).toMatchObject({ 'X-AcmeBot-Correlation-Id': 'abc-3', 'X-Correlation-Id': 'abc-3' })
    expect(Object.keys(headers).filter(name => /acme-|ai-/i.test(name))).toEqual([])
  })

  test('HT18 answers that are no errors carry the same headers', async () => {
    const { callAs } = await serve()
    const headers = { 'x-correlation-id': 'abc' }
    const always = {
      ...RESPONSE_HEADERS,
      'Strict-Transport-Security': 'max-age=31536000',
      'X-Correlation-Id': 'abc',
      'X-AI-Correlation-Id': 'abc',
    }
    const found = await callAs('workspace', 'GET /v1/agents/PROJECT-A', { headers })
    expect(found.headers).toEqual({ ...always, 'Content-Type': 'application/json; charset=utf-8' })
    const gone = await callAs('desk', 'DELETE /desk/v1/echo', { headers })
    expect(gone).toEqual({ status: 204, headers: always, body: null, chunks: null })
  })

  test('SM20 each family has its error body', async () => {
    const { call } = await serve()
    const conflict = await call('GET /v1/conflict', { headers: { 'x-correlation-id': 'abc' } })
    expect([conflict.status, json(conflict)]).toEqual([
      400,
      {
        success: false,
        error: 'The branch has conflicts',
        error_id: 'abc',
        error_code: 'MERGE_CONFLICTS',
        error_message: 'The branch has conflicts',
        data: null,
        hasConflicts: true,
        conflicts: [{ path: ['behavior'], baseValue: 'a', oursValue: 'b', theirsValue: 'c', type: 'modify' }],
      },
    ])
    expect(json(await call('GET /v1/fail'))).toEqual({ error_message: 'Not here yet' })
    expect(json(await call('GET /api/v1/fail'))).toEqual({
      message: 'session not found',
      error: 'session not found',
    })
  })

  test('what is not implemented is 501', async () => {
    const { call } = await serve()
    expect(told(await call('GET /v3/fail'))).toEqual([501, 'NOT_IMPLEMENTED'])
  })

  test.each(['crash', 'internal'])('HT21 an unknown error shows nothing: %s', async name => {
    const { call, errors } = await serve()
    const response = await call(`GET /operator/v1/${name}`)
    expect(told(response)).toEqual([500, 'INTERNAL'])
    expect(response.body).not.toMatch(/secret|srv|TypeError|at /)
    expect(errors).toEqual([{ error: expect.any(Error), where: `GET /operator/v1/${name}` }])
  })

  test('HT21 an onError that throws changes nothing', async () => {
    const { call } = await serve({
      onError() {
        throw new Error('and this too')
      },
    })
    expect(told(await call('GET /operator/v1/crash'))).toEqual([500, 'INTERNAL'])
  })

  test('HT17 a raw route takes any content type and reads by itself', async () => {
    const { call } = await serve()
    const hook = 'POST /v1/external-events/webhook'
    const headers = { 'content-type': 'text/plain' }
    expect(json(await call(hook, { headers, body: 'a=1' }))).toEqual({ text: 'a=1' })
  })
})
