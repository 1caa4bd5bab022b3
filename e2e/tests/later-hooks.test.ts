import { once } from 'node:events'
import { connect } from 'node:net'
import { createDispatcher, type Dispatcher } from '@colloquy/core/transport'
import { createMessagingBench } from '@colloquy/test-support/messaging-bench'
import { EVERYDAY, MOUNTS, type Mounted, type MountName } from '@colloquy/test-support/mounts'
import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { TEST_ROUTES } from '@colloquy/test-support/routes'
import { attachMessaging } from '@colloquy/ws-transport'
import { expect, onTestFinished, test } from 'vitest'

const NAMES = Object.keys(MOUNTS).filter((name): name is MountName => name in MOUNTS)

/** A mount whose host refuses everything in its last hook, and the requests that were carried out all the same. */
async function guarded(name: MountName) {
  const { platform, keys } = await createPopulatedPlatform()
  const inner = createDispatcher(platform, TEST_ROUTES)
  const carriedOut: string[] = []
  const seen: string[] = []
  const dispatcher: Dispatcher = {
    ...inner,
    handle(request) {
      // A bare listener is asked for every path, and answers those of others with 404.
      if (inner.matches(request.path)) carriedOut.push(`${request.method} ${request.path}`)
      return inner.handle(request)
    },
  }
  const gate = (path: string): void => void seen.push(path)
  const mounted = await MOUNTS[name](dispatcher, { ...EVERYDAY, gate })
  onTestFinished(() => mounted.close())
  return { ...mounted, carriedOut, seen, key: keys.desk }
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'QUERY', 'TRACE']

const TYPES = [
  'a',
  ';',
  '/',
  'a/',
  '/b',
  'a/b/c',
  ' ',
  'text/plain;;',
  'application/json;charset=nonsense',
  '*/*',
  '*',
]

/** Header lines that a body parser may stumble over, each with what follows the head. */
const BODIES: readonly (readonly [headers: readonly string[], body: string])[] = [
  ...TYPES.flatMap(type => [
    [[`Content-Type: ${type}`], ''] as const,
    [[`Content-Type: ${type}`, 'Content-Length: 2'], '{}'] as const,
  ]),
  [['Content-Type: application/json', 'Content-Length: 1'], '{'],
  [['Content-Type: application/json', 'Content-Type: a', 'Content-Length: 2'], '{}'],
  [['Content-Type: application/json', 'Content-Encoding: nonsense', 'Content-Length: 2'], '{}'],
  [['Content-Type: application/json', 'Content-Encoding: gzip', 'Content-Length: 2'], '{}'],
  [['Content-Type: application/json', 'Transfer-Encoding: chunked'], '2\r\n{}\r\n0\r\n\r\n'],
  [['Transfer-Encoding: chunked'], '0\r\n\r\n'],
  [['Content-Length: 2'], '{}'],
  [['Expect: nonsense', 'Content-Length: 2'], '{}'],
  [['Expect: 100-continue', 'Content-Length: 2'], '{}'],
]

const OFFERS = ['websocket', 'h2c', 'h2c, websocket', 'TLS/1.2', ',']

const OTHER_TARGETS = (path: string, base: string): readonly string[] => [
  `http://host${path}`,
  `HTTPS://other:1${path}`,
  `${path}?a=b#c`,
  `${path}#c`,
  path.replace(base, `/x/..${base}`),
  path.replace('/v1', '/./v1').replace('/v1', '/x/../v1'),
  path.replace('/desk', '//desk'),
  path.replace('/desk', '/%64esk'),
  path.replace('/desk', '/desk;a=b'),
  `/x/..%2f${path.slice(1)}`,
  `/${path}`,
  path.toUpperCase(),
  path.replaceAll('/', '\\').replace('\\', '/'),
]

/** Writes one request, and reads until the server closes or has nothing more to say. */
async function exchange(port: number, head: readonly string[], body: string): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.end(`${[...head, 'Host: a', 'Connection: close', '', ''].join('\r\n')}${body}`)
  socket.resume()
  await once(socket, 'close')
}

async function offer(port: number, head: readonly string[]): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write([...head, 'Host: a', '', ''].join('\r\n'))
  await Promise.race([once(socket, 'data'), once(socket, 'close')])
  socket.destroy()
}

const portOf = ({ server }: Mounted): number => {
  const address = server?.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

test.each(NAMES)('HT30 %s carries out nothing that the last hook of its host does not see', async name => {
  const { carriedOut, seen, key, base, send, ...mounted } = await guarded(name)
  const path = `${base}/desk/v1/echo`
  if (mounted.server === null) {
    for (const method of METHODS.filter(one => one !== 'TRACE'))
      for (const type of TYPES) {
        const hasBody = method !== 'GET' && method !== 'HEAD'
        const headers = { 'x-api-key': key, 'content-type': type }
        await send(path, { method, headers, ...(hasBody ? { body: '{}' } : {}) })
      }
    for (const target of OTHER_TARGETS(path, base).filter(one => one.startsWith('/')))
      await send(target, { method: 'DELETE', headers: { 'x-api-key': key } })
  } else {
    const bench = await createMessagingBench()
    const sockets = attachMessaging(mounted.server, bench)
    onTestFinished(() => sockets.close())
    const port = portOf({ ...mounted, base, send })
    const first = (method: string, target: string) => [`${method} ${target} HTTP/1.1`, `X-Api-Key: ${key}`]
    for (const method of METHODS)
      await Promise.all(
        BODIES.map(([headers, body]) => exchange(port, [...first(method, path), ...headers], body)),
      )
    for (const target of OTHER_TARGETS(path, base)) await exchange(port, first('DELETE', target), '')
    for (const protocol of OFFERS)
      await offer(port, [...first('DELETE', path), 'Connection: upgrade', `Upgrade: ${protocol}`])
  }
  expect(carriedOut).toEqual([])
  expect(seen.length).toBeGreaterThan(10)
})
