import { createFetchHandler } from '@colloquy/core/transport'
import { describe, expect, test } from 'vitest'
import { createConsole } from '../src/index.ts'
import { type Ask, MOUNTS, openConsole, pageFiles } from './support.ts'

const NOBODY = (): null => null

const SIGNED_IN = { cookie: 'session=ada', 'x-console': '1' }

const cases = Object.keys(MOUNTS).flatMap(mount => [
  { mount, base: '' },
  { mount, base: '/internal/console' },
])

async function mounted(mount: string, base: string) {
  const opened = await openConsole({ signInUrl: '/login', signOutUrl: '/logout' })
  const ask = await MOUNTS[mount]?.(opened.page, base)
  if (ask === undefined) throw new Error(`There is no mount ${mount}.`)
  return { ...opened, ask }
}

/** Every address that the page loads, as a browser resolves it. */
async function loadedBy(ask: Ask, address: string) {
  const html = await (await ask(address)).text()
  const named = [...html.matchAll(/(?:src|href)="(?!data:)([^"]*)"/g)].map(([, path = '']) => path)
  return named.map(path => new URL(path, `http://host.example${address}`).pathname)
}

describe.each(cases)('$mount at "$base/"', ({ mount, base }) => {
  test('CO1 and CO3 the page, its files and its API are below the mount', async () => {
    const { ask } = await mounted(mount, base)
    const page = await ask(`${base}/`)
    expect(page.status).toBe(200)
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; script-src 'self'; style-src 'self';/,
      ),
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
    const loaded = await loadedBy(ask, `${base}/`)
    expect(loaded.some(path => path.endsWith('.js')) && loaded.some(path => path.endsWith('.css'))).toBe(true)
    for (const path of loaded) {
      expect(path.startsWith(`${base}/assets/`)).toBe(true)
      const file = await ask(path)
      expect([file.status, file.headers.get('cache-control')]).toEqual([
        200,
        'public, max-age=31536000, immutable',
      ])
      expect((await file.text()).length).toBeGreaterThan(0)
    }
    const me = await ask(`${base}/api/console/v1/me`, { headers: SIGNED_IN })
    expect([me.status, await me.json()]).toMatchObject([
      200,
      { person: { name: 'Ada' }, sign_out_url: '/logout' },
    ])
    expect((await ask(`${base}/api/v1/agents/PROJECT-A`, { headers: SIGNED_IN })).status).toBe(200)
  })

  test('CO1 a body reaches the API', async () => {
    const { ask } = await mounted(mount, base)
    const made = await ask(`${base}/api/operator/v1/accounts`, {
      method: 'POST',
      body: JSON.stringify({ slug: 'three', name: 'Three' }),
      headers: { ...SIGNED_IN, 'content-type': 'application/json' },
    })
    expect([made.status, await made.json()]).toMatchObject([201, { slug: 'three' }])
  })

  test('CO1 all other paths are the host’s', async () => {
    const { ask } = await mounted(mount, base)
    for (const path of ['/other', '/api', '/api/', '/api/else', '/index.html', '/v1/agents/PROJECT-A']) {
      const answer = await ask(`${base}${path}`, { headers: SIGNED_IN })
      expect([answer.status, await answer.text()], path).toEqual([404, 'of the host'])
    }
  })

  test('CO1 who is not signed in gets the page, and is told where to sign in', async () => {
    const { ask } = await mounted(mount, base)
    expect((await ask(`${base}/`)).status).toBe(200)
    const me = await ask(`${base}/api/console/v1/me`, { headers: { 'x-console': '1' } })
    expect([me.status, await me.json()]).toMatchObject([401, { sign_in_url: '/login' }])
  })

  test('CO1 the login is handed the request of the host', async () => {
    const { ask, asked } = await mounted(mount, base)
    await ask(`${base}/api/console/v1/me`, { headers: SIGNED_IN })
    expect(asked).toHaveLength(1)
    const { original, basePath } = asked[0] ?? {}
    expect(Object(original)).toHaveProperty('headers')
    expect(basePath).toBe(`${base}/api`)
  })
})

describe.each(Object.keys(MOUNTS))('%s', mount => {
  test('CO1 the bare path leads to the one with a slash, behind a proxy that takes some of it off too', async () => {
    const { ask } = await mounted(mount, '/internal/console')
    for (const [path, location] of [
      ['/internal/console', './console/'],
      ['/internal/console?a=/b&c', './console/?a=/b&c'],
    ] as const) {
      const answer = await ask(path)
      expect([answer.status, answer.headers.get('location')]).toEqual([307, location])
      expect(new URL(location, 'http://host.example/behind/internal/console').pathname).toBe(
        '/behind/internal/console/',
      )
    }
  })
})

test('CO3 over TLS the page says so', async () => {
  const { page } = await openConsole()
  const handle = createFetchHandler(page, { address: () => '203.0.113.9' })
  const headers = async (origin: string) => (await handle(new Request(`${origin}/`)))?.headers
  expect((await headers('https://host.example'))?.get('strict-transport-security')).toBe('max-age=31536000')
  expect((await headers('http://host.example'))?.get('strict-transport-security')).toBe(null)
})

test('what a browser has is not sent again, and what takes gzip gets it', async () => {
  const { ask } = await mounted('the fetch handler', '')
  const files = await pageFiles()
  for (const path of ['', ...[...files.keys()].filter(name => name.startsWith('assets/'))]) {
    const plain = await ask(`/${path}`)
    const tag = plain.headers.get('etag') ?? ''
    const bytes = new Uint8Array(await plain.arrayBuffer())
    expect(plain.headers.get('content-length')).toBe(String(bytes.length))
    expect(bytes).toEqual(new Uint8Array(files.get(path === '' ? 'index.html' : path) ?? []))
    const same = await ask(`/${path}`, { headers: { 'if-none-match': `"other", W/${tag}` } })
    expect([same.status, await same.text()]).toEqual([304, ''])
    const zipped = await ask(`/${path}`, { headers: { 'accept-encoding': 'br, gzip;q=0.5' } })
    expect(zipped.headers.get('content-encoding')).toBe('gzip')
    const unzipped = zipped.body?.pipeThrough(new DecompressionStream('gzip'))
    expect(await new Response(unzipped).text()).toBe(new TextDecoder().decode(bytes))
    const refused = await ask(`/${path}`, { headers: { 'accept-encoding': 'gzip;q=0, identity' } })
    expect(refused.headers.get('content-encoding')).toBe(null)
    const head = await ask(`/${path}`, { method: 'HEAD' })
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, tag, ''])
  }
})

test('CO1 another method is 405, and a file that there is not 404', async () => {
  const { ask } = await mounted('the fetch handler', '/console')
  const post = await ask('/console/', { method: 'POST', body: '{}' })
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  for (const path of [
    '/console/assets/none.js',
    '/console/assets/../index.html',
    '/console/assets/%2e%2e/package.json',
  ])
    expect((await ask(path)).status, path).toBe(404)
})

test('CO3 the page has nothing inline, nothing of another server, and no secret', async () => {
  const { ask, keys } = await mounted('express', '/console')
  const html = await (await ask('/console/', { headers: SIGNED_IN })).text()
  expect(html).not.toMatch(/<script(?![^>]*src=)|<style|\son\w+=|\sstyle=|https?:|\/\//i)
  for (const [name, contents] of await pageFiles()) {
    const text = new TextDecoder().decode(contents)
    expect(text, name).not.toMatch(/cq_[a-z]{2}_\w{20}|eval\(|new Function|sourceMappingURL/)
    for (const key of Object.values(keys)) expect(text).not.toContain(key)
  }
  expect((await (await ask('/console/')).text()) === html).toBe(true)
})

test('CO3 files that cannot be had are 500, the host is told, and the next request tries again', async () => {
  let tries = 0
  const { page, errors } = await openConsole({
    pageFiles: () => {
      tries++
      return tries === 1 ? Promise.reject(new Error('no disk')) : pageFiles()
    },
  })
  const ask = await MOUNTS['the fetch handler']?.(page, '')
  const failed = await ask?.('/')
  expect([failed?.status, await failed?.text()]).toEqual([500, expect.not.stringContaining('no disk')])
  expect(errors).toMatchObject([{ error: new Error('no disk') }])
  expect((await ask?.('/'))?.status).toBe(200)
})

describe('options', () => {
  test.each([
    [{}, 'createConsole needs the option authorize.'],
    [{ authorise: NOBODY }, 'createConsole has no option "authorise". Did you mean authorize?'],
    [{ authorize: NOBODY, signInUrl: 'javascript:alert(1)' }, 'The option signInUrl is not valid'],
    [{ authorize: NOBODY, signOutUrl: '' }, 'The option signOutUrl is not valid'],
    [{ authorize: NOBODY, mostExported: 0 }, 'mostExported must be a whole number'],
    [null, 'createConsole takes an object of options, not null.'],
  ])('%j is refused', async (options, message) => {
    const { platform } = await openConsole()
    expect(() => Reflect.apply(createConsole, undefined, [platform, options])).toThrow(message)
  })

  test('anything but a platform is refused', async () => {
    expect(() => Reflect.apply(createConsole, undefined, [{}, { authorize: NOBODY }])).toThrow(
      'createConsole takes the platform first',
    )
  })
})
