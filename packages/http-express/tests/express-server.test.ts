import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http'
import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import express from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { createExpressServer, createRouter, expressPrototypes } from '../src/index.ts'
import { createHost } from './express-host.ts'
import { exchange, listen } from './support.ts'

/** Starts a server on a free port; it is gone when the test is. */
async function started(server: Server) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { port, url: `http://127.0.0.1:${port}` }
}

/** What does not differ from one answer to the next. */
const comparable = (answer: string): string =>
  answer
    .replace(/^(Date|X-.*Correlation-Id|ETag): .*\r\n/gim, '$1\r\n')
    .replace(/"error_id":"[^"]*"/g, '"error_id":""')

/** An application with everything that Express puts on requests and responses. */
function application() {
  const app = express()
  app.use(express.json())
  app.get('/own/:id', (request, response) => {
    const { hostname, ip, params, path, protocol, query, xhr } = request
    response.cookie('seen', 'yes').status(202).json({ hostname, ip, params, path, protocol, query, xhr })
  })
  app.post('/own', (request, response) => void response.json(request.body))
  const inner = express()
  inner.get('/deep', (request, response) => void response.send(`${request.baseUrl} ${request.app === inner}`))
  app.use('/inner', inner)
  return app
}

const REQUESTS = [
  'GET /own/1?a=b HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n\r\n',
  'HEAD /own/1 HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n\r\n',
  'POST /own HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n{"a":1}',
  'GET /inner/deep HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n\r\n',
  'GET /nowhere HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n\r\n',
  'GET /v1/agents/PROJECT-A HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
]

test.each(REQUESTS)('XP1 %j is answered the same with prototypes set at construction', async request => {
  const { platform } = await createPopulatedPlatform()
  const app = application().use(createRouter(platform))
  const [usual, quick] = [await started(createServer(app)), await started(createExpressServer(app))]
  const answer = comparable(await exchange(quick.port, request))
  expect(answer).toMatch(/^HTTP\/1\.1 \d{3} /)
  expect(answer).toBe(comparable(await exchange(usual.port, request)))
})

test('XP1 requests and responses have the prototypes of the application before it sees them', async () => {
  const app = application()
  Object.assign(app.request, { added: 'later' })
  const seen: boolean[] = []
  const server = createServer(expressPrototypes(app), (request, response) => {
    seen.push(Object.getPrototypeOf(request) === app.request)
    seen.push(Object.getPrototypeOf(response) === app.response)
    seen.push(request instanceof IncomingMessage && response instanceof ServerResponse)
    seen.push('added' in request)
    app(request, response)
  })
  const { url } = await started(server)
  expect((await fetch(`${url}/own/1`)).status).toBe(202)
  expect(seen).toEqual([true, true, true, true])
})

test('XP1 options of the server are kept', async () => {
  const server = createExpressServer(application(), { maxHeaderSize: 1_000 })
  const { port } = await started(server)
  const long = `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(2_000)}\r\n\r\n`
  expect(await exchange(port, long)).toMatch(/^HTTP\/1\.1 431 /)
})

test('XP1 anything but an Express application is refused', () => {
  for (const wrong of [undefined, {}, () => undefined]) {
    const given = [wrong].flat()
    expect(() => Reflect.apply(createExpressServer, null, given)).toThrow(
      'createExpressServer takes an Express application first. Pass what express() returns.',
    )
    expect(() => Reflect.apply(expressPrototypes, null, given)).toThrow('expressPrototypes takes')
  }
})

test('XP1 the host in the readme is the one that is run, letter by letter', async () => {
  const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
  expect(read('../README.md')).toContain(read('express-host.ts'))
  const { platform, keys } = await createPopulatedPlatform()
  const { port, url } = await started(createHost(platform))
  expect(await (await fetch(`${url}/health`)).json()).toEqual({ well: true })
  const headers = { 'x-api-key': keys.workspace }
  const answer = await fetch(`${url}/talk/v1/agents/PROJECT-A`, { headers })
  expect([answer.status, await answer.json()]).toMatchObject([200, { agentId: 'PROJECT-A' }])
  const refused = 'GET /talk/v1/agents/A HTTP/1.1\r\nHost: a\r\nExpect: cake\r\n\r\n'
  expect(await exchange(port, refused)).toContain('"error_code":"EXPECTATION_FAILED"')
})

test('headers that middleware has set are overwritten by the answer, once each', async () => {
  const { platform } = await createPopulatedPlatform()
  const app = express()
  app.use((_request, response, next) => {
    response.setHeader('Cache-Control', 'public').setHeader('X-Own', 'stays').setHeader('content-length', '1')
    next()
  })
  const { port } = await listen(app.use(createRouter(platform)))
  const request = 'GET /v1/agents/A HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
  const answer = await exchange(port, request)
  expect(answer.match(/^cache-control: .*$/gim)).toEqual(['Cache-Control: no-store'])
  expect(answer.match(/^x-own: .*$/gim)).toEqual(['X-Own: stays'])
  const body = answer.slice(answer.indexOf('\r\n\r\n') + 4)
  expect(answer.match(/^content-length: .*$/gim)).toEqual([`Content-Length: ${Buffer.byteLength(body)}`])
})
