import { createServer, request } from 'node:http'
import { connect } from 'node:net'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocketServer } from 'ws'
import { attachMessaging } from '../src/index.ts'
import { listen, openClient, refusedUpgrade, type Served, serve } from './support/client.ts'

// Slow: a hundred megabytes go over real sockets, of which most are not read.

const served: Served[] = []
const start = async (...given: Parameters<typeof serve>): Promise<Served> => {
  const made = await serve(...given)
  served.push(made)
  return made
}
afterEach(async () => {
  await Promise.all(served.splice(0).map(made => made.stop()))
})

const JOIN = { type: 'EVENT_TYPE_REQUEST_AI_AGENT_JOIN', payload: {} }
const END = { type: 'EVENT_TYPE_USER_END_SESSION', payload: {} }
const HEARTBEAT = { type: 'EVENT_TYPE_HEARTBEAT', payload: {} }
const say = (text: string) => ({ type: 'EVENT_TYPE_USER_MESSAGE', payload: { text } })
const isBatch = ({ type }: { readonly type: string }): boolean => type === 'EVENT_TYPE_EVENT_BATCH'

/** Writes an upgrade request by hand and reads whatever comes until the socket is gone. */
function rawUpgrade(port: number, path: string, headers: readonly string[] = []) {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', data => {
    text += data.toString('latin1')
  })
  socket.on('error', () => {})
  const lines = [`GET ${path} HTTP/1.1`, 'Host: localhost', 'Connection: Upgrade', 'Upgrade: websocket']
  socket.write(`${[...lines, ...headers].join('\r\n')}\r\n\r\n`)
  const gone = new Promise<string>(resolve => socket.on('close', () => resolve(text)))
  return { socket, gone, text: () => text }
}
const KEY = ['Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Version: 13']

/** A client that reads nothing is cut off by no timer, however long the others take. */
const PATIENT = { pingInterval: 2 ** 31 - 1, closeTimeout: 2 ** 31 - 1 }

describe('a visitor over a real socket', () => {
  test('gets the history, talks, and is closed with 1000 at the end', async () => {
    const { bench, url } = await start()
    const client = await openClient(url(await bench.session()))
    expect((await client.until(isBatch)).payload.events).toHaveLength(1)
    client.send(JOIN)
    client.send(say('Grüß dich 👋'))
    client.send(END)
    expect((await client.closed).code).toBe(1000)
    expect(client.received.map(event => event.sequence)).toEqual([null, 2, 3, 4, 5, 6])
    expect(client.received[3]?.payload.text).toBe('Grüß dich 👋')
  })

  test('continues from its cursor', async () => {
    const { bench, url } = await start()
    const sessionId = await bench.session()
    bench.engine.append(sessionId, 'AI_AGENT_MESSAGE')
    const client = await openClient(url(sessionId, '&cursor=seq:1'))
    expect((await client.until(isBatch)).payload.events?.map(event => event.sequence)).toEqual([2])
  })

  test.each([0, 1, 100, 125, 126, 65_000, 65_535, 65_536, 200_000])(
    'a text of %i characters arrives whole at every connection',
    async length => {
      const { bench, url } = await start()
      const sessionId = await bench.session()
      const clients = await Promise.all([1, 2, 3].map(() => openClient(url(sessionId))))
      await Promise.all(clients.map(client => client.until(isBatch)))
      const text = 'é'.repeat(length)
      bench.engine.append(sessionId, 'AI_AGENT_MESSAGE', { text })
      for (const client of clients)
        expect((await client.until(event => event.sequence === 2)).payload.text).toBe(text)
    },
  )

  test('the answer to the handshake leaves in one write with the replay', async () => {
    const { bench, server, url } = await start()
    const held: boolean[] = []
    server.prependListener('upgrade', (_, socket) => {
      const { write } = socket
      vi.spyOn(socket, 'write').mockImplementation((...given: unknown[]) => {
        held.push(socket.writableCorked > 0)
        return Reflect.apply(write, socket, given)
      })
    })
    const client = await openClient(url(await bench.session()))
    await client.until(isBatch)
    expect(held).toEqual([true, true])
  })

  test('an end takes effect although the client closes in the same instant', async () => {
    const { bench, url, endpoint } = await start()
    const sessionId = await bench.session()
    const client = await openClient(url(sessionId))
    client.send(END)
    client.socket.close()
    await client.closed
    await endpoint.close()
    expect(bench.engine.conversation(sessionId).state.endReason).toBe('REASON_USER_END')
  })

  test('a thousand frames at once are all taken, in order, by making the client wait', async () => {
    const { bench, url } = await start()
    const sessionId = await bench.session()
    const client = await openClient(url(sessionId))
    client.send(JOIN)
    const texts = Array.from({ length: 1_000 }, (_, index) => `${index} ${'x'.repeat(900)}`)
    for (const text of texts) client.send(say(text))
    await client.until(event => event.sequence === 1_003)
    expect(client.received.flatMap(event => event.payload.text ?? [])).toEqual(texts)
  })
})

describe('hostile frames', () => {
  const hostile: readonly (readonly [string, string | Buffer])[] = [
    ['malformed JSON', '{"type":'],
    ['no object', '[1,2,3]'],
    ['wrong types', '{"type":["EVENT_TYPE_HEARTBEAT"],"payload":7}'],
    ['an unknown type', '{"type":"EVENT_TYPE_ROOT","payload":{}}'],
    ['__proto__', '{"__proto__":{"type":"EVENT_TYPE_HEARTBEAT"},"payload":{"__proto__":{"polluted":1}}}'],
    [
      'deep nesting',
      `{"type":"EVENT_TYPE_HEARTBEAT","payload":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`,
    ],
    ['a binary frame', Buffer.from(JSON.stringify(HEARTBEAT))],
    ['an empty frame', ''],
  ]

  test.each(hostile)('MS22 %s is answered, and the socket stays open', async (_, frame) => {
    const { bench, url } = await start()
    const client = await openClient(url(await bench.session()))
    client.socket.send(frame)
    client.send(HEARTBEAT)
    await client.until(event => event.type === 'EVENT_TYPE_HEARTBEAT')
    expect(client.received.at(-2)?.payload.message).toBe('Unknown event type or invalid message format')
    expect({}).not.toHaveProperty('polluted')
  })

  test('MS92 a client that goes on sending more than is read is closed with 1008', async () => {
    const { bench, url } = await start({}, { rateLimits: {} })
    const client = await openClient(url(await bench.session()))
    const keys = Array.from({ length: 50_000 }, (_, at) => `"k${at}":1`).join(',')
    const frame = `{"type":"EVENT_TYPE_USER_MESSAGE","payload":{"text":"x",${keys}}}`
    for (let count = 0; count < 20; count++) client.socket.send(frame)
    expect(await client.closed).toMatchObject({ code: 1008, reason: 'too many frames' })
  })

  test('MS92 a client that asks for signs of life and reads none is cut off', async () => {
    const { bench, url } = await start({ maxBufferedBytes: 1_000 })
    const client = await openClient(url(await bench.session()))
    client.socket.pause()
    const more = (): void => {
      if (client.socket.readyState !== client.socket.OPEN) return
      for (let count = 0; count < 1_000; count++) client.socket.ping('x'.repeat(125))
      setImmediate(more)
    }
    const cutOff = new Promise<void>(resolve => Reflect.get(client.socket, '_socket').once('error', resolve))
    more()
    await cutOff
  })

  test('MS22 a frame over the limit closes with 1009', async () => {
    const { bench, url } = await start()
    const client = await openClient(url(await bench.session()))
    client.socket.send('x'.repeat(1_048_577))
    expect((await client.closed).code).toBe(1009)
  })

  test('MS22 text that is not UTF-8 closes with 1007', async () => {
    const { bench, url } = await start()
    const client = await openClient(url(await bench.session()))
    client.socket.send(Buffer.from([0xc3, 0x28]), { binary: false })
    expect((await client.closed).code).toBe(1007)
  })
})

describe('handshakes', () => {
  test('MS10 errors are answered over HTTP, as JSON, before the upgrade', async () => {
    const { bench, port, url } = await start()
    const sessionId = await bench.session()
    const both = (status: number, text: string) => ({
      status,
      type: 'application/json; charset=utf-8',
      headers: expect.any(Object),
      body: { message: text, error: text },
    })
    const base = `ws://127.0.0.1:${port}/ws`
    const extras = [`&session_id=${sessionId}`, '&access_token=x', '&access_token=']
    for (const address of [base, ...extras.map(extra => url(sessionId, extra))])
      expect(await refusedUpgrade(address)).toEqual(both(400, 'invalid connection parameters'))
    expect(await refusedUpgrade(`${base}?session_id=${sessionId}&access_token=x`)).toEqual(
      both(401, 'authentication failed'),
    )
    expect(await refusedUpgrade(url('00000000-0000-4000-8000-000000000000'))).toEqual(
      both(404, 'session not found'),
    )
    await Promise.all(Array.from({ length: 10 }, () => openClient(url(sessionId))))
    const full = await refusedUpgrade(url(sessionId))
    expect(full).toEqual(both(429, 'connection limit exceeded for session'))
    expect(full.headers['retry-after']).toBe('5')
  })

  test.each([
    ['a path that nobody serves', 404, '13'],
    ['no WebSocket handshake', 400, '7'],
    ['a token that is none', 401, '13'],
  ])('HT18 and MS10 the refusal of %s tells the correlation id', async (_, status, version) => {
    const { bench, port, url } = await start()
    const base = `ws://127.0.0.1:${port}`
    const address = {
      404: `${base}/elsewhere`,
      400: url(await bench.session()),
      401: `${base}/ws?session_id=a&access_token=b`,
    }[status]
    const given = { 'x-correlation-id': 'mine', 'sec-websocket-version': version }
    const refused = await refusedUpgrade(address ?? '', given)
    const { 'x-correlation-id': id, 'x-ai-correlation-id': same } = refused.headers
    expect([refused.status, id, same]).toEqual([status, 'mine', 'mine'])
  })

  test('MS10 a request that is no WebSocket handshake is refused and takes no place', async () => {
    const { bench, port } = await start()
    const sessionId = await bench.session()
    const path = `/ws?session_id=${sessionId}&access_token=${bench.accessToken}`
    for (let count = 0; count < 12; count++)
      expect(await rawUpgrade(port, path).gone).toMatch(/^HTTP\/1\.1 400 /)
    expect(await rawUpgrade(port, '/ws', [...KEY, 'X-Correlation-Id: abc']).gone).toContain(
      'X-Correlation-Id: abc\r\n',
    )
    expect(bench.notices.subscriptions).toBe(0)
  })

  test('MS10 a handshake that takes too long is cut off, and takes no place later', async () => {
    const { bench, port } = await start({ handshakeTimeout: 20 })
    const sessionId = await bench.session()
    const { load } = bench.engine
    let answer = (): void => {}
    const held = new Promise<void>(resolve => {
      answer = resolve
    })
    bench.engine.load = async id => {
      await held
      return load(id)
    }
    const path = `/ws?session_id=${sessionId}&access_token=${bench.accessToken}`
    expect(await rawUpgrade(port, path, KEY).gone).toBe('')
    answer()
    await bench.clock.settle()
    expect(bench.notices.subscriptions).toBe(0)
  })

  test('MS10 when the checks break, the answer is 500 and the host is told', async () => {
    const { bench, url } = await start()
    const broken = new Error('disk gone')
    const sessionId = await bench.session()
    bench.engine.load = async () => {
      throw broken
    }
    expect((await refusedUpgrade(url(sessionId))).status).toBe(500)
    expect(bench.errors).toEqual([{ error: broken, where: 'messaging handshake' }])
  })
})

describe('beside other things on one server', () => {
  test('MS24 other upgrade handlers keep their paths, and requests reach the host', async () => {
    const { bench, server, port, url } = await start()
    const others = new WebSocketServer({ noServer: true })
    server.on('upgrade', (upgrade, socket, head) => {
      if (upgrade.url === '/other')
        others.handleUpgrade(upgrade, socket, head, ws => ws.send('{"type":"other"}'))
    })
    const other = await openClient(`ws://127.0.0.1:${port}/other`)
    expect((await other.until(event => event.type === 'other')).type).toBe('other')
    const client = await openClient(url(await bench.session()))
    await client.until(isBatch)
    const status = await new Promise(resolve =>
      request({ port, path: '/ws' }, response => resolve(response.statusCode)).end(),
    )
    expect(status).toBe(200)
    other.socket.terminate()
  })

  test('MS24 two endpoints share a server', async () => {
    const { bench, server, url } = await start()
    const second = attachMessaging(server, bench, { path: '/second' })
    const sessionId = await bench.session()
    const one = await openClient(url(sessionId))
    const two = await openClient(url(sessionId).replace('/ws?', '/second?'))
    await Promise.all([one.until(isBatch), two.until(isBatch)])
    await second.close()
    expect((await two.closed).code).toBe(1001)
    one.send(HEARTBEAT)
    await one.until(event => event.type === 'EVENT_TYPE_HEARTBEAT')
  })

  test('MS24 where nobody else upgrades, other paths are 404', async () => {
    const { port } = await start()
    expect((await refusedUpgrade(`ws://127.0.0.1:${port}/elsewhere`)).status).toBe(404)
    expect((await refusedUpgrade(`ws://127.0.0.1:${port}/ws/`)).status).toBe(404)
  })
})

describe('mounts', () => {
  /** Collects the warnings about paths, until the test is over. */
  function warnings(): string[] {
    const told: string[] = []
    const hear = (warning: Error & { readonly code?: string }): void => {
      if (warning.code === 'COLLOQUY_SOCKET_PATH') told.push(warning.message)
    }
    process.on('warning', hear)
    onTestFinished(() => void process.off('warning', hear))
    return told
  }
  const below = (url: string, mount: string): string => url.replace('/ws?', `${mount}/ws?`)

  test('MS24 without a path it serves its own below every mount, and no other', async () => {
    const told = warnings()
    const { bench, url } = await start()
    const target = url(await bench.session())
    for (const mount of ['/talk', '/of/a%20b/talk'])
      await (await openClient(below(target, mount))).until(isBatch)
    for (const path of ['/talk/ws/', '/talk/sockets', '/talkws', '/talk/ws/x'])
      expect((await refusedUpgrade(target.replace('/ws?', `${path}?`))).status, path).toBe(404)
    await expect.poll(() => told.length).toBe(4)
    expect(told[1]).toBe(
      'A client asked for a socket at /talk/sockets, which no endpoint of Colloquy serves. Served: /ws. Where the platform is mounted there, name the path: attachMessaging(server, platform, { path: "/talk/sockets" }).',
    )
    expect(told.join()).not.toContain('access_token')
  })

  test('MS24 one that was given a path serves it alone, and its endpoint comes first', async () => {
    warnings()
    const { bench, server, url } = await start({ path: '/talk/ws' })
    const target = url(await bench.session())
    const asked = (path: string): string => target.replace(/\/(?:talk\/)?ws\?/, `${path}?`)
    expect((await refusedUpgrade(asked('/ws'))).status).toBe(404)
    expect((await refusedUpgrade(asked('/other/talk/ws'))).status).toBe(404)
    const second = attachMessaging(server, bench)
    await (await openClient(asked('/talk/ws'))).until(isBatch)
    await (await openClient(asked('/other/ws'))).until(isBatch)
    await second.close()
  })

  test('MS24 beside another upgrade handler it takes its very path alone, and warns of the mount once', async () => {
    const told = warnings()
    const { bench, server, url } = await start()
    const seen: (string | undefined)[] = []
    server.on('upgrade', (request, socket) => {
      seen.push(request.url)
      if (!request.url?.startsWith('/ws?')) socket.end('HTTP/1.1 418 No\r\nContent-Length: 2\r\n\r\n{}')
    })
    const target = url(await bench.session())
    for (let count = 0; count < 2; count++)
      expect((await refusedUpgrade(below(target, '/talk'))).status).toBe(418)
    await (await openClient(target)).until(isBatch)
    expect(seen).toHaveLength(3)
    await expect.poll(() => told).toEqual([expect.stringContaining('{ path: "/talk/ws" }')])
  })

  test('no more than ten paths are warned of', async () => {
    const told = warnings()
    const { port } = await start()
    for (let count = 0; count < 12; count++) await refusedUpgrade(`ws://127.0.0.1:${port}/x${count}`)
    await expect.poll(() => told.length).toBe(10)
  })
})

describe('bad company', () => {
  test('MS25 a client too slow to read is closed with 1013, the others hear on', async () => {
    const { bench, url } = await start({ maxBufferedBytes: 100_000, ...PATIENT })
    const sessionId = await bench.session()
    const slow = await openClient(url(sessionId))
    const quick = await openClient(url(sessionId))
    await Promise.all([slow.until(isBatch), quick.until(isBatch)])
    slow.socket.pause()
    const text = 'x'.repeat(1_000_000)
    for (let count = 2; count < 40; count++) {
      bench.engine.append(sessionId, 'AI_AGENT_MESSAGE', { text })
      await quick.until(event => event.sequence === count)
    }
    slow.socket.resume()
    expect((await slow.closed).code).toBe(1013)
    expect(slow.received.length).toBeLessThan(quick.received.length)
  })

  test('MS25 a peer that answers no ping is dropped', async () => {
    const { bench, port, endpoint } = await start({ pingInterval: 25 })
    const sessionId = await bench.session()
    const path = `/ws?session_id=${sessionId}&access_token=${bench.accessToken}`
    const dead = rawUpgrade(port, path, KEY)
    expect(await dead.gone).toMatch(/^HTTP\/1\.1 101 /)
    await endpoint.close()
    expect(bench.notices.subscriptions).toBe(0)
  })

  test('MS25 a silent peer that answers pings is kept', async () => {
    const { bench, url } = await start({ pingInterval: 25 })
    const client = await openClient(url(await bench.session()))
    for (let count = 0; count < 4; count++) await new Promise(resolve => client.socket.once('ping', resolve))
    client.send(HEARTBEAT)
    await client.until(event => event.type === 'EVENT_TYPE_HEARTBEAT')
  })

  test.each([40, 1_200])(
    'TM6 a peer whose answer could not be read because the process stood still for %d ms is kept',
    async still => {
      const { bench, url } = await start({ pingInterval: 25 })
      const client = await openClient(url(await bench.session()))
      await new Promise<void>(resolve =>
        client.socket.once('ping', () => {
          // The process stands still, and its next timer comes before the answer is read.
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, still)
          resolve()
        }),
      )
      client.send(HEARTBEAT)
      await client.until(event => event.type === 'EVENT_TYPE_HEARTBEAT')
      await new Promise(resolve => client.socket.once('ping', resolve))
    },
  )

  test('MS25 a long history waits for a client that reads slowly', async () => {
    const { bench, url } = await start({ maxBufferedBytes: 100_000, ...PATIENT })
    const sessionId = await bench.session()
    const text = 'x'.repeat(200_000)
    for (let count = 0; count < 60; count++) bench.engine.append(sessionId, 'AI_AGENT_MESSAGE', { text })
    const client = await openClient(url(sessionId))
    client.socket.pause()
    await bench.clock.settle()
    client.socket.resume()
    bench.engine.append(sessionId, 'AI_AGENT_MESSAGE', { text })
    await client.until(event => (event.payload.events?.at(-1) ?? event).sequence === 62)
    const sequences = client.received.flatMap(event => event.payload.events ?? [event])
    expect(sequences.map(event => event.sequence)).toEqual(
      Array.from({ length: 62 }, (_, index) => index + 1),
    )
  })

  test('MS6 clients that do not read cost no more than a page each, however long the history is', async () => {
    const { bench, url } = await start(PATIENT)
    const sessionId = await bench.session()
    const text = 'x'.repeat(131_000)
    for (let count = 0; count < 900; count++) bench.engine.append(sessionId, 'AI_AGENT_MESSAGE', { text })
    const { eventPage } = bench.context.store.conversations
    let read = 0
    Object.assign(bench.context.store.conversations, {
      eventPage: async (...given: Parameters<typeof eventPage>) => {
        const page = await eventPage(...given)
        read += page.events.length
        return page
      },
    })
    const silent = await Promise.all(
      Array.from({ length: 9 }, async () => {
        const client = await openClient(url(sessionId))
        client.socket.pause()
        return client
      }),
    )
    const reader = await openClient(url(sessionId))
    await reader.until(event => event.payload.events?.at(-1)?.sequence === 901)
    // The reader has read it all; what the others hold beside a page each is in the system's own buffers.
    const beside = read - 901
    expect(beside).toBeLessThan(9 * 150)
    for (const client of silent) client.socket.terminate()
    await Promise.all(silent.map(client => client.closed))
    expect(reader.received.flatMap(event => event.payload.events ?? [])).toHaveLength(901)
  })
})

describe('going away', () => {
  test('MS26 every socket closes with 1001 once what it sent was handled', async () => {
    const { bench, url, endpoint } = await start()
    const sessionId = await bench.session()
    const client = await openClient(url(sessionId))
    client.send(JOIN)
    await client.until(event => event.sequence === 3)
    let open = (): void => {}
    bench.engine.gate = new Promise(resolve => {
      open = resolve
    })
    client.send(say('Last words'))
    client.send(HEARTBEAT)
    // A ping is answered by ws at once, so everything before it has been received.
    await new Promise(resolve => {
      client.socket.once('pong', resolve)
      client.socket.ping()
    })
    const going = endpoint.close()
    expect((await client.closed).code).toBe(1001)
    open()
    await going
    expect(bench.engine.conversation(sessionId).log.at(-1)?.payload.text).toBe('Last words')
  })

  test('MS26 upgrades meanwhile get no answer but a closed connection; peers that do not close are cut off', async () => {
    const { bench, port, endpoint } = await start({ drainTimeout: 2_000 })
    const sessionId = await bench.session()
    const path = `/ws?session_id=${sessionId}&access_token=${bench.accessToken}`
    const stubborn = rawUpgrade(port, path, KEY)
    await new Promise<void>(resolve => stubborn.socket.once('data', () => resolve()))
    const going = endpoint.close()
    expect(await rawUpgrade(port, path, KEY).gone).toBe('')
    await going
    await stubborn.gone
    expect(endpoint.close()).toBe(going)
  })
})

describe('plain text', () => {
  test('MS14 what a trusted proxy says counts, and only then', async () => {
    const trusting = await start({ trustProxy: true })
    const sessionId = await trusting.bench.session()
    const plain = await refusedUpgrade(trusting.url(sessionId), { 'x-forwarded-proto': 'http' })
    expect(plain.status).toBe(403)
    const secure = await openClient(trusting.url(sessionId), { 'x-forwarded-proto': 'https' })
    await secure.until(isBatch)
    const deaf = await start()
    const over = await openClient(deaf.url(await deaf.bench.session()), { 'x-forwarded-proto': 'http' })
    await over.until(isBatch)
  })

  test('MS14 with hosts set, only the messaging hosts have the endpoint', async () => {
    const hosts = { base: {}, platform: {}, messaging: { default: 'chat.example.com' } }
    const { bench, url } = await start({}, { hosts })
    const sessionId = await bench.session()
    expect((await refusedUpgrade(url(sessionId))).status).toBe(404)
    const client = await openClient(url(sessionId), { host: 'Chat.Example.com:8443' })
    await client.until(isBatch)
  })
})

describe('hosts and proxies', () => {
  const hosts = {
    base: { us: 'api.us.example.com' },
    platform: {},
    messaging: { 'us-1': 'chat.example.com', 'uk-1': 'chat.example.co.uk:8443', lan: '[::1]:9000' },
  }

  test.each([
    ['chat.example.com', true],
    ['CHAT.example.com.:443', true],
    ['chat.example.co.uk:8443', true],
    ['chat.example.co.uk', false],
    ['[::1]:9000', true],
    ['[::1]:9001', false],
    ['api.us.example.com', false],
    ['chat.example.com.evil.org', false],
    ['chat.example.com, api.us.example.com', false],
  ])('HT33 a socket of the host %s is served: %j', async (host, served) => {
    const { bench, url } = await start({}, { hosts })
    const address = url(await bench.session())
    if (served) await (await openClient(address, { host })).until(isBatch)
    else expect((await refusedUpgrade(address, { host })).status).toBe(404)
  })

  test('HT33 a forwarded host counts with trust alone, and then the entry that no client can write', async () => {
    const own = { host: 'inside', 'x-forwarded-host': 'chat.example.com' }
    const forged = { host: 'inside', 'x-forwarded-host': 'chat.example.com, other.example' }
    const deaf = await start({}, { hosts })
    expect((await refusedUpgrade(deaf.url(await deaf.bench.session()), own)).status).toBe(404)
    const trusting = await start({ trustProxy: true }, { hosts })
    const address = trusting.url(await trusting.bench.session())
    await (await openClient(address, own)).until(isBatch)
    expect((await refusedUpgrade(address, forged)).status).toBe(404)
    const twice = await start({ trustProxy: 2 }, { hosts })
    await (await openClient(twice.url(await twice.bench.session()), forged)).until(isBatch)
  })

  test('HT33 a client cannot write the scheme before a proxy that adds its own', async () => {
    const { bench, url } = await start({ trustProxy: true })
    const forged = await refusedUpgrade(url(await bench.session()), { 'x-forwarded-proto': 'https, http' })
    expect(forged.status).toBe(403)
    const adding = { 'x-forwarded-proto': 'http, wss' }
    await (await openClient(url(await bench.session()), adding)).until(isBatch)
  })

  test('SM20 a visitor who connects too often is 429 before the upgrade, with Retry-After', async () => {
    const { bench, url } = await start({}, { rateLimits: { key: { perSecond: 0.1, burst: 2 } } })
    const address = url(await bench.session())
    await (await openClient(address)).until(isBatch)
    const refused = await refusedUpgrade(address)
    expect(refused).toMatchObject({
      status: 429,
      headers: { 'retry-after': '10' },
      body: { message: 'too many requests', error: 'too many requests' },
    })
  })
})

test('MS24 a server without a listener of its own serves the endpoint as well', async () => {
  const { bench } = await start()
  const server = createServer()
  const endpoint = attachMessaging(server, bench)
  const port = await listen(server)
  const sessionId = await bench.session()
  const client = await openClient(
    `ws://127.0.0.1:${port}/ws?session_id=${sessionId}&access_token=${bench.accessToken}`,
  )
  await client.until(isBatch)
  await endpoint.close()
  await new Promise<void>(resolve => server.close(() => resolve()))
  expect((await client.closed).code).toBe(1001)
})
