import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { describe, expect, test } from 'vitest'
import { isOrigin, isSameHost, originMatches } from '../../src/domain/access/host-match.ts'
import { createDispatcher, type DispatcherOptions } from '../../src/http/dispatcher.ts'
import type { HttpResponse } from '../../src/http/route.ts'
import { routes } from '../../src/http/routes.ts'
import { contextOf } from '../../src/platform-context.ts'
import type { SettingsInput } from '../../src/settings/settings-input.ts'
import { type RequestLike, request } from '../support/request.ts'

const REFUSED = "origin not allowed: the page's host is not registered with the connector"

/** A platform with a connector for pages of one site, and one for pages of this machine. */
async function serve(options: DispatcherOptions = {}, settings: SettingsInput = {}) {
  const made = await createPopulatedPlatform(settings)
  const { access } = made.platform
  const connect = (hosts: readonly string[]) =>
    access.createConnector({ accountId: 'ws-one', agentId: 'PROJECT-A', environment: 'live', hosts })
  const shop = await connect(['shop.example'])
  const local = await connect(['localhost', '127.0.0.1'])
  const dispatcher = createDispatcher(made.platform, routes, options)
  const call = (line: string, like?: RequestLike) => dispatcher.handle(request(line, like))
  const token = (
    origin: string | null,
    { token: connectorToken }: { readonly token: string } = shop,
    host = 'shop.example',
  ) =>
    call('POST /api/v1/access-token', {
      headers: {
        'x-token': connectorToken,
        'x-host': host,
        ...(origin === null ? {} : { origin }),
      },
    })
  const session = (accessToken: string, origin: string | null, body?: unknown) =>
    call('POST /api/v1/sessions', {
      headers: { authorization: `Bearer ${accessToken}`, ...(origin === null ? {} : { origin }) },
      ...(body === undefined ? {} : { body }),
    })
  return { ...made, shop, local, call, token, session }
}

const json = (response: HttpResponse): Record<string, string> => JSON.parse(response.body ?? 'null')
const readableBy = ({ headers }: HttpResponse) => headers['Access-Control-Allow-Origin'] ?? null
const seen = (response: HttpResponse) => [response.status, readableBy(response)]
/** No header that a browser would take for a permission. */
const silent = ({ headers }: HttpResponse) =>
  Object.keys(headers).every(name => !name.toLowerCase().startsWith('access-control'))

const asking = (origin: string, method = 'POST') => ({
  headers: { origin, 'access-control-request-method': method },
})

describe('a browser that asks first', () => {
  test.each([
    'https://shop.example',
    'http://localhost:3000',
    'https://nobody.knows',
    'capacitor://localhost',
  ])('HT29 HY1 may send what %s wants to send', async origin => {
    const { call } = await serve()
    for (const path of ['/api/v1/access-token', '/api/v1/sessions']) {
      const answer = await call(`OPTIONS ${path}`, asking(origin))
      expect(answer).toMatchObject({ status: 204, body: null })
      expect(answer.headers).toMatchObject({
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Allow-Methods': 'POST',
        Vary: 'Origin',
      })
      const names = answer.headers['Access-Control-Allow-Headers']?.split(', ')
      for (const name of ['authorization', 'content-type', 'x-token', 'x-host', 'X-AI-Correlation-Id'])
        expect(names).toContain(name)
      expect(answer.headers).not.toHaveProperty('Access-Control-Allow-Credentials')
    }
  })

  test('HY1 HT39 may send the headers of the brand', async () => {
    const { call } = await serve({}, { brand: { events: 'ACME', headers: 'AcmeBot' } })
    const answer = await call('OPTIONS /api/v1/sessions', asking('https://shop.example'))
    expect(answer.headers['Access-Control-Allow-Headers']).toBe(
      'authorization, content-type, x-token, x-host, X-AcmeBot-Auth-Token, X-AcmeBot-Correlation-Id, X-Correlation-Id',
    )
  })

  test.each(['null', '', 'shop.example', 'https://a b', 'https://user@shop.example', 'https://x, https://y'])(
    'HY1 a page without an origin is refused: "%s"',
    async origin => {
      const { call } = await serve()
      const answer = await call('OPTIONS /api/v1/access-token', asking(origin))
      expect([answer.status, json(answer)]).toEqual([403, { message: REFUSED, error: REFUSED }])
      expect(silent(answer)).toBe(true)
    },
  )

  test('HY1 only a whole question is one, and only for what the path answers', async () => {
    const { call } = await serve()
    const { headers } = asking('https://shop.example')
    const answers = [
      await call('OPTIONS /api/v1/sessions', asking('https://shop.example', 'DELETE')),
      await call('OPTIONS /api/v1/sessions', { headers: { origin: headers.origin } }),
      await call('OPTIONS /api/v1/sessions', { headers: { 'access-control-request-method': 'POST' } }),
    ]
    expect(answers.map(seen)).toEqual(Array(3).fill([405, null]))
    expect(seen(await call('OPTIONS /api/v1/nowhere', { headers }))).toEqual([404, null])
  })

  test('HY1 no other family answers it, nor names an origin', async () => {
    const { call, keys } = await serve()
    const others = routes.filter(({ family }) => family !== 'messaging')
    expect(others.length).toBeGreaterThan(50)
    for (const { method, path } of others) {
      const asked = await call(`OPTIONS ${path}`, asking('https://shop.example', method))
      expect([path, asked.status, silent(asked)]).toEqual([path, 405, true])
      const headers = { origin: 'https://shop.example', 'x-api-key': keys.workspace }
      expect([path, silent(await call(`${method} ${path}`, { headers }))]).toEqual([path, true])
    }
  })
})

describe('the request of a page', () => {
  test.each([
    'https://shop.example',
    'http://SHOP.example',
    'https://shop.example:8443',
    'https://www.shop.example',
    'https://a.b.shop.example',
  ])('HY2 and HY3 %s gets a token and a session, and reads both', async origin => {
    const { token, session } = await serve()
    const issued = await token(origin)
    expect(seen(issued)).toEqual([200, origin])
    expect(issued.headers).toMatchObject({
      Vary: 'Origin',
      'Access-Control-Expose-Headers': 'Retry-After, X-AI-Correlation-Id, X-Correlation-Id',
    })
    expect(seen(await session(json(issued).access_token ?? '', origin))).toEqual([200, origin])
  })

  test.each([
    'https://evil.example',
    'https://notshop.example',
    'https://shop.example.evil.com',
    'https://example',
    'https://shop.example@evil.com',
    'https://evil.com#shop.example',
    'https://evil.com, https://shop.example',
    'shop.example',
    'null',
    '',
  ])('HY3 the page "%s" gets neither, and reads nothing', async origin => {
    const { token, session, platform, errors } = await serve()
    const refused = { message: REFUSED, error: REFUSED }
    const answer = await token(origin)
    expect([answer.status, json(answer), silent(answer)]).toEqual([403, refused, true])
    const { access_token = '' } = json(await token(null))
    const started = await session(access_token, origin)
    expect([started.status, json(started), silent(started)]).toEqual([403, refused, true])
    expect(started.headers.Vary).toBe('Origin')
    const { conversations } = contextOf(platform).store
    expect(await conversations.listOpen('PROJECT-A')).toEqual([])
    expect(errors).toEqual([])
  })

  test('HY3 an app sends no origin and is served', async () => {
    const { token, session } = await serve()
    const issued = await token(null)
    expect(seen(issued)).toEqual([200, null])
    expect(issued.headers.Vary).toBe('Origin')
    expect(seen(await session(json(issued).access_token ?? '', null))).toEqual([200, null])
  })

  test('HY3 a page of this machine is served at any port', async () => {
    const { token, local } = await serve()
    for (const origin of ['http://localhost:3000', 'http://localhost', 'http://127.0.0.1:5173'])
      expect(seen(await token(origin, local, 'localhost'))).toEqual([200, origin])
  })

  test('HY2 a page of the connector reads errors too', async () => {
    const { token, session } = await serve()
    const origin = 'https://shop.example'
    expect(seen(await token(origin, undefined, 'other.example'))).toEqual([401, origin])
    const { access_token = '' } = json(await token(origin))
    const bad = await session(access_token, origin, { platform: 'toaster' })
    expect([...seen(bad), json(bad).message]).toEqual([400, origin, 'Error parsing request'])
  })

  test('HY3 where the credential opens nothing, the answer is that of the route, and no page reads it', async () => {
    const { call, session, token } = await serve()
    const headers = { origin: 'https://shop.example' }
    const cases: readonly (readonly [Promise<HttpResponse>, number, string])[] = [
      [call('POST /api/v1/access-token', { headers }), 401, 'Missing authentication headers'],
      [token('https://shop.example', { token: 'nobody' }), 401, 'Connector token does not exist'],
      [call('POST /api/v1/sessions', { headers }), 400, 'Missing access token'],
      [session('nobody', 'https://shop.example'), 401, 'Invalid access token'],
    ]
    for (const [answer, status, message] of cases)
      expect([(await answer).status, json(await answer).message, silent(await answer)]).toEqual([
        status,
        message,
        true,
      ])
  })

  test('HY3 the credential that the route goes by decides, not another one beside it', async () => {
    const { call, token, local } = await serve()
    const { access_token = '' } = json(await token(null))
    const answer = await call('POST /api/v1/sessions', {
      headers: {
        origin: 'http://localhost',
        'x-token': local.token,
        authorization: `Bearer ${access_token}`,
      },
    })
    expect(seen(answer)).toEqual([403, null])
  })

  test('HY2 hosts that are changed count for the next request', async () => {
    const { platform, shop, token } = await serve()
    await platform.access.updateConnector(shop.connector.id, { hosts: ['new.example'] })
    expect(seen(await token('https://shop.example'))).toEqual([403, null])
    expect(seen(await token('https://new.example', shop, 'new.example'))).toEqual([
      200,
      'https://new.example',
    ])
  })

  test('HT29 a host that tells browsers by itself is left to it, and other pages are refused all the same', async () => {
    const { call, token } = await serve({ crossOrigin: false })
    expect(seen(await call('OPTIONS /api/v1/sessions', asking('https://shop.example')))).toEqual([405, null])
    const issued = await token('https://shop.example')
    expect([issued.status, silent(issued), issued.headers.Vary]).toEqual([200, true, undefined])
    expect((await token('https://evil.example')).status).toBe(403)
  })
})

test('HY3 an origin is a scheme, a host and perhaps a port', () => {
  for (const origin of ['https://a', 'HTTP://a.b:1', 'capacitor://localhost', 'http://[::1]:80'])
    expect(isOrigin(origin)).toBe(true)
  for (const origin of [
    'null',
    '',
    'a',
    '://a',
    'https://',
    'https://a/',
    'https://a?b',
    'https://a b',
    'file://',
  ])
    expect(isOrigin(origin)).toBe(false)
  // A host that is called `null` does not open pages without an origin.
  expect(originMatches(['null'], 'null')).toBe(false)
  expect(originMatches(['null'], 'https://null')).toBe(true)
})

test('HY7 the same host is the same at any port, and no subdomain of it', () => {
  expect(isSameHost('https://Desk.example:8443', 'desk.example')).toBe(true)
  expect(isSameHost('http://localhost:5173', 'localhost:8080')).toBe(true)
  expect(isSameHost('https://a.desk.example', 'desk.example')).toBe(false)
  expect(isSameHost('https://desk.example', 'a.desk.example')).toBe(false)
  expect(isSameHost('null', 'null')).toBe(false)
  expect(isSameHost('https://', '')).toBe(false)
})
