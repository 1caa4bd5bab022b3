import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { describe, expect, test } from 'vitest'
import { createDispatcher, type DispatcherOptions } from '../../src/http/dispatcher.ts'
import type { HttpResponse } from '../../src/http/route.ts'
import { routes } from '../../src/http/routes.ts'
import { silentLog } from '../../src/ports/log.ts'
import { resolveSettings } from '../../src/settings/resolve-settings.ts'
import type { Settings } from '../../src/settings/settings.ts'
import { type RequestLike, request } from '../support/request.ts'

type Populated = Awaited<ReturnType<typeof createPopulatedPlatform>>

async function serve(settings: Partial<Settings> = {}, options: DispatcherOptions = {}) {
  const made = await createPopulatedPlatform(settings)
  const dispatcher = createDispatcher(made.platform, routes, options)
  const from = (
    line: string,
    like: RequestLike & { readonly address?: string; readonly secure?: boolean },
  ) => {
    const { address = '203.0.113.9', secure = true, ...rest } = like
    return dispatcher.handle({ ...request(line, rest), remoteAddress: address, secure })
  }
  const as = (key: keyof Populated['keys']): Record<string, string> =>
    key === 'operator' ? { authorization: `Bearer ${made.keys.operator}` } : { 'x-api-key': made.keys[key] }
  return { ...made, from, as }
}

const json = (response: HttpResponse): Record<string, unknown> => JSON.parse(response.body ?? 'null')
const typed = { 'content-type': 'application/json' }

const EXPECTED = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
}
const HSTS = 'Strict-Transport-Security'

describe('what answers say', () => {
  test('HY10 answers with secrets, errors, unknown paths and preflights all say the same', async () => {
    const { from, as } = await serve()
    const page = { origin: 'https://shop.example', 'access-control-request-method': 'POST' }
    const created = await from('POST /operator/v1/api-keys', {
      headers: { ...as('operator'), ...typed },
      body: { kind: 'desk', accountId: 'ws-one' },
    })
    expect([created.status, typeof json(created).key]).toEqual([201, 'string'])
    for (const [answer, status] of [
      [created, 201],
      [await from('GET /v1/agents/PROJECT-A', { headers: as('workspace') }), 200],
      [await from('GET /v1/agents/PROJECT-A', {}), 401],
      [await from('GET /nowhere', {}), 404],
      [await from('POST /api/v1/access-token', {}), 401],
      [await from('OPTIONS /api/v1/sessions', { headers: page }), 204],
    ] as const) {
      expect([answer.status, answer.headers]).toMatchObject([status, EXPECTED])
      const names = Object.keys(answer.headers).map(name => name.toLowerCase())
      expect(new Set(names).size).toBe(names.length)
      expect(names).not.toContain('x-powered-by')
      expect(names).not.toContain('server')
    }
  })

  test.each([
    ['over TLS', '203.0.113.9', true, 'max-age=31536000'],
    ['over plain text', '203.0.113.9', false, undefined],
    ['over loopback', '127.0.0.1', true, undefined],
    ['over loopback, as IPv6 writes it', '::ffff:127.0.0.1', true, undefined],
    ['over loopback in IPv6', '::1', true, undefined],
  ])('HY11 %s: Strict-Transport-Security is what it has to be', async (_, address, secure, value) => {
    const { from } = await serve()
    expect((await from('GET /nowhere', { address, secure })).headers[HSTS]).toBe(value)
  })

  test('HY10 a host gives a header another value, adds one, or keeps one to itself', async () => {
    const responseHeaders = {
      'x-frame-options': 'SAMEORIGIN',
      'referrer-POLICY': null,
      [HSTS]: null,
      'X-Robots-Tag': 'noindex',
    }
    const { from } = await serve({}, { responseHeaders })
    const { headers } = await from('GET /nowhere', {})
    const names = Object.keys(headers).map(name => name.toLowerCase())
    expect(headers).toMatchObject({ 'x-frame-options': 'SAMEORIGIN', 'X-Robots-Tag': 'noindex' })
    expect(names.filter(name => name === 'x-frame-options')).toHaveLength(1)
    expect(names).not.toContain('referrer-policy')
    expect(names).not.toContain(HSTS.toLowerCase())
    expect(headers['X-Content-Type-Options']).toBe('nosniff')
  })
})

/** A route of each family that reads a body, with what opens it. */
const READING = [
  ['agents', 'POST /v1/accounts/ws-one/agents', 'workspace', 1_048_576],
  ['debug-chat', 'POST /v1/agents/PROJECT-A/debug-chat', 'workspace', 524_288],
  [
    'external-events',
    'POST /v1/external-events/webhook?event_id_location=headers&event_id_path=id&account_id=ws-one&project_id=PROJECT-A',
    'externalEvents',
    1_048_576,
  ],
  ['operator', 'POST /operator/v1/accounts', 'operator', 65_536],
  ['desk', 'POST /desk/v1/handoffs/none.1/accept', 'desk', 1_048_576],
  ['webhooks', 'POST /v1/webhook-endpoints', 'workspace', 65_536],
  ['alerts', 'POST /v1/alert-rules', 'workspace', 65_536],
  ['number-reservation', 'POST /v1/conversations/dni-reservation', 'project', 524_288],
] as const

describe('what is read', () => {
  test('HT16 every family that reads a body is tried here', () => {
    const families = routes.filter(({ body }) => body !== null).map(({ family }) => family)
    // These take more than a key, or have it in another header: tests of MS, TC18 and TX40 try them.
    expect(new Set([...READING.map(([family]) => family), 'messaging', 'chat', 'texts', 'calls'])).toEqual(
      new Set(families),
    )
  })

  test.each(READING)('HT16 a body for %s has its own limit', async (family, line, key, limit) => {
    const { from, as, platform } = await serve()
    expect(platform.settings.limits.bodyBytes[family]).toBe(limit)
    const send = async (size: number) =>
      (await from(line, { headers: { ...as(key), ...typed }, body: ' '.repeat(size) })).status
    expect(await send(limit)).not.toBe(413)
    expect(await send(limit + 1)).toBe(413)
  })

  test('HT16 a host sets the limit of some families, or of all', () => {
    const limits = (bodyBytes: number | { readonly desk: number }) =>
      resolveSettings({ limits: { bodyBytes } }, silentLog).limits.bodyBytes
    expect(limits({ desk: 5 })).toMatchObject({ desk: 5, agents: 1_048_576, messaging: 65_536 })
    expect(new Set(Object.values(limits(7)))).toEqual(new Set([7]))
    expect(resolveSettings({ limits: { jsonDepth: 3 } }, silentLog).limits.bodyBytes.desk).toBe(1_048_576)
  })

  test('HT15 how deep a body may nest can be set', async () => {
    const { limits } = resolveSettings({ limits: { jsonDepth: 3 } }, silentLog)
    const { from, as } = await serve({ limits })
    const send = (body: string) =>
      from('POST /operator/v1/accounts', { headers: { ...as('operator'), ...typed }, body })
    expect(json(await send('{"a":[[]]}')).error_message).not.toContain('deeper')
    const refused = await send('{"a":[[[]]]}')
    expect([refused.status, json(refused).error_message]).toEqual([
      400,
      'The body nests deeper than 3 levels.',
    ])
  })

  describe('the body of a new session', () => {
    async function open() {
      const made = await serve()
      const { token } = await made.platform.access.createConnector({
        accountId: 'ws-one',
        agentId: 'PROJECT-A',
        environment: 'live',
        hosts: ['shop.example'],
      })
      const { accessToken } = await made.platform.messaging.issueAccessToken({
        connectorToken: token,
        host: 'shop.example',
        remoteAddress: '192.0.2.1',
      })
      return (body: unknown, headers: Record<string, string> = typed) =>
        made.from('POST /api/v1/sessions', {
          headers: { authorization: `Bearer ${accessToken}`, ...headers },
          body,
        })
    }

    test.each([
      ['no JSON', '{'],
      ['no UTF-8', new Uint8Array([0x7b, 0xff, 0x7d])],
      ['nested without end', `{"a":${'['.repeat(50_000)}`],
      ['no object', '[]'],
      ['of the wrong kind', '{"streaming_enabled":"yes"}'],
    ])('HT16 is refused when it is %s', async (_, body) => {
      const answer = await (await open())(body)
      const text = 'Error parsing request'
      expect([answer.status, json(answer)]).toEqual([400, { message: text, error: text }])
    })

    test('HT16 obeys size, content type and encoding', async () => {
      const send = await open()
      const status = async (...given: Parameters<typeof send>) => (await send(...given)).status
      expect(await status(`{"streaming_enabled":true}${' '.repeat(65_510)}`)).toBe(200)
      expect(await status(`{"streaming_enabled":true}${' '.repeat(65_511)}`)).toBe(413)
      expect(await status('a=1', { 'content-type': 'application/x-www-form-urlencoded' })).toBe(415)
      expect(await status('{}', { 'content-type': 'application/json; charset=utf-16' })).toBe(415)
      expect(await status('{}', { ...typed, 'content-encoding': 'gzip' })).toBe(415)
      expect(await status('', { 'content-type': 'text/plain' })).toBe(200)
      expect(await status('{"__proto__":{"streaming_enabled":1},"unknown":[1]}')).toBe(200)
    })
  })
})
