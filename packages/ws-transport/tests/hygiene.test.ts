import { createServer, type Server } from 'node:http'
import { connect } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type Bus, createLocalBus, createPlatform } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import { createFakeClock, createScriptedRuntime } from '@colloquy/core/testing'
import { type ConnectionPort, RESPONSE_HEADERS } from '@colloquy/core/transport'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { attachDesk, attachMessaging, type DeskOptions } from '../src/index.ts'
import { listen, openClient, refusedUpgrade, type Served, serve } from './support/client.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})
const start = async (...given: Parameters<typeof serve>): Promise<Served> => {
  const made = await serve(...given)
  cleanups.push(made.stop)
  return made
}

const isBatch = ({ type }: { readonly type: string }): boolean => type === 'EVENT_TYPE_EVENT_BATCH'
const REFUSED = "origin not allowed: the page's host is not registered with the connector"
const HANDSHAKE = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']
const KEY = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='

/** A peer that speaks TCP alone: it answers no ping and no close. */
function rawPeer(
  port: number,
  path: string,
  lines: readonly string[] = [...HANDSHAKE, KEY],
  request = [`GET ${path} HTTP/1.1`, 'Host: localhost', ...lines, '', ''].join('\r\n'),
) {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  let text = ''
  let heard = (): void => {}
  const answered = new Promise<void>(resolve => {
    heard = resolve
  })
  socket.on('data', data => {
    text += data.toString('latin1')
    heard()
  })
  socket.on('error', () => {})
  socket.write(request)
  const gone = new Promise<string>(resolve => {
    const finish = (): void => {
      socket.destroy()
      resolve(text)
    }
    socket.on('end', finish).on('close', finish)
  })
  return { socket, answered, gone, text: () => text }
}

/** Resolves when the server has no connection any more. */
async function emptied(server: Server): Promise<void> {
  await vi.waitFor(async () => {
    const open = await new Promise<number>((resolve, reject) =>
      server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
    )
    if (open > 0) throw new Error(`${open} connections are open`)
  })
}

describe('targets', () => {
  test.each(['/x/../ws', '/./ws', '/%2e/ws', '/x/%2E%2e/ws', '/ws#', '\\\\ws', '/x\\..\\ws'])(
    'MS24 the target %s, which has to be resolved first, is not that of the endpoint',
    async target => {
      const { bench, url } = await start()
      const { port, search } = new URL(url(await bench.session()))
      const query = target.endsWith('#') ? `#${search}` : search
      const peer = rawPeer(Number(port), `${target.replace('#', '')}${query}`)
      await peer.answered
      expect(peer.text()).toMatch(/^HTTP\/1\.1 40[04] /)
      peer.socket.destroy()
    },
  )
})

describe('pages', () => {
  test.each(['https://example.com', 'http://EXAMPLE.com:8443', 'https://shop.example.com'])(
    'HY3 a page of %s is one of the connector, whose hosts are example.com',
    async origin => {
      const { bench, url } = await start()
      await (await openClient(url(await bench.session()), { origin })).until(isBatch)
    },
  )

  test.each([
    'https://evil.test',
    'https://notexample.com',
    'https://example.com.evil.test',
    'null',
    'example.com',
  ])('HY3 a page of "%s" is none: 403, and no place is taken', async origin => {
    const { bench, url } = await start()
    const sessionId = await bench.session()
    expect(await refusedUpgrade(url(sessionId), { origin })).toMatchObject({
      status: 403,
      type: 'application/json; charset=utf-8',
      body: { message: REFUSED, error: REFUSED },
    })
    expect(bench.notices.subscriptions).toBe(0)
    // An app says nothing of a page.
    await (await openClient(url(sessionId))).until(isBatch)
  })

  test('HY3 the token is looked at before the page, the page before the number of connections', async () => {
    const { bench, port, url } = await start()
    const sessionId = await bench.session()
    const origin = 'https://evil.test'
    const wrong = `ws://127.0.0.1:${port}/ws?session_id=${sessionId}&access_token=x`
    expect((await refusedUpgrade(wrong, { origin })).status).toBe(401)
    await Promise.all(Array.from({ length: 10 }, () => openClient(url(sessionId))))
    expect((await refusedUpgrade(url(sessionId))).status).toBe(429)
    expect((await refusedUpgrade(url(sessionId), { origin })).status).toBe(403)
  })

  test('HY3 hosts that are changed count for the next handshake, open sockets stay', async () => {
    const { bench, url } = await start()
    const sessionId = await bench.session()
    const origin = 'https://example.com'
    const first = await openClient(url(sessionId), { origin })
    await first.until(isBatch)
    await bench.access.updateConnector(bench.connector.id, { hosts: ['new.test'] })
    expect((await refusedUpgrade(url(sessionId), { origin })).status).toBe(403)
    await (await openClient(url(sessionId), { origin: 'https://new.test' })).until(isBatch)
    first.send({ type: 'EVENT_TYPE_HEARTBEAT', payload: {} })
    await first.until(({ type }) => type === 'EVENT_TYPE_HEARTBEAT')
  })
})

/** A whole platform with visitors and a desk on one server, and a bus that counts who listens. */
async function serveAll(options: DeskOptions = {}) {
  const clock = createFakeClock()
  const local = createLocalBus()
  const listeners = new Set<object>()
  const bus: Bus = {
    publish: local.publish,
    subscribe(topic, listener) {
      const stop = local.subscribe(topic, listener)
      const entry = {}
      listeners.add(entry)
      return () => {
        listeners.delete(entry)
        stop()
      }
    },
  }
  const errors: unknown[] = []
  const platform = createPlatform({
    store: createMemoryStore(),
    runtime: createScriptedRuntime({ greeting: 'Welcome.', messages: { Hello: 'Good day.' } }, clock),
    clock,
    bus,
    rateLimits: null,
    onError: error => errors.push(error),
  })
  const account = await platform.access.createAccount({ slug: 'acme', name: 'Acme' })
  const agent = await platform.agents.create({ accountId: account.id, name: 'Desk', greeting: 'Welcome.' })
  await platform.agents.publish(agent.id, { environment: 'live' })
  const { token } = await platform.access.createConnector({
    accountId: account.id,
    agentId: agent.id,
    environment: 'live',
    hosts: ['localhost'],
  })
  const { secret } = await platform.access.createApiKey({ kind: 'desk', accountId: account.id })
  const server = createServer()
  const visitors = attachMessaging(server, platform)
  const desk = attachDesk(server, platform, options)
  const port = await listen(server)
  cleanups.push(async () => {
    await Promise.all([visitors.close(), desk.close()])
    server.closeAllConnections()
    await new Promise<void>(resolve => server.close(() => resolve()))
    await platform.close()
  })
  const base = `ws://127.0.0.1:${port}`
  return {
    ...{ platform, clock, errors, listeners, server, port },
    deskUrl: (key: string = secret) => `${base}/desk/v1/ws?api_key=${encodeURIComponent(key)}`,
    async visitorUrl() {
      const { accessToken } = await platform.messaging.issueAccessToken({
        connectorToken: token,
        host: 'localhost',
        remoteAddress: '127.0.0.1',
      })
      const { sessionId } = await platform.messaging.createSession({
        authorization: `Bearer ${accessToken}`,
        streaming: false,
      })
      return `${base}/ws?session_id=${sessionId}&access_token=${accessToken}`
    },
  }
}

describe('pages of live agents', () => {
  test.each([
    ['none, of a program', {}, true],
    ['its own host', { origin: 'http://127.0.0.1:5173' }, true],
    ['a host that is registered', { origin: 'https://desk.acme.test' }, true],
    ['a subdomain of it', { origin: 'https://night.desk.acme.test:444' }, true],
    ['another site', { origin: 'https://evil.test' }, false],
    ['a host that ends alike', { origin: 'https://evildesk.acme.test' }, false],
    ['no origin of its own', { origin: 'null' }, false],
    [
      'what only a proxy could vouch for',
      { origin: 'https://evil.test', 'x-forwarded-host': 'evil.test' },
      false,
    ],
  ])('HY7 the origin is %s', async (_, headers, allowed) => {
    const { deskUrl } = await serveAll({ pageHosts: ['https://Desk.acme.test/'] })
    if (allowed) (await openClient(deskUrl(), headers)).socket.terminate()
    else
      expect(await refusedUpgrade(deskUrl(), headers)).toMatchObject({
        status: 403,
        body: { error_code: 'USER_ACCESS_FORBIDDEN', error_message: expect.stringContaining('origin') },
      })
  })

  test('HY7 behind a trusted proxy the host is the one that the proxy names', async () => {
    const { deskUrl } = await serveAll({ trustProxy: true })
    const headers = { 'x-forwarded-host': 'desk.test', 'x-forwarded-proto': 'https' }
    ;(await openClient(deskUrl(), { ...headers, origin: 'https://desk.test' })).socket.terminate()
    expect((await refusedUpgrade(deskUrl(), { ...headers, origin: 'http://127.0.0.1' })).status).toBe(403)
  })

  test('HY7 a host that is none is refused when the desk is attached', async () => {
    const { platform } = await serveAll()
    expect(() => attachDesk(createServer(), platform, { pageHosts: ['a b'] })).toThrow(
      'A page\'s host must be a domain or an origin, not "a b".',
    )
  })
})

describe('which host is asked', () => {
  const handshake = (port: number, address: string, hosts: readonly string[], version = '1.1') => {
    const { pathname, search } = new URL(address)
    const request = [`GET ${pathname}${search} HTTP/${version}`, ...hosts, ...HANDSHAKE, KEY, '', '']
    return rawPeer(port, pathname, [], request.join('\r\n'))
  }
  const bodyOf = (told: string): unknown => JSON.parse(told.slice(told.indexOf('\r\n\r\n') + 4))
  const WORDS = 'The header "Host" is not valid: it must be sent once.'

  test.each([
    ['two of a name', ['Host: localhost', 'Host: localhost']],
    ['a second one', ['Host: localhost', 'hOST: evil.test']],
    ['an empty second one', ['Host: localhost', 'Host:']],
    ['none', []],
  ])('HY24 %s: both endpoints answer 400 in their words', async (_, hosts) => {
    const { port, visitorUrl, deskUrl } = await serveAll()
    const visitor = await handshake(port, await visitorUrl(), hosts).gone
    expect(visitor).toMatch(/^HTTP\/1\.1 400 /)
    expect(bodyOf(visitor)).toEqual({ message: WORDS, error: WORDS })
    const desk = await handshake(port, deskUrl(), hosts).gone
    expect(desk).toMatch(/^HTTP\/1\.1 400 /)
    expect(bodyOf(desk)).toMatchObject({ error_code: 'SCHEMA_VALIDATION_FAILED', error_message: WORDS })
  })

  test('HY24 one host opens both, and HTTP/1.0 needs none', async () => {
    const { port, visitorUrl, deskUrl } = await serveAll()
    const opened = [
      handshake(port, await visitorUrl(), ['Host: localhost']),
      handshake(port, deskUrl(), ['Host: localhost']),
    ]
    for (const { answered, text, socket } of opened) {
      await answered
      expect(text()).toMatch(/^HTTP\/1\.1 101 /)
      socket.destroy()
    }
    const old = handshake(port, await visitorUrl(), [], '1.0')
    await old.answered
    expect(old.text()).not.toContain(WORDS)
    old.socket.destroy()
  })
})

test('HY10 a refused handshake says what all our answers say', async () => {
  const { port } = await start()
  for (const path of ['/ws', '/ws?session_id=a&access_token=b', '/elsewhere']) {
    const told = await rawPeer(port, path).gone
    for (const [name, value] of Object.entries(RESPONSE_HEADERS))
      expect(told).toContain(`${name}: ${value}\r\n`)
  }
})

describe('peers that go without a word', () => {
  const pathOf = async ({ bench }: Served) =>
    `/ws?session_id=${await bench.session()}&access_token=${bench.accessToken}`

  test('MS25 one that stops reading, and one that answers nothing, are gone by the second ping', async () => {
    const made = await start({ pingInterval: 25 })
    const deaf = rawPeer(made.port, await pathOf(made))
    const idle = rawPeer(made.port, await pathOf(made))
    await Promise.all([deaf.answered, idle.answered])
    deaf.socket.pause()
    await idle.gone
    await emptied(made.server)
    await vi.waitFor(() => expect(made.bench.notices.subscriptions).toBe(0))
    deaf.socket.destroy()
  })

  test('MS25 one that does not read a long answer, and does not close either, is gone as well', async () => {
    const made = await start({ pingInterval: 50, maxBufferedBytes: 10_000 })
    const sessionId = await made.bench.session()
    const path = `/ws?session_id=${sessionId}&access_token=${made.bench.accessToken}`
    const deaf = rawPeer(made.port, path)
    await deaf.answered
    deaf.socket.pause()
    for (let count = 0; count < 20; count += 1)
      made.bench.engine.append(sessionId, 'AI_AGENT_MESSAGE', { text: 'x'.repeat(1_000_000) })
    await emptied(made.server)
    await vi.waitFor(() => expect(made.bench.notices.subscriptions).toBe(0))
    deaf.socket.destroy()
  })

  test('MS25 one that ends its half of the connection is gone at once', async () => {
    const made = await start()
    const half = rawPeer(made.port, await pathOf(made))
    await half.answered
    half.socket.end()
    await half.gone
    await emptied(made.server)
    await vi.waitFor(() => expect(made.bench.notices.subscriptions).toBe(0))
  })

  test('MS25 one that never sends a frame is told the end of its session, and closed', async () => {
    const { visitorUrl, clock } = await serveAll()
    const client = await openClient(await visitorUrl())
    await client.until(isBatch)
    await clock.advance(600_000 + 1_000)
    expect(await client.closed).toMatchObject({ code: 1000 })
    expect(client.received.at(-1)).toMatchObject({
      type: 'EVENT_TYPE_SESSION_END',
      payload: { reason: 'REASON_USER_ABANDONED' },
    })
  })

  test('HY33 SM20 handshakes beyond the bound are 429 while the others are checked, and no longer', async () => {
    const { bench, port, url } = await start({ maxHandshakes: 2 })
    const sessionId = await bench.session()
    const { load } = bench.engine
    const held: (() => void)[] = []
    bench.engine.load = async id => {
      await new Promise<void>(resolve => held.push(resolve))
      return load(id)
    }
    const path = `/ws?session_id=${sessionId}&access_token=${bench.accessToken}`
    const waiting = [rawPeer(port, path), rawPeer(port, path)]
    await vi.waitFor(() => expect(held).toHaveLength(2))
    const refused = await refusedUpgrade(url(sessionId))
    expect([refused.status, refused.headers['retry-after'], refused.body]).toMatchObject([
      429,
      '1',
      { message: expect.stringContaining('Try again') },
    ])
    bench.engine.load = load
    for (const go of held) go()
    await Promise.all(waiting.map(({ answered }) => answered))
    await (await openClient(url(sessionId))).until(isBatch)
    for (const { socket, text } of waiting) {
      expect(text()).toMatch(/^HTTP\/1\.1 101 /)
      socket.destroy()
    }
  })

  test('HY33 peers that reset the connection of a refused handshake harm nobody', async () => {
    const { bench, port, url, server } = await start()
    for (const path of ['/elsewhere', '/ws', '/ws?session_id=a&access_token=b'])
      for (let count = 0; count < 20; count += 1) {
        const { socket } = rawPeer(port, path)
        await new Promise(resolve => server.once('upgrade', resolve))
        socket.resetAndDestroy()
      }
    await emptied(server)
    await (await openClient(url(await bench.session()))).until(isBatch)
  })

  test('HY33 a refusal that nobody reads is cut off', async () => {
    const { port, server } = await start({ handshakeTimeout: 50 })
    server.removeAllListeners('request')
    server.on('request', (_, response) => response.end(Buffer.alloc(50_000_000)))
    const deaf = rawPeer(port, '/large', [])
    await deaf.answered
    deaf.socket.pause()
    deaf.socket.write(['GET /ws HTTP/1.1', 'Host: localhost', ...HANDSHAKE, KEY, '', ''].join('\r\n'))
    await emptied(server)
    deaf.socket.destroy()
  })
})

test('HY33 nothing is left of connections that are gone', async () => {
  const { platform, deskUrl, visitorUrl, listeners, server, port, errors } = await serveAll()
  const kept: WeakRef<object>[] = []
  const note = <Value extends object>(value: Value): Value => {
    kept.push(new WeakRef(value))
    return value
  }
  const { handshake } = platform.messaging
  const { watch } = platform.desk
  // No spies: they keep what they were called with.
  Object.assign(platform.messaging, {
    handshake: async (input: Parameters<typeof handshake>[0]) => {
      const answer = note(await handshake(input))
      if ('status' in answer) return answer
      return { ...answer, open: (socket: ConnectionPort) => note(answer.open(note(socket))) }
    },
  })
  Object.assign(platform.desk, {
    watch: (...[accountId, listener, watcher]: Parameters<typeof watch>) =>
      watch(accountId, note(listener), watcher),
  })
  const before = listeners.size
  const rounds: readonly (() => Promise<void>)[] = [
    async () => {
      const client = await openClient(await visitorUrl())
      client.send({ type: 'EVENT_TYPE_REQUEST_AI_AGENT_JOIN', payload: {} })
      await client.until(({ payload }) => payload.text === 'Welcome.')
      client.send({ type: 'EVENT_TYPE_USER_MESSAGE', payload: { text: 'Hello' } })
      await client.until(({ payload }) => payload.text === 'Good day.')
      client.socket.close()
      await client.closed
    },
    async () => {
      const client = await openClient(await visitorUrl())
      client.socket.terminate()
      await client.closed
    },
    async () => {
      await refusedUpgrade(await visitorUrl(), { origin: 'https://evil.test' })
    },
    async () => {
      const client = await openClient(deskUrl())
      client.socket.terminate()
      await client.closed
    },
    async () => {
      await refusedUpgrade(deskUrl('wrong'))
    },
    async () => {
      const { pathname, search } = new URL(await visitorUrl())
      // No key: admitted, and refused by the protocol.
      await rawPeer(port, pathname + search, HANDSHAKE).gone
    },
  ]
  for (let round = 0; round < 20; round += 1) await Promise.all(rounds.map(run => run()))
  await emptied(server)
  await platform.idle()
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  await vi.waitFor(() => expect(listeners.size).toBe(before))
  expect(kept.length).toBeGreaterThan(20 * 6)
  // What was handled last may still be in hand somewhere in Node.
  await vi.waitFor(() => {
    if (typeof collect === 'function') collect()
    expect(kept.filter(reference => reference.deref() !== undefined).length).toBeLessThan(6)
  })
  expect(errors).toEqual([])
})
