import { createServer } from 'node:http'
import { listenOn } from '@colloquy/test-support/messaging-host'
import { createSignal } from '@colloquy/test-support/signal'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { overStreams } from '../src/sse/index.ts'
import { createPartReader, type StreamPart } from '../src/sse/parts.ts'

test('VC21 events of a stream are read whole and in order, wherever its pieces are cut', () => {
  const part = fc.record({
    name: fc.constantFrom('message', 'open', 'close'),
    id: fc.nat().map(String),
    data: fc.string({ unit: 'binary' }).map(text => JSON.stringify(text)),
  })
  fc.assert(
    fc.property(
      fc.array(part),
      fc.array(fc.nat(40)),
      fc.constantFrom('\n', '\r\n'),
      (parts, lengths, end) => {
        const text = parts
          .flatMap(({ name, id, data }) => [
            ': ping',
            '',
            'retry: 2',
            `event: ${name}`,
            `id: ${id}`,
            `data: ${data}`,
            '',
          ])
          .map(line => line + end)
          .join('')
        const read = createPartReader()
        const found: StreamPart[] = []
        let at = 0
        for (const length of [...lengths, text.length]) {
          found.push(...read(text.slice(at, at + length)))
          at += length
        }
        expect(found).toEqual(parts)
      },
    ),
  )
})

/** A server with a stream that says what it is told to, and posts that are answered when the test says so. */
async function startServer(statuses: readonly number[]) {
  const posted: { readonly url: string; readonly frames: readonly unknown[] }[] = []
  const { changed, until } = createSignal()
  let allowed = 0
  let underWay = 0
  let most = 0
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('event: open\ndata: {"stream":"s 1"}\n\n')
      return
    }
    underWay++
    most = Math.max(most, underWay)
    let body = ''
    for await (const piece of request) body += piece
    posted.push({ url: request.url ?? '', frames: JSON.parse(body) })
    const own = posted.length
    changed()
    await until(() => allowed >= own)
    underWay--
    response.writeHead(statuses[own - 1] ?? 202).end()
  })
  const port = await listenOn(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const socket = overStreams({ server: `http://127.0.0.1:${port}/talk` })(
    'ws://127.0.0.1/ws?session_id=one&access_token=token',
  )
  onTestFinished(() => socket.close())
  const closed: (number | undefined)[] = []
  socket.addEventListener('close', ({ code }) => {
    closed.push(code)
    changed()
  })
  return {
    closed,
    posted,
    socket,
    until,
    most: () => most,
    allow(count: number) {
      allowed = count
      changed()
    },
  }
}

test('VC21 frames go out in their order, one request at a time, and at most 64 in each', async () => {
  const { allow, most, posted, socket, until } = await startServer([])
  for (let frame = 0; frame < 200; frame++) socket.send(String(frame))
  await until(() => posted.length === 1)
  for (let frame = 200; frame < 210; frame++) socket.send(String(frame))
  allow(100)
  await until(() => posted.flatMap(({ frames }) => frames).length === 210)
  expect(posted.flatMap(({ frames }) => frames)).toEqual(Array.from({ length: 210 }, (_, index) => index))
  expect(posted.map(({ frames }) => frames.length)).toEqual([64, 64, 64, 18])
  expect(most()).toBe(1)
  expect(posted[0]?.url).toBe('/talk/api/v1/sessions/one/events?stream=s%201')
})

test.each([
  [401, 4001],
  [404, 4001],
  [413, 1009],
  [429, 1013],
  [503, 1011],
  [500, 1006],
])(
  'VC21 a post that is refused with %i closes with %i, and nothing behind it goes out',
  async (status, code) => {
    const { allow, closed, posted, socket, until } = await startServer([202, status])
    socket.send('1')
    await until(() => posted.length === 1)
    socket.send('2')
    allow(1)
    await until(() => posted.length === 2)
    socket.send('3')
    allow(9)
    await until(() => closed.length > 0)
    socket.send('4')
    expect(closed).toEqual([code])
    expect(posted.map(({ frames }) => frames)).toEqual([[1], [2]])
  },
)
