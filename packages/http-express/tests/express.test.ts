import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import express from 'express'
import { describe, expect, test } from 'vitest'
import { createRequestListener, createRouter } from '../src/index.ts'
import { exchange, listen, serveTestRoutes } from './support.ts'

const json = { 'content-type': 'application/json' }

describe('in Express', () => {
  test.each(['/', '/mounted', '/deep/er'])(
    'HT30 it works at %s and leaves all other paths alone',
    async mount => {
      const { middleware, keys } = await serveTestRoutes()
      const app = express().use(mount, middleware)
      app.get('/{*path}', (_, response) => void response.send('the host'))
      const { url } = await listen(app)
      const base = `${url}${mount === '/' ? '' : mount}`
      const headers = { 'x-api-key': keys.workspace }
      expect(await (await fetch(`${base}/v1/agents/PROJECT-A?limit=3`, { headers })).json()).toMatchObject({
        agent: 'PROJECT-A',
        limit: 3,
      })
      expect((await fetch(`${base}/v1/agents/nobody`, { headers })).status).toBe(404)
      for (const path of ['/', '/v1/invoices', '/api/v1/users', '/v1', '//v1/agents/PROJECT-A', '/%'])
        expect(await (await fetch(`${base}${path}`)).text()).not.toContain('error_code')
      expect(await (await fetch(`${base}/v1/invoices`)).text()).toBe('the host')
    },
  )

  test('HT30 the host keeps its own headers and settings', async () => {
    const { middleware } = await serveTestRoutes()
    const app = express().use((_, response, next) => {
      response.setHeader('X-Host', 'yes')
      next()
    })
    const { url } = await listen(app.use(middleware))
    const response = await fetch(`${url}/v1/agents/PROJECT-A`)
    expect([response.status, response.headers.get('x-host')]).toEqual([401, 'yes'])
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  })

  test.each([
    ['no parser', express()],
    ['express.json', express().use(express.json())],
    ['express.raw', express().use(express.raw({ type: '*/*' }))],
    ['express.text', express().use(express.text({ type: '*/*' }))],
    ['all of them', express().use(express.json(), express.urlencoded(), express.raw(), express.text())],
  ])('HT30 the body is read with %s before it', async (_, app) => {
    const { middleware, keys } = await serveTestRoutes()
    const { url } = await listen(app.use(middleware))
    const echo = (body: string | null, headers: Record<string, string> = json) =>
      fetch(`${url}/desk/v1/echo`, {
        method: 'POST',
        headers: { ...headers, 'x-api-key': keys.desk },
        body,
      })
    const sent = { name: 'ünïcode', free: { list: [1, null] } }
    expect(await (await echo(JSON.stringify(sent))).json()).toEqual(sent)
    expect(await (await echo(null)).json()).toEqual({})
    expect(await (await echo('')).json()).toEqual({})
    expect((await echo('a=1', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415)
    const hook = await fetch(`${url}/v1/external-events/webhook`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'a=1&b=x+y&b=%C3%BC',
    })
    expect(await hook.json()).toEqual({ text: 'a=1&b=x+y&b=%C3%BC' })
  })

  test('HT30 the bytes that a host keeps in rawBody win over what was parsed', async () => {
    const { middleware } = await serveTestRoutes()
    const keep = express.json({
      verify(request, _, bytes) {
        Object.assign(request, { rawBody: bytes })
      },
    })
    const { url } = await listen(express().use(keep, middleware))
    const body = '{ "a" :  1.0 }'
    const response = await fetch(`${url}/v1/external-events/webhook`, { method: 'POST', headers: json, body })
    expect(await response.json()).toEqual({ text: body })
  })

  /** A host's middleware that reads the stream and keeps nothing, or not what it says. */
  const readers: readonly (readonly [string, unknown])[] = [
    ['nothing', undefined],
    ['an empty object', {}],
    ['a function', () => undefined],
  ]

  test.each(readers)(
    'HT41 a body that was read before the router, and of which %s is left, is refused in words, and the host is told',
    async (_, body) => {
      const { middleware, keys, errors } = await serveTestRoutes()
      const app = express().use(async (request, _response, next) => {
        for await (const _chunk of request);
        Object.assign(request, { body })
        next()
      })
      const { url } = await listen(app.use(middleware))
      const response = await fetch(`${url}/desk/v1/echo`, {
        method: 'POST',
        headers: { ...json, 'x-api-key': keys.desk },
        body: JSON.stringify({ name: 'not empty' }),
      })
      expect([response.status, await response.json()]).toMatchObject([
        500,
        {
          error_code: 'BODY_READ_BEFORE',
          error_message: expect.stringMatching(/Mount the router before.*express\.json\(\)/s),
        },
      ])
      expect(errors).toMatchObject([{ error: { code: 'BODY_READ_BEFORE' }, where: 'POST /desk/v1/echo' }])
      const bodiless = { method: 'POST', headers: { 'x-api-key': keys.desk } }
      expect((await fetch(`${url}/desk/v1/echo`, bodiless)).status).toBe(200)
    },
  )

  test('HT41 so is one that came without its length', async () => {
    const { middleware, keys } = await serveTestRoutes()
    const app = express().use(async (request, _response, next) => {
      for await (const _chunk of request);
      next()
    })
    const { port } = await listen(app.use(middleware))
    const answer = await exchange(
      port,
      `POST /desk/v1/echo HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${keys.desk}\r\nTransfer-Encoding: chunked\r\n` +
        'Connection: close\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
    )
    expect(answer).toMatch(/^HTTP\/1\.1 500 [\s\S]*BODY_READ_BEFORE/)
  })

  test('HT41 an empty object that a parser has made of one stays an empty object', async () => {
    const { middleware, keys } = await serveTestRoutes()
    const { url } = await listen(express().use(express.json(), middleware))
    for (const body of ['{}', ' { } ']) {
      const headers = { ...json, 'x-api-key': keys.desk }
      const response = await fetch(`${url}/desk/v1/echo`, { method: 'POST', headers, body })
      expect([response.status, await response.json()]).toEqual([200, {}])
    }
  })

  test('HT30 a router of some families leaves the paths of others to the host', async () => {
    const { platform, keys } = await createPopulatedPlatform()
    const app = express()
      .use(createRouter(platform, { families: ['agents'] }))
      .get('/operator/v1/accounts', (_, response) => void response.send('the host'))
      .use('/op', createRouter(platform, { families: ['operator'] }))
    const { url } = await listen(app)
    expect(await (await fetch(`${url}/operator/v1/accounts`)).text()).toBe('the host')
    const headers = { authorization: `Bearer ${keys.operator}` }
    expect((await fetch(`${url}/op/operator/v1/accounts`, { headers })).status).toBe(200)
  })

  test('HT1 of repeated headers the first counts, and a header named __proto__ is just a header', async () => {
    const { listener, keys } = await serveTestRoutes()
    const { port } = await listen(listener)
    const answer = await exchange(
      port,
      `GET /v1/agents/PROJECT-A HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${keys.workspace}\r\nX-API-KEY: wrong\r\n` +
        '__proto__: x\r\nConnection: close\r\n\r\n',
    )
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  })
})

describe('on node:http', () => {
  test('HT42 a platform that was closed answers 503 in the words of each family, and is told of no error', async () => {
    const { platform, keys, errors } = await createPopulatedPlatform()
    const { url } = await listen(createRequestListener(platform))
    await platform.close()
    const headers = { authorization: `Bearer ${keys.operator}`, 'x-api-key': keys.workspace }
    const operator = await fetch(`${url}/operator/v1/accounts`, { headers })
    expect([operator.status, operator.headers.get('retry-after'), await operator.json()]).toMatchObject([
      ...[503, '1', { error_code: 'PLATFORM_CLOSED' }],
    ])
    const messaging = await fetch(`${url}/api/v1/sessions`, { method: 'POST', headers, body: '{}' })
    expect([messaging.status, await messaging.json()]).toEqual([
      ...[503, { message: expect.stringContaining('going away'), error: expect.any(String) }],
    ])
    expect((await fetch(`${url}/nothing/of/ours`)).status).toBe(404)
    expect(errors).toEqual([])
  })

  test('HT30 every path is answered, unknown ones with 404 as JSON', async () => {
    const { platform, keys } = await createPopulatedPlatform()
    const { url } = await listen(createRequestListener(platform))
    const missing = await fetch(`${url}/favicon.ico`)
    expect([missing.status, await missing.json()]).toMatchObject([404, { error_code: 'ROUTE_NOT_FOUND' }])
    const headers = { authorization: `Bearer ${keys.operator}`, 'x-correlation-id': 'abc' }
    const created = await fetch(`${url}/operator/v1/accounts`, {
      method: 'POST',
      headers: { ...headers, ...json },
      body: JSON.stringify({ slug: 'new', name: 'New' }),
    })
    expect([created.status, created.headers.get('x-ai-correlation-id')]).toEqual([201, 'abc'])
    const head = await fetch(`${url}/operator/v1/accounts`, { method: 'HEAD', headers })
    expect([head.status, await head.text()]).toEqual([200, ''])
    const options = await fetch(`${url}/operator/v1/accounts`, { method: 'OPTIONS' })
    expect([options.status, options.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
  })

  test('HT1 odd request targets are answered and break nothing', async () => {
    const { listener, keys, errors } = await serveTestRoutes()
    const { port } = await listen(listener)
    const status = async (line: string) => {
      const head = `Host: a\r\nX-Api-Key: ${keys.workspace}\r\nConnection: close\r\n\r\n`
      return Number((await exchange(port, `${line} HTTP/1.1\r\n${head}`)).slice(9, 12))
    }
    expect(await status('GET http://other.example/v1/agents/PROJECT-A?limit=1')).toBe(200)
    expect(await status('OPTIONS *')).toBe(404)
    expect(await status('GET /v1/agents/%')).toBe(400)
    expect(await status('GET /v1/agents/../agents/PROJECT-A')).toBe(404)
    expect(await status('GET //v1/agents/PROJECT-A')).toBe(404)
    expect(await status('GET /v1/agents/PROJECT-A/')).toBe(404)
    expect(await status('GET /v1/agents/PROJECT-A?')).toBe(200)
    expect(await status(`GET /v1/agents/${'x'.repeat(10_000)}`)).toBe(404)
    expect(await status(`GET /v1/agents/${'x'.repeat(100_000)}`)).toBe(431)
    expect(errors).toEqual([])
  })

  test('HT33 forwarded headers move the client only with a trusted proxy', async () => {
    for (const [trust, status] of [
      [false, 404],
      [true, 200],
    ] as const) {
      const hosts = { base: { us: 'a.example' }, platform: {}, messaging: {} }
      const { middleware, keys: own } = await serveTestRoutes(trust, { hosts })
      const on = await listen(express().use(middleware))
      const asked = { 'x-api-key': own.workspace, 'x-forwarded-host': 'a.example' }
      expect((await fetch(`${on.url}/v1/agents/PROJECT-A`, { headers: asked })).status).toBe(status)
    }
  })
})

describe('bodies on the wire', () => {
  const chunk = Buffer.alloc(65_536, 0x20)

  /** Sends up to `total` bytes and returns the answer, however early it comes. */
  async function upload(port: number, key: string, total: number, headers: Record<string, string | number>) {
    const sent = httpRequest({ port, host: '127.0.0.1', method: 'POST', path: '/desk/v1/echo' })
    for (const [name, value] of Object.entries({ ...json, 'x-api-key': key, ...headers }))
      sent.setHeader(name, value)
    const answered = once(sent, 'response')
    for (let size = 0; size < total; size += chunk.length)
      if (!sent.write(chunk)) await Promise.race([once(sent, 'drain'), answered])
    sent.end()
    const [response] = await answered
    response.resume()
    return response.statusCode
  }

  test.each([
    ['with its length declared', { 'content-length': chunk.length * 64 }],
    ['in chunks', { 'transfer-encoding': 'chunked' }],
  ])('HT16 a body over the limit is 413, %s, and the server goes on', async (_, headers) => {
    const { listener, keys, errors } = await serveTestRoutes()
    const { port, url } = await listen(listener)
    expect(await upload(port, keys.desk, chunk.length * 64, headers)).toBe(413)
    expect(
      (await fetch(`${url}/desk/v1/echo`, { method: 'DELETE', headers: { 'x-api-key': keys.desk } })).status,
    ).toBe(204)
    expect(errors).toEqual([])
  })

  test('HT30 a client that goes away in mid-body is no error and leaves the server well', async () => {
    const { listener, keys, errors } = await serveTestRoutes()
    const { port, url, server } = await listen(listener)
    const head = `POST /desk/v1/echo HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${keys.desk}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"name":`
    const socket = connect(port, '127.0.0.1')
    const arrived = once(server, 'request')
    socket.write(head)
    const [, response] = await arrived
    socket.destroy()
    await once(response, 'close')
    expect(response.headersSent).toBe(false)
    expect((await fetch(`${url}/nothing`)).status).toBe(404)
    expect(errors).toEqual([])
  })
})
