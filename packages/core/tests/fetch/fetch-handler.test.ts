import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { TEST_ROUTES } from '@colloquy/test-support/routes'
import { describe, expect, test } from 'vitest'
import {
  createFetchHandler,
  type FetchHandlerOptions,
  fetchHandlerOf,
} from '../../src/fetch/fetch-handler.ts'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import type { Settings } from '../../src/settings/settings.ts'

const ELSEWHERE = '203.0.113.9'

/** The dispatcher's test routes behind a handler, and a request to it. */
async function serve(options: Partial<FetchHandlerOptions> = {}, settings: Partial<Settings> = {}) {
  const made = await createPopulatedPlatform(settings)
  const dispatcher = createDispatcher(made.platform, TEST_ROUTES)
  const handle = fetchHandlerOf<void>(dispatcher, { address: () => ELSEWHERE, ...options })
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const answer = await handle(new Request(`https://host.example${path}`, init))
    if (answer === null) throw new Error(`${path} was not answered.`)
    return answer
  }
  const echo = (body: NonNullable<RequestInit['body']> | null, init: RequestInit = {}) =>
    ask('/desk/v1/echo', {
      method: 'POST',
      body,
      ...init,
      headers: { 'x-api-key': made.keys.desk, 'content-type': 'application/json', ...init.headers },
    })
  return { ...made, handle, ask, echo }
}

const code = async (answer: Response) => {
  const body = JSON.parse(await answer.text())
  return [answer.status, body.error_code, body.error_message]
}

describe('which requests are answered', () => {
  test('FE1 paths of ours are answered as elsewhere, all others are the host’s', async () => {
    const { ask, handle, keys } = await serve()
    const answer = await ask('/v1/agents/PROJECT-A?limit=3', { headers: { 'x-api-key': keys.workspace } })
    expect([answer.status, await answer.json()]).toMatchObject([200, { agent: 'PROJECT-A', limit: 3 }])
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.headers.get('x-correlation-id')).toMatch(/./)
    expect((await ask('/v1/agents/a/b/c')).status).toBe(404)
    for (const path of ['/', '/v1', '/v1/invoices', '//v1/agents/A', '/?x=/v1/agents/A', '/#/v1/agents/A'])
      expect(await handle(new Request(`https://host.example${path}`)), path).toBeNull()
  })

  test.each(['/talk', '/talk/', '/deep/er', '/caf%C3%A9'])(
    'FE1 below %s, which it takes off by itself',
    async basePath => {
      const { handle, keys } = await serve({ basePath })
      const base = basePath.replace(/\/$/, '')
      const headers = { 'x-api-key': keys.workspace }
      const at = (path: string) => handle(new Request(`https://host.example${path}`, { headers }))
      expect((await at(`${base}/v1/agents/PROJECT-A?limit=1`))?.status).toBe(200)
      for (const path of [
        '/v1/agents/PROJECT-A',
        `${base}s/v1/agents/PROJECT-A`,
        base,
        `${base}/`,
        `${base}${base}/v1/agents/A`,
      ])
        expect(await at(path), path).toBeNull()
    },
  )

  test('dot segments are gone before the handler sees them, and lead to no path above the base path', async () => {
    const { handle, keys } = await serve({ basePath: '/talk' })
    const headers = { 'x-api-key': keys.workspace }
    const at = (path: string) => handle(new Request(`https://host.example${path}`, { headers }))
    expect((await at('/other/../talk/v1/agents/PROJECT-A'))?.status).toBe(200)
    expect(await at('/talk/../v1/agents/PROJECT-A')).toBeNull()
    expect(await at('/talk/%2e%2e/v1/agents/PROJECT-A')).toBeNull()
  })

  test('HEAD has no body, OPTIONS is a method, and a page’s question is answered', async () => {
    const { platform, keys } = await createPopulatedPlatform()
    const handle = createFetchHandler(platform, { address: () => ELSEWHERE })
    const at = (method: string, path: string, headers: Record<string, string> = {}) =>
      handle(new Request(`https://host.example${path}`, { method, headers }))
    const head = await at('HEAD', '/v1/agents/PROJECT-A', { 'x-api-key': keys.workspace })
    expect([head?.status, head?.body]).toEqual([200, null])
    const options = await at('OPTIONS', '/operator/v1/accounts')
    expect([options?.status, options?.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
    const page = { origin: 'https://shop.example', 'access-control-request-method': 'POST' }
    const preflight = await at('OPTIONS', '/api/v1/sessions', page)
    expect([preflight?.status, preflight?.headers.get('access-control-allow-origin')]).toEqual([
      204,
      page.origin,
    ])
  })

  test('HT42 a platform that was closed answers 503', async () => {
    const { platform } = await createPopulatedPlatform()
    const handle = createFetchHandler(platform, { trustProxy: true })
    await platform.close()
    const answer = await handle(new Request('https://host.example/operator/v1/accounts'))
    expect([answer?.status, answer?.headers.get('retry-after')]).toEqual([503, '1'])
  })
})

describe('what it is given', () => {
  const given = (...args: readonly unknown[]): unknown => Reflect.apply(createFetchHandler, null, args)
  const address = (): string => ELSEWHERE

  test.each([
    [undefined, 'createFetchHandler takes an object of options, not undefined.'],
    [{}, 'createFetchHandler needs the option address'],
    [{ trustProxy: false }, 'needs the option address'],
    [{ trustProxy: 0 }, 'needs the option address'],
    [{ address: ELSEWHERE }, 'needs the option address'],
    [{ address: 'x', trustProxy: true }, 'needs the option address'],
    [{ address, basepath: '/a' }, 'Did you mean basePath?'],
    [{ address, families: ['agent'] }, 'families has no family "agent".'],
  ])('FE3 %j is refused', async (options, message) => {
    const { platform } = await createPopulatedPlatform()
    expect(() => given(platform, options)).toThrow(message)
  })

  test.each(['talk', '/talk?a', '/a b', '/a#b', '/a/../b', '//', '//host', 'https://host/a', '/é', 7])(
    'FE1 the base path %j is refused',
    async basePath => {
      const { platform } = await createPopulatedPlatform()
      expect(() => given(platform, { address, basePath })).toThrow('basePath must begin with a slash')
    },
  )

  test('FE3 anything but a platform is refused', () => {
    for (const wrong of [undefined, null, {}, { address }])
      expect(() => given(wrong, { address })).toThrow('createFetchHandler takes the platform first')
  })
})

describe('who asks', () => {
  test('FE3 limits per address go by the address that the host tells, or by what a trusted proxy says', async () => {
    const rateLimits = { failedAuthentication: { perSecond: 0.25, burst: 1 } }
    const { platform } = await createPopulatedPlatform({ rateLimits })
    const told = createFetchHandler<string>(platform, { address: (_request, info) => info })
    const proxied = createFetchHandler(platform, { trustProxy: true })
    const guess = () => ({ 'x-api-key': `wrong-${Math.random()}` })
    const url = 'https://host.example/v1/agents/PROJECT-A'
    const by = async (address: string) =>
      (await told(new Request(url, { headers: guess() }), address))?.status
    const behind = async (address: string) => {
      const headers = { ...guess(), 'x-forwarded-for': `10.0.0.1, ${address}` }
      return (await proxied(new Request(url, { headers })))?.status
    }
    const statuses = [await by('192.0.2.1'), await by('192.0.2.1'), await by('192.0.2.2')]
    expect(statuses).toEqual([401, 429, 401])
    expect([await behind('192.0.2.1'), await behind('192.0.2.3'), await behind('192.0.2.3')]).toEqual([
      429, 401, 429,
    ])
  })

  test.each([
    ['nothing', () => undefined],
    ['null', () => null],
    ['an empty text', () => ''],
  ])('FE3 an address of %s is refused, and the host is told', async (_, address) => {
    const { ask, errors } = await serve({ address })
    expect(await code(await ask('/v1/agents/A'))).toEqual([500, 'INTERNAL', expect.any(String)])
    expect(errors).toMatchObject([{ where: 'GET /v1/agents/:agent' }])
  })

  test('FE3 so is one that cannot be found, and nothing of the error is shown', async () => {
    const address = () => {
      throw new TypeError('secret detail')
    }
    const { ask, errors } = await serve({ address })
    expect(await (await ask('/v1/agents/A')).text()).not.toContain('secret')
    expect(errors).toMatchObject([{ error: { message: 'secret detail' } }])
  })

  test('FE5 tokens travel over https, over loopback, and where a trusted proxy vouches for it', async () => {
    const { platform } = await createPopulatedPlatform()
    const status = async (
      url: string,
      options: Partial<FetchHandlerOptions>,
      headers: Record<string, string> = {},
    ) => {
      const handle = createFetchHandler(platform, { address: () => ELSEWHERE, ...options })
      return (await handle(new Request(`${url}/api/v1/access-token`, { method: 'POST', headers })))?.status
    }
    const proxied = { 'x-forwarded-for': ELSEWHERE, 'x-forwarded-proto': 'https' }
    const insecure = await status('http://host.example', {})
    expect(insecure).toBe(403)
    expect(await status('https://host.example', {})).not.toBe(insecure)
    expect(await status('http://host.example', { address: () => '127.0.0.1' })).not.toBe(insecure)
    expect(await status('http://host.example', {}, proxied)).toBe(insecure)
    expect(await status('http://host.example', { trustProxy: true }, proxied)).not.toBe(insecure)
  })

  test('FE5 the host is that of the header, and without one that of the address', async () => {
    const hosts = { base: { us: 'a.example' }, platform: {}, messaging: {} }
    const { handle, keys } = await serve({}, { hosts })
    const status = async (origin: string, host?: string) => {
      const headers = { 'x-api-key': keys.workspace, ...(host === undefined ? {} : { host }) }
      return (await handle(new Request(`${origin}/v1/agents/PROJECT-A`, { headers })))?.status
    }
    expect(await status('https://a.example')).toBe(200)
    expect(await status('https://b.example')).toBe(404)
    expect(await status('https://b.example', 'a.example')).toBe(200)
    expect(await status('https://a.example', 'b.example')).toBe(404)
  })

  test.each(['x-api-key', 'authorization', 'x-token', 'x-host', 'host'])(
    'HY24 two of the header %s are refused, also where the first would do',
    async name => {
      const { ask, keys, errors } = await serve()
      const headers = new Headers({ 'x-api-key': keys.desk })
      if (name !== 'x-api-key') headers.append(name, 'one')
      headers.append(name, 'two')
      const answer = await ask('/desk/v1/echo', { method: 'DELETE', headers })
      expect(await code(answer)).toEqual([
        400,
        'SCHEMA_VALIDATION_FAILED',
        expect.stringContaining('it must be sent once.'),
      ])
      expect(errors).toEqual([])
    },
  )

  test('a header named __proto__ is just a header', async () => {
    const { ask, keys } = await serve()
    const headers = new Headers([
      ['__proto__', 'x'],
      ['constructor', 'y'],
      ['x-api-key', keys.desk],
    ])
    expect((await ask('/desk/v1/echo', { method: 'DELETE', headers })).status).toBe(204)
  })
})
