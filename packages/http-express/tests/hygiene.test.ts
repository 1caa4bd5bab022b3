import { connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { type Dispatcher, RESPONSE_HEADERS } from '@colloquy/core/transport'
import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import express from 'express'
import { describe, expect, test } from 'vitest'
import { createRequestListener, createRouter } from '../src/index.ts'
import { answerWith } from '../src/middleware.ts'
import { exchange, listen, serveTestRoutes } from './support.ts'

const json = { 'content-type': 'application/json' }
const OURS = Object.entries(RESPONSE_HEADERS)

/** A socket that remembers what it was told; `gone` once the server has closed it. */
function open(port: number) {
  const socket: Socket = connect(port, '127.0.0.1')
  let told = ''
  const watchers = new Set<() => void>()
  socket.on('data', data => {
    told += String(data)
    for (const watcher of watchers) watcher()
  })
  socket.on('error', () => {})
  const gone = new Promise<string>(resolve => socket.on('close', () => resolve(told)))
  /** Resolves when that many answers have begun. */
  const answers = (count: number): Promise<void> =>
    new Promise(resolve => {
      const look = (): void => {
        if (told.split('HTTP/1.1 ').length > count) resolve()
      }
      watchers.add(look)
      look()
    })
  return { socket, gone, answers, told: () => told }
}

describe('what answers say', () => {
  test('HY10 our answers say it, those of the host do not, and the host says its own', async () => {
    const { middleware } = await serveTestRoutes()
    const app = express().disable('x-powered-by').use(middleware)
    app.get('/', (_, response) => void response.send('the host'))
    const { url } = await listen(app)
    const ours = await fetch(`${url}/v1/agents/PROJECT-A`)
    expect(OURS.map(([name]) => [name, ours.headers.get(name)])).toEqual(OURS)
    const host = await fetch(url)
    expect(OURS.filter(([name]) => host.headers.has(name))).toEqual([])
    expect(ours.headers.has('strict-transport-security')).toBe(false)
  })

  test('HY10 on node:http nothing names the software', async () => {
    const { platform } = await createPopulatedPlatform()
    const { url } = await listen(createRequestListener(platform))
    const { headers } = await fetch(`${url}/nowhere`)
    expect([headers.has('x-powered-by'), headers.has('server')]).toEqual([false, false])
  })

  test('HY11 behind a trusted proxy that vouches for TLS, browsers are held to it', async () => {
    const { middleware } = await serveTestRoutes(true)
    const { url } = await listen(express().use(middleware))
    const said = async (scheme: string) =>
      (
        await fetch(`${url}/v1/agents/A`, {
          headers: { 'x-forwarded-proto': scheme, 'x-forwarded-for': '203.0.113.9' },
        })
      ).headers.get('strict-transport-security')
    expect([await said('https'), await said('http')]).toEqual(['max-age=31536000', null])
  })

  test('HY10 what the host says before us stays where it keeps a header to itself', async () => {
    const { platform } = await createPopulatedPlatform()
    const app = express()
      .use((_, response, next) => {
        response.setHeader('Content-Security-Policy', "default-src 'self'")
        next()
      })
      .use(createRouter(platform, { responseHeaders: { 'Content-Security-Policy': null } }))
    const { url } = await listen(app)
    const { headers } = await fetch(`${url}/operator/v1/accounts`)
    expect(headers.get('content-security-policy')).toBe("default-src 'self'")
    expect(headers.get('x-frame-options')).toBe('DENY')
  })
})

describe('what a parser has read', () => {
  const nested = (depth: number) => `{"free":${'['.repeat(depth)}${']'.repeat(depth)}}`

  test.each([
    ['as deep as may be', nested(99), 200],
    ['too deep', nested(100), 400],
    ['deeper than any stack', nested(400_000), 400],
    ['too long', `{"name":"${'x'.repeat(1_048_576)}"}`, 413],
    ['too long as text, and short once it is parsed', `{"name":"x"}${' '.repeat(1_048_576)}`, 200],
  ])('HT16 %s: express.json has parsed it, and it is measured all the same', async (_, body, status) => {
    const { middleware, keys, errors } = await serveTestRoutes()
    const failures: unknown[] = []
    const app = express().use(express.json({ limit: '8mb' }), middleware)
    app.use(
      (error: unknown, _request: express.Request, response: express.Response, next: express.NextFunction) => {
        failures.push(error)
        if (response.headersSent) next(error)
        else response.sendStatus(500)
      },
    )
    const { url } = await listen(app)
    const headers = { ...json, 'x-api-key': keys.desk }
    const answer = await fetch(`${url}/desk/v1/echo`, { method: 'POST', headers, body })
    expect([answer.status, failures, errors]).toEqual([status, [], []])
    expect(await answer.text()).not.toContain('RangeError')
  })

  test('HT17 compressed bodies are for the host to unpack: one that nobody has unpacked is 415, however small', async () => {
    const { listener, middleware, keys } = await serveTestRoutes()
    const bomb = gzipSync(`{"name":"${'x'.repeat(1_000_000)}"}`)
    const send = async (url: string) =>
      fetch(`${url}/desk/v1/echo`, {
        method: 'POST',
        headers: { ...json, 'content-encoding': 'gzip', 'x-api-key': keys.desk },
        body: bomb,
      })
    const { url } = await listen(listener)
    expect((await send(url)).status).toBe(415)
    const unpacking = await listen(express().use(express.json({ limit: '2mb' }), middleware))
    expect((await send(unpacking.url)).status).toBe(200)
  })
})

describe('where a body ends', () => {
  const head = (key: string, ...lines: readonly string[]) =>
    [
      'POST /desk/v1/echo HTTP/1.1',
      'Host: a',
      'Content-Type: application/json',
      `X-Api-Key: ${key}`,
      ...lines,
      '',
      '',
    ].join('\r\n')
  const hidden = 'DELETE /desk/v1/echo HTTP/1.1\r\nHost: a\r\n\r\n'
  const statuses = (answer: string) => [...answer.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status)

  test.each([
    ['two lengths', ['Content-Length: 2', 'Content-Length: 40'], `{}${hidden}`],
    ['a length and chunks', ['Content-Length: 2', 'Transfer-Encoding: chunked'], `0\r\n\r\n${hidden}`],
    ['a negative length', ['Content-Length: -1'], '{}'],
    ['a length in words', ['Content-Length: two'], '{}'],
    ['chunks that are none', ['Transfer-Encoding: chunked'], `zz\r\n{}\r\n0\r\n\r\n${hidden}`],
    ['chunks within something else', ['Transfer-Encoding: chunked, identity'], `0\r\n\r\n${hidden}`],
  ])('HY23 %s: refused, and nothing is read as a second request', async (_, lines, body) => {
    const { listener, keys, errors } = await serveTestRoutes()
    const { port } = await listen(listener)
    const answer = await exchange(port, head(keys.desk, ...lines) + body)
    expect(statuses(answer)).toEqual(['400'])
    expect(errors).toEqual([])
  })

  test('HY23 a body that goes on behind its length is not part of it, one that ends before it has no answer', async () => {
    const { listener, keys, errors } = await serveTestRoutes()
    const { port } = await listen(listener)
    const longer = await exchange(port, `${head(keys.desk, 'Content-Length: 2')}{}{"name":"x"}`)
    expect(statuses(longer).at(-1)).toBe('400')
    expect(longer).not.toContain('"name"')
    expect(await exchange(port, `${head(keys.desk, 'Content-Length: 20')}{}`)).not.toContain(' 200 ')
    const chunked = await exchange(
      port,
      `${head(keys.desk, 'Transfer-Encoding: chunked', 'Connection: close')}1\r\n{\r\n1\r\n}\r\n0\r\n\r\n`,
    )
    expect(statuses(chunked)).toEqual(['200'])
    expect(errors).toEqual([])
  })
})

describe('which host is asked', () => {
  test.each(['Host: a', 'hOST: b', 'Host:'])(
    'HY24 a second host, here "%s", is 400 in the words of the family, and nothing is done',
    async second => {
      const { listener, keys } = await serveTestRoutes()
      const { port } = await listen(listener)
      const ask = (...lines: readonly string[]) =>
        exchange(
          port,
          [
            'POST /desk/v1/echo HTTP/1.1',
            ...lines,
            `X-Api-Key: ${keys.desk}`,
            'Content-Type: application/json',
            'Content-Length: 2',
            'Connection: close',
            '',
            '{}',
          ].join('\r\n'),
        )
      expect(await ask('Host: a')).toMatch(/^HTTP\/1\.1 200 /)
      const answer = await ask('Host: a', second)
      expect(answer).toMatch(/^HTTP\/1\.1 400 /)
      expect(answer).toContain('it must be sent once')
      expect(answer).toMatch(/content-type: application\/json/i)
    },
  )
})

describe('for how long', () => {
  const slow = (key: string) =>
    `POST /desk/v1/echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nX-Api-Key: ${key}\r\nContent-Length: 1000000\r\n\r\n{"name":"`

  test('HY30 a body that drips is answered 408 in time, and the connection ends', async () => {
    const { listener, keys, errors } = await serveTestRoutes(false, {}, 150)
    const { port } = await listen(listener)
    const { socket, gone } = open(port)
    const began = performance.now()
    socket.write(slow(keys.desk))
    const dripping = setInterval(() => socket.write('x'), 20)
    const told = await gone
    clearInterval(dripping)
    expect(performance.now() - began).toBeGreaterThan(140)
    expect(told).toMatch(/^HTTP\/1\.1 408 .*\r\n/)
    expect(told).toContain('Connection: close')
    expect(told).toContain('"error_code":"REQUEST_TIMEOUT"')
    expect(told).toContain('The body did not arrive within 0.15 s, which is the limit.')
    expect(errors).toEqual([])
  })

  test('FE12 a client that does not read its answer is cut off in time, and others are served meanwhile', async () => {
    const chunk = 'x'.repeat(65_536)
    const made = { chunks: 0, over: false }
    async function* endless() {
      try {
        for (;;) {
          made.chunks++
          yield chunk
        }
      } finally {
        made.over = true
      }
    }
    const dispatcher: Dispatcher = {
      matches: () => true,
      refusal: () => {
        throw new Error('nothing is refused here')
      },
      handle: async ({ path }) => {
        const chunks = path === '/long' ? endless() : null
        return { status: 200, headers: {}, body: chunks === null ? 'short' : null, chunks }
      },
    }
    const intake = { trustProxy: false, requestTimeout: 30_000, answerTimeout: 4_000 }
    const { port, url } = await listen(answerWith(dispatcher, intake))
    const { socket, gone } = open(port)
    socket.pause()
    socket.write('GET /long HTTP/1.1\r\nHost: a\r\n\r\n')
    await expect.poll(() => made.chunks).toBeGreaterThan(1)
    expect(await (await fetch(`${url}/short`)).text()).toBe('short')
    await expect.poll(() => made.over).toBe(true)
    // What the system's buffers take, and no more.
    expect(made.chunks).toBeLessThan(1_000)
    socket.resume()
    await gone
  })

  test('HY30 a body that takes its time, and less than it may, is read', async () => {
    const { listener, keys } = await serveTestRoutes(false, {}, 60_000)
    const { port } = await listen(listener)
    const { socket, gone } = open(port)
    const body = '{"name":"slow"}'
    socket.write(
      `POST /desk/v1/echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Api-Key: ${keys.desk}\r\nContent-Length: ${body.length}\r\n\r\n`,
    )
    for (const character of body) {
      socket.write(character)
      await new Promise(resolve => setImmediate(resolve))
    }
    expect(await gone).toMatch(/^HTTP\/1\.1 200 [\s\S]*\{"name":"slow"\}$/)
  })

  test.each([
    ['without a key', 'wrong', 401],
    ['with a body over the limit', null, 413],
  ])('HY30 who is answered early, %s, and goes on sending is cut off', async (_, key, status) => {
    const { listener, keys } = await serveTestRoutes(false, {}, 100)
    const { port } = await listen(listener)
    const { socket, gone, answers } = open(port)
    const text = slow(key ?? keys.desk)
    socket.write(key === null ? text.replace('1000000', '100000000') : text)
    await answers(1)
    const sending = setInterval(() => socket.write('x'.repeat(100)), 10)
    const told = await gone
    clearInterval(sending)
    expect(told).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  })

  test('HY30 who is answered early and ends its body is served again over the same connection', async () => {
    const { listener, keys } = await serveTestRoutes(false, {}, 60_000)
    const { port } = await listen(listener)
    const { socket, answers, told } = open(port)
    const body = 'x'.repeat(100_000)
    socket.write(
      `POST /desk/v1/echo HTTP/1.1\r\nHost: a\r\nX-Api-Key: wrong\r\nContent-Length: ${body.length}\r\n\r\n`,
    )
    await answers(1)
    socket.write(body)
    socket.write(`DELETE /desk/v1/echo HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${keys.desk}\r\n\r\n`)
    await answers(2)
    expect(told()).toMatch(/^HTTP\/1\.1 401 [\s\S]*HTTP\/1\.1 204 /)
    socket.destroy()
  })
})

describe('what stays inside', () => {
  test('HT21 what a host throws before or behind us is the host’s, and what throws in us says nothing of it', async () => {
    const { middleware, keys, errors } = await serveTestRoutes()
    const app = express()
      .use('/before', () => {
        throw new Error('of the host')
      })
      .use('/before', middleware)
      .use(middleware)
    const heard: unknown[] = []
    app.use(
      (error: Error, _request: express.Request, response: express.Response, _next: express.NextFunction) => {
        heard.push(error.message)
        response.status(503).send('the host speaks')
      },
    )
    const { url } = await listen(app)
    expect(await (await fetch(`${url}/before/v1/agents/A`)).text()).toBe('the host speaks')
    const crash = await fetch(`${url}/operator/v1/crash`, {
      headers: { authorization: `Bearer ${keys.operator}` },
    })
    const text = await crash.text()
    expect([crash.status, heard]).toEqual([500, ['of the host']])
    expect(text).not.toMatch(/secret detail|TypeError|\.js|\.ts|node_modules/)
    expect(errors).toHaveLength(1)
  })
})
