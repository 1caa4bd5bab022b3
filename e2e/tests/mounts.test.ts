import { once } from 'node:events'
import { connect } from 'node:net'
import { createDispatcher, type Dispatcher, type HttpResponse } from '@colloquy/core/transport'
import {
  EVERYDAY,
  MOUNTS,
  type Mounted,
  type MountIntake,
  type MountName,
} from '@colloquy/test-support/mounts'
import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { TEST_ROUTES } from '@colloquy/test-support/routes'
import { describe, expect, onTestFinished, test } from 'vitest'

type Keys = Awaited<ReturnType<typeof createPopulatedPlatform>>['keys']

const NAMES = Object.keys(MOUNTS).filter((name): name is MountName => name in MOUNTS)
/** Where nothing listens. */
const HANDED: readonly MountName[] = ['Next.js', 'SvelteKit', 'fetch']
const WIRED = NAMES.filter(name => !HANDED.includes(name))
/** Where headers come joined. */
const JOINED: readonly MountName[] = ['Hono', ...HANDED]

async function mount(
  name: MountName,
  dispatcher: Dispatcher,
  intake: Partial<MountIntake> = {},
): Promise<Mounted> {
  const mounted = await MOUNTS[name](dispatcher, { ...EVERYDAY, ...intake })
  onTestFinished(() => mounted.close())
  return mounted
}

async function serve(name: MountName, intake: Partial<MountIntake> = {}) {
  const made = await createPopulatedPlatform()
  const dispatcher = createDispatcher(made.platform, TEST_ROUTES)
  const mounted = await mount(name, dispatcher, intake)
  const address = mounted.server?.address()
  return { ...made, ...mounted, port: typeof address === 'object' && address !== null ? address.port : 0 }
}

const json = { 'content-type': 'application/json' }

/** Requests of every kind of answer, with the status of each. */
const requests = (keys: Keys): readonly (readonly [string, number, RequestInit?])[] => {
  const desk = { ...json, 'x-api-key': keys.desk }
  const post = (body: string, headers: Record<string, string> = desk) => ({ method: 'POST', headers, body })
  return [
    [
      '/v1/agents/PROJECT-A?limit=2&channel=a&channel=b%20c',
      200,
      { headers: { 'x-api-key': keys.workspace } },
    ],
    ['/v1/agents/PROJECT-A', 401],
    ['/v1/agents/PROJECT-A', 403, { headers: { 'x-api-key': keys.desk } }],
    ['/v1/agents/PROJECT-Z', 403, { headers: { 'x-api-key': keys.workspace } }],
    ['/v1/agents/PROJECT%2DA', 200, { headers: { 'x-api-key': keys.workspace } }],
    ['/v1/agents/PROJECT-A', 200, { method: 'HEAD', headers: { 'x-api-key': keys.workspace } }],
    ['/v1/agents/PROJECT-A', 405, { method: 'OPTIONS' }],
    ['/v1/agents/PROJECT-A', 405, { method: 'PUT', headers: desk, body: '{}' }],
    ['/v1/agents/PROJECT-A/', 404],
    ['/v1/one/PROJECT-A/conversations/x/y', 404],
    ['/desk/v1/echo', 200, post('{"name":"ünïcode","free":{"list":[1,null]}}')],
    ['/desk/v1/echo', 200, post('')],
    ['/desk/v1/echo', 200, { method: 'POST', headers: { 'x-api-key': keys.desk } }],
    ['/desk/v1/echo', 204, { method: 'DELETE', headers: { 'x-api-key': keys.desk } }],
    ['/desk/v1/echo', 400, post('{"name":')],
    ['/desk/v1/echo', 400, post('[]')],
    ['/desk/v1/echo', 400, post(`{"free":${'['.repeat(100)}${']'.repeat(100)}}`)],
    ['/desk/v1/echo', 415, post('a=1', { ...desk, 'content-type': 'application/x-www-form-urlencoded' })],
    ['/desk/v1/echo', 415, post('{}', { ...desk, 'content-type': 'no type at all;;;' })],
    ['/desk/v1/echo', 415, post('{}', { ...desk, 'content-encoding': 'gzip' })],
    ['/desk/v1/echo', 413, post(`{"free":"${'x'.repeat(1_048_576)}"}`)],
    ['/desk/v1/echo', 401, post('{}', { ...json, 'x-api-key': 'wrong' })],
    ['/v1/external-events/webhook', 200, post('a=1&b=x+y', { 'content-type': 'text/plain' })],
    [
      '/v1/external-events/webhook',
      200,
      post('--x\r\n\r\n--x--', { 'content-type': 'multipart/form-data; boundary=x' }),
    ],
    ['/v1/external-events/webhook', 413, post('x'.repeat(65), { 'content-type': 'text/plain' })],
    ['/operator/v1/crash', 500],
    ['/api/v1/fail', 404],
    ['/v3/fail', 501],
    ['/v1/conflict', 400],
  ]
}

/** What servers say by themselves, and what differs from one answer to the next. */
const OWN =
  /^(?:connection|keep-alive|date|transfer-encoding|content-length|x-powered-by|x-.*correlation-id)$/

const comparable = async (answer: Response) => ({
  status: answer.status,
  headers: [...answer.headers].filter(([name]) => !OWN.test(name)).sort(),
  body: (await answer.text()).replace(/"error_id":"[^"]*"/, ''),
})

describe.each(NAMES)('behind %s', name => {
  test('HT43 every kind of answer is that of the dispatcher, letter by letter', async () => {
    const { base, errors, keys, platform, send } = await serve(name)
    const plain = createDispatcher(platform, TEST_ROUTES)
    for (const [target, status, init = {}] of requests(keys)) {
      const [path = '', query = ''] = target.split('?')
      const body = new TextEncoder().encode(String(init.body ?? ''))
      const expected: HttpResponse = await plain.handle({
        ...{ method: init.method ?? 'GET', path, query, body: async () => body },
        headers: Object.fromEntries(new Headers(init.headers)),
        ...{ remoteAddress: '127.0.0.1', secure: true },
      })
      const answer = await comparable(await send(`${base}${target}`, init))
      expect(answer.status, target).toBe(status)
      if (status !== 413) expect(answer).toEqual(await comparable(new Response(expected.body, expected)))
    }
    expect(errors.filter(({ where }) => where !== 'GET /operator/v1/crash')).toEqual([])
  })

  test('HT61 the documents are served, and say where', async () => {
    const { base, send } = await serve(name)
    const answer = await send(`${base}/openapi.json`)
    const { servers } = JSON.parse(await answer.text())
    expect({ status: answer.status, servers }).toEqual({
      ...{ status: 200, servers: [{ url: base === '' ? '/' : base }] },
    })
    const known = { 'if-none-match': answer.headers.get('etag') ?? '' }
    expect((await send(`${base}/openapi.json`, { headers: known })).status).toBe(304)
    expect((await send(`${base}/asyncapi.json`)).status).toBe(200)
  })

  test('HT30 other paths are the host’s', async () => {
    const { base, send } = await serve(name)
    if (name === 'node:http') return
    // Express 4 takes a second slash for a part of what it is mounted at.
    const doubled = name === 'Express 4' ? [] : ['//v1/agents/PROJECT-A']
    // Below a route file there is nothing else.
    const said = name === 'Next.js' ? '{"error":"There is no such path."}' : 'the host'
    for (const path of ['/v1/invoices', '/v1', '/', ...doubled])
      expect(await (await send(`${base}${path}`)).text(), path).toBe(said)
    if (base !== '') expect(await (await send('/v1/agents/PROJECT-A')).text()).toBe('the host')
  })

  test('HT16 a body over the limit that comes in chunks is 413, and the next request is served', async () => {
    const { base, errors, keys, send } = await serve(name)
    const headers = { ...json, 'x-api-key': keys.desk }
    const piece = new Uint8Array(65_536).fill(0x20)
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (++sent > 40) controller.close()
        else controller.enqueue(piece)
      },
    })
    const answer = await send(`${base}/desk/v1/echo`, { method: 'POST', headers, body, duplex: 'half' })
    expect([answer.status, (await answer.text()).includes('BODY_TOO_LARGE')]).toEqual([413, true])
    expect((await send(`${base}/desk/v1/echo`, { method: 'DELETE', headers })).status).toBe(204)
    expect(errors).toEqual([])
  })

  test('FE12 a long answer is made as it is read, and no longer than someone reads it', async () => {
    const made = { chunks: 0, over: false }
    async function* endless() {
      try {
        for (;;) {
          made.chunks++
          yield 'x'.repeat(65_536)
        }
      } finally {
        made.over = true
      }
    }
    const { base, send } = await mount(name, {
      matches: () => true,
      refusal: () => ({ status: 500, headers: {}, body: null, chunks: null }),
      handle: async () => ({ status: 200, headers: {}, body: null, chunks: endless() }),
    })
    const going = new AbortController()
    const answer = await send(`${base}/long`, { signal: going.signal })
    const reader = answer.body?.getReader()
    await reader?.read()
    going.abort()
    await expect.poll(() => made.over).toBe(true)
    expect(made.chunks).toBeLessThan(1_000)
  })
})

/** Writes bytes, and returns all that comes back until the server closes. */
async function exchange(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(text)
  let told = ''
  socket.on('data', data => {
    told += String(data)
  })
  await once(socket, 'close')
  return told
}

describe.each(WIRED)('over the wire, behind %s', name => {
  const head = (base: string, key: string, ...lines: readonly string[]) =>
    [
      `POST ${base}/desk/v1/echo HTTP/1.1`,
      `X-Api-Key: ${key}`,
      'Content-Type: application/json',
      ...lines,
      '',
      '',
    ].join('\r\n')
  const statuses = (told: string) => [...told.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status)
  const hidden = 'DELETE /desk/v1/echo HTTP/1.1\r\nHost: a\r\n\r\n'

  test.each([
    ['two lengths', ['Content-Length: 2', 'Content-Length: 40'], `{}${hidden}`],
    ['a length and chunks', ['Content-Length: 2', 'Transfer-Encoding: chunked'], `0\r\n\r\n${hidden}`],
    ['chunks that are none', ['Transfer-Encoding: chunked'], `zz\r\n{}\r\n0\r\n\r\n${hidden}`],
  ])('HY23 %s: refused, and nothing is read as a second request', async (_, lines, body) => {
    const { base, errors, keys, port } = await serve(name)
    const told = await exchange(port, head(base, keys.desk, 'Host: a', ...lines) + body)
    expect(statuses(told)).toEqual(['400'])
    expect(errors).toEqual([])
  })

  test('HY24 and HT1 a second host is 400; of a second key the first counts, or it is 400', async () => {
    const { base, errors, keys, port } = await serve(name)
    const rest = ['Content-Length: 2', 'Connection: close']
    const hosts = await exchange(port, `${head(base, keys.desk, 'Host: a', 'Host: b', ...rest)}{}`)
    expect([statuses(hosts), hosts.includes('it must be sent once')]).toEqual([['400'], true])
    const twice = await exchange(port, `${head(base, keys.desk, 'Host: a', 'X-Api-Key: wrong', ...rest)}{}`)
    expect(statuses(twice)).toEqual([JOINED.includes(name) ? '400' : '200'])
    expect(errors).toEqual([])
  })

  test('HT30 a client that goes away in mid-body is no error, and the server goes on', async () => {
    const { base, errors, keys, port, send, server } = await serve(name)
    const socket = connect(port, '127.0.0.1')
    const arrived = server === null ? null : once(server, 'request')
    socket.write(`${head(base, keys.desk, 'Host: a', 'Content-Length: 100')}{"name":`)
    await arrived
    socket.resetAndDestroy()
    const headers = { 'x-api-key': keys.desk }
    for (let count = 0; count < 3; count++)
      expect((await send(`${base}/desk/v1/echo`, { method: 'DELETE', headers })).status).toBe(204)
    expect(errors).toEqual([])
  })

  test('HY30 and FE9 a body that drips is 408 in time', async () => {
    const { base, errors, keys, port, server } = await serve(name, { requestTimeout: 100 })
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(`${head(base, keys.desk, 'Host: a', 'Content-Length: 1000000')}{"name":"`)
    const dripping = setInterval(() => socket.write('x'), 20)
    const [told] = await once(socket, 'data')
    clearInterval(dripping)
    expect(String(told)).toMatch(/^HTTP\/1\.1 408 /)
    socket.destroy()
    server?.closeAllConnections()
    expect(errors).toEqual([])
  })
})
