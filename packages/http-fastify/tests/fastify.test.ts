import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createDispatcher, routes } from '@colloquy/core/transport'
import { createMessagingBench } from '@colloquy/test-support/messaging-bench'
import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { attachMessaging, createMessagingEndpoint } from '@colloquy/ws-transport'
import websocket from '@fastify/websocket'
import fastify, { type FastifyInstance } from 'fastify'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { colloquyPlugin } from '../src/index.ts'
import { createHost } from './fastify-host.ts'

const json = { 'content-type': 'application/json' }

async function listening(app: FastifyInstance): Promise<string> {
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(async () => {
    app.server.closeAllConnections()
    await app.close()
  })
  return url
}

const newApp = (): FastifyInstance => fastify({ forceCloseConnections: true })

/** Opens a socket, and returns the first thing that it says. */
async function firstFrame(url: string): Promise<string> {
  const socket = new WebSocket(url)
  onTestFinished(() => socket.terminate())
  const [data] = await once(socket, 'message')
  return String(data)
}

describe('where it is mounted', () => {
  test('FY1 the host in the readme is the one that is run, letter by letter', async () => {
    const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
    expect(read('../README.md')).toContain(read('fastify-host.ts'))
    const { platform, keys } = await createPopulatedPlatform()
    const url = await listening(createHost(platform))
    expect(await (await fetch(`${url}/health`)).json()).toEqual({ well: true })
    const headers = { 'x-api-key': keys.workspace }
    const answer = await fetch(`${url}/talk/v1/agents/PROJECT-A`, { headers })
    expect([answer.status, await answer.json()]).toMatchObject([200, { agentId: 'PROJECT-A' }])
  })

  test.each([
    ['the root', '', ''],
    ['a prefix', '/talk', '/talk'],
    ['one that ends in a slash', '/talk/', '/talk'],
    ['a deep one', '/deep/er', '/deep/er'],
    ['one with a parameter', '/of/:tenant/talk', '/of/some%2Fone/talk'],
  ])('FY1 it works at %s, and all other paths are the host’s', async (_, prefix, base) => {
    const { platform, keys } = await createPopulatedPlatform()
    const app = newApp()
    app.get('/own', async () => 'own')
    app.setNotFoundHandler((request, reply) => reply.status(404).send(`nothing at ${request.url}`))
    app.register(colloquyPlugin, { prefix, platform })
    const url = await listening(app)
    const headers = { 'x-api-key': keys.workspace }
    const answer = await fetch(`${url}${base}/v1/agents/PROJECT-A?x=1`, { headers })
    expect([answer.status, await answer.json()]).toMatchObject([200, { agentId: 'PROJECT-A' }])
    expect((await fetch(`${url}${base}/v1/agents/a/b/c`, { headers })).status).toBe(404)
    expect(await (await fetch(`${url}/own`)).text()).toBe('own')
    for (const path of [
      `${base}/v1/invoices`,
      `${base}/`,
      `${base}//v1/agents/PROJECT-A`,
      `/x${base}/v1/agents/A`,
    ])
      expect(await (await fetch(`${url}${path}`, { headers })).text()).toBe(`nothing at ${path}`)
  })

  test('FY1 it works within another scope, twice, and with families', async () => {
    const { platform, keys } = await createPopulatedPlatform()
    const app = newApp()
    app.register(
      async scope => {
        scope.register(colloquyPlugin, { prefix: '/agents', platform, families: ['agents'] })
        scope.register(colloquyPlugin, { prefix: '/op', platform, families: ['operator'] })
      },
      { prefix: '/inner' },
    )
    const url = await listening(app)
    const headers = { 'x-api-key': keys.workspace, authorization: `Bearer ${keys.operator}` }
    const status = async (path: string) => (await fetch(`${url}/inner${path}`, { headers })).status
    expect(await status('/agents/v1/agents/PROJECT-A')).toBe(200)
    expect(await status('/op/operator/v1/accounts')).toBe(200)
    expect(await (await fetch(`${url}/inner/op/v1/agents/PROJECT-A`)).json()).toMatchObject({
      error: 'Not Found',
    })
  })

  test.each([
    [{}, 'colloquyPlugin takes the platform as an option.'],
    [{ families: ['agent'] }, 'families has no family "agent".'],
    [{ trustPoxy: 1 }, 'Did you mean trustProxy?'],
  ])('FY5 %j is refused when Fastify loads it', async (options, message) => {
    const { platform } = await createPopulatedPlatform()
    const app = newApp()
    const given = Object.keys(options).length === 0 ? options : { platform, ...options }
    Reflect.apply(app.register, app, [colloquyPlugin, { prefix: '/talk', ...given }])
    await expect(Promise.resolve(app.ready())).rejects.toThrow(message)
  })
})

describe('bodies', () => {
  test('FY2 are read with our limits, and not Fastify’s, whatever they say that they are', async () => {
    const { platform, keys } = await createPopulatedPlatform()
    const app = fastify({ bodyLimit: 100, forceCloseConnections: true })
    app.addContentTypeParser('application/xml', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    )
    app.post('/own', async request => ({ own: request.body }))
    app.register(colloquyPlugin, { platform })
    const url = await listening(app)
    const headers = { ...json, authorization: `Bearer ${keys.operator}` }
    const create = (body: string, type = 'application/json') =>
      fetch(`${url}/operator/v1/accounts`, {
        method: 'POST',
        headers: { ...headers, 'content-type': type },
        body,
      })
    const long = JSON.stringify({ slug: 'long', name: 'x'.repeat(60), padding: 'y'.repeat(2_000) })
    expect((await create(long)).status).toBe(201)
    expect((await create(`{"a":"${'x'.repeat(70_000)}"}`)).status).toBe(413)
    for (const type of [
      'application/xml',
      'text/plain',
      'multipart/form-data; boundary=x',
      'no type at all;;;',
    ])
      expect(await (await create('<a/>', type)).json(), type).toMatchObject({
        error_code: 'UNSUPPORTED_CONTENT_TYPE',
      })
    expect(await (await create('{"a":')).json()).toMatchObject({ error_code: 'SCHEMA_VALIDATION_FAILED' })
    const own = (body: string) => fetch(`${url}/own`, { method: 'POST', headers: json, body })
    expect(await (await own('{"a":1}')).json()).toEqual({ own: { a: 1 } })
    expect((await own(long)).status).toBe(413)
  })

  test('FY4 what a hook throws goes to the host’s own error handler', async () => {
    const { platform } = await createPopulatedPlatform()
    const app = newApp()
    app.setErrorHandler((error: Error, _request, reply) =>
      reply.status(503).send(`the host: ${error.message}`),
    )
    app.addHook('preHandler', async () => {
      throw new Error('not today')
    })
    app.register(colloquyPlugin, { platform })
    const answer = await fetch(`${await listening(app)}/v1/agents/A`)
    expect([answer.status, await answer.text()]).toEqual([503, 'the host: not today'])
  })

  test('FY2 one that a hook has read is refused in words', async () => {
    const errors: unknown[] = []
    const { platform, keys } = await createPopulatedPlatform({ onError: error => errors.push(error) })
    const app = newApp()
    app.addHook('preParsing', async request => {
      for await (const _chunk of request.raw);
    })
    app.register(colloquyPlugin, { platform })
    const url = await listening(app)
    const headers = { ...json, authorization: `Bearer ${keys.operator}` }
    const answer = await fetch(`${url}/operator/v1/accounts`, {
      method: 'POST',
      headers,
      body: '{"slug":"a","name":"A"}',
    })
    expect([answer.status, await answer.json()]).toMatchObject([500, { error_code: 'BODY_READ_BEFORE' }])
    expect(errors).toMatchObject([{ code: 'BODY_READ_BEFORE' }])
  })
})

describe('hooks', () => {
  test('FY4 those before the handler run, their headers go out, and the log is told of the whole target', async () => {
    const { platform } = await createPopulatedPlatform()
    const app = newApp()
    const ran: string[] = []
    app.addHook('onRequest', async (request, reply) => {
      ran.push(`onRequest ${request.url}`)
      reply.header('x-host', 'yes').header('cache-control', 'public').header('content-length', '1')
    })
    app.addHook('preParsing', async () => void ran.push('preParsing'))
    app.addHook('preValidation', async () => void ran.push('preValidation'))
    app.addHook('preHandler', async () => void ran.push('preHandler'))
    app.addHook('preSerialization', async () => void ran.push('preSerialization'))
    app.addHook('onSend', async () => void ran.push('onSend'))
    const responded = new Promise<string>(resolve => {
      app.addHook('onResponse', async (request, reply) =>
        resolve(`onResponse ${request.url} ${reply.raw.statusCode}`),
      )
    })
    app.register(colloquyPlugin, { prefix: '/talk', platform })
    const url = await listening(app)
    const answer = await fetch(`${url}/talk/v1/agents/A?b=c`)
    const { headers } = answer
    expect([answer.status, headers.get('x-host'), headers.get('cache-control')]).toEqual([
      401,
      'yes',
      'no-store',
    ])
    expect(await answer.json()).toMatchObject({ error_code: 'AUTH_USER_UNAUTHORISED' })
    expect(ran).toEqual(['onRequest /talk/v1/agents/A?b=c', 'preParsing', 'preValidation', 'preHandler'])
    expect(await responded).toBe('onResponse /talk/v1/agents/A?b=c 401')
  })

  test.each(['onRequest', 'preHandler'] as const)(
    'FY4 one of %s that answers ends the request',
    async hook => {
      const { platform } = await createPopulatedPlatform()
      const app = newApp()
      app.addHook(hook, async (_request, reply) => reply.status(403).send('not you'))
      app.register(colloquyPlugin, { platform })
      const url = await listening(app)
      const answer = await fetch(`${url}/v1/agents/A`)
      expect([answer.status, await answer.text()]).toEqual([403, 'not you'])
    },
  )
})

describe('what Fastify refuses before the hooks', () => {
  test.each(['a', ';', '/', 'a/', 'text/plain, application/json'])(
    'FY27 a content type %j is 415 and carries nothing out, with a body or without',
    async type => {
      const { platform, keys } = await createPopulatedPlatform()
      const inner = createDispatcher(platform, routes)
      const handle = vi.fn(inner.handle)
      const app = newApp()
      app.register(colloquyPlugin, { prefix: '/talk', platform: { ...inner, handle } })
      const url = `${await listening(app)}/talk/operator/v1/accounts`
      const headers = { authorization: `Bearer ${keys.operator}`, 'content-type': type }
      for (const body of [null, '{"slug":"new","name":"New"}']) {
        const answer = await fetch(url, { method: 'POST', headers, body })
        expect([answer.status, await answer.json()]).toMatchObject([
          415,
          { error_code: 'UNSUPPORTED_CONTENT_TYPE' },
        ])
      }
      expect(handle).not.toHaveBeenCalled()
    },
  )

  test('FY27 an error of a hook that names a content type goes to the host', async () => {
    const { platform, keys } = await createPopulatedPlatform()
    const app = newApp()
    app.setErrorHandler((_error, _request, reply) => reply.status(418).send('the host'))
    app.addHook('preHandler', async () => {
      throw Object.assign(new Error('no'), { code: 'FST_ERR_CTP_BODY_TOO_LARGE' })
    })
    app.register(colloquyPlugin, { platform })
    const url = await listening(app)
    const answer = await fetch(`${url}/v1/agents/PROJECT-A`, { headers: { 'x-api-key': keys.workspace } })
    expect([answer.status, await answer.text()]).toEqual([418, 'the host'])
  })
})

describe('sockets', () => {
  test('FY1 visitors’ sockets work on the server of the application', async () => {
    const bench = await createMessagingBench()
    const app = newApp()
    const endpoint = attachMessaging(app.server, bench)
    const url = (await listening(app)).replace('http', 'ws')
    const path = `/ws?session_id=${await bench.session()}&access_token=${bench.accessToken}`
    expect(await firstFrame(`${url}${path}`)).toContain('EVENT_TYPE_EVENT_BATCH')
    await endpoint.close()
  })

  test('FY1 MS92 their frames are counted before they are read, by their bytes', async () => {
    const sessionBytes = { perSecond: 1_000, burst: 10_000 }
    const bench = await createMessagingBench({
      rateLimits: { session: { perSecond: 1, burst: 100 }, sessionBytes },
    })
    const app = newApp()
    const endpoint = attachMessaging(app.server, bench)
    const url = (await listening(app)).replace('http', 'ws')
    const path = `/ws?session_id=${await bench.session()}&access_token=${bench.accessToken}`
    const socket = new WebSocket(`${url}${path}`)
    await once(socket, 'open')
    const frame = JSON.stringify({ type: 'EVENT_TYPE_USER_TYPING', payload: { more: 'y'.repeat(3_000) } })
    for (let count = 0; count < 50; count++) socket.send(frame)
    const [code] = await once(socket, 'close')
    expect(code).toBe(1008)
    await endpoint.close()
  })

  test('FY1 beside @fastify/websocket, which is given the upgrades that are not the platform’s', async () => {
    const bench = await createMessagingBench()
    const app = newApp()
    const endpoint = createMessagingEndpoint(bench)
    // It never listens: `@fastify/websocket` takes every upgrade of the server that it is given.
    const theirs = createServer()
    await app.register(websocket, { options: { server: theirs } })
    app.get('/own', { websocket: true }, socket => socket.send('own'))
    app.server.on('upgrade', (request, socket, head) => {
      if (!endpoint.handleUpgrade(request, socket, head)) theirs.emit('upgrade', request, socket, head)
    })
    const url = (await listening(app)).replace('http', 'ws')
    const path = `/ws?session_id=${await bench.session()}&access_token=${bench.accessToken}`
    expect(await firstFrame(`${url}${path}`)).toContain('EVENT_TYPE_EVENT_BATCH')
    expect(await firstFrame(`${url}/own`)).toBe('own')
    const refused = new WebSocket(`${url}/ws`)
    const [error] = await once(refused, 'error')
    expect(String(error)).toContain('Unexpected server response: 400')
    await endpoint.close()
  })
})
