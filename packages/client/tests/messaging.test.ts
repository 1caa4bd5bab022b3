import {
  createBadLine,
  createHesitant,
  hesitantReply,
  startMessagingHost,
} from '@colloquy/test-support/messaging-host'
import { describe, expect, test, vi } from 'vitest'
import { memoryStorage, RefusedError } from '../src/messaging/index.ts'
import { EVERY_WAY, saidIn, upTo, watch } from './support/watch.ts'

// Slow: real sockets are cut, refused and taken up again after real pauses.

const reply = (text: string): string => hesitantReply(text).join('')

const lastIs =
  (text: string, state = 'done') =>
  (conversation: { messages: readonly { text: string; state: string }[] }) => {
    const last = conversation.messages.at(-1)
    return last?.text === text && last.state === state
  }

test('VC25 a session is rated while it is open and when it is over; the newest rating counts', async () => {
  const { allow, runtime } = createHesitant()
  const { accountId, agentId, platform, token, url } = await startMessagingHost({ runtime })
  allow(4)
  const client = watch({ server: url, connectorToken: token })
  await expect(client.rate(5)).rejects.toMatchObject({ status: 404, message: 'There is no session.' })
  await client.until(lastIs(reply('nothing')))
  const metrics = async (): Promise<unknown> => {
    const scope = { accountId, agentId, environment: 'live' } as const
    for await (const { records } of platform.reading.newest(scope, 0, 1))
      return JSON.parse(records[0]?.json.summary.text ?? '{}').metrics
    return null
  }
  await client.rate(2, 'Slow.')
  expect(await metrics()).toEqual({ visitor_rating: '2', visitor_comment: 'Slow.' })
  client.end()
  await client.until(({ status }) => status === 'ended')
  await client.rate(4)
  expect(await metrics()).toEqual({ visitor_rating: '4' })
  await expect(client.rate(7)).rejects.toThrow(RefusedError)
})

describe.each(EVERY_WAY)('over %s', way => {
  test('VC1 it makes a session, brings the agent in once, talks, and ends', async () => {
    const { allow, asked, runtime } = createHesitant()
    const { token, url } = await startMessagingHost({ runtime })
    allow(4)
    const client = watch({ way, server: url, connectorToken: token })
    expect(client.current.status).toBe('connecting')
    await client.until(lastIs(reply('nothing')))
    expect(client.current).toMatchObject({
      status: 'open',
      servedBy: { kind: 'agent', name: 'Front desk' },
      thinking: false,
      problem: null,
    })
    const id = client.send('one')
    expect(client.current.messages.at(-1)).toMatchObject({ id, state: 'sending', text: 'one' })
    await client.until(lastIs(reply('one')))
    expect(client.current.messages.find(message => message.id === id)).toMatchObject({ state: 'done' })
    client.end()
    expect(await client.until(({ status }) => status === 'ended')).toMatchObject({ endReason: 'visitor' })
    expect(asked).toEqual(['nothing', 'one'])
    expect(client.log.map(([sequence]) => sequence)).toEqual(upTo(client.log.length))
  })

  test('VC2 and VC3 nothing is lost or doubled, wherever its connection is cut', async () => {
    const { allow, asked, hasAnswered, isAsked, runtime } = createHesitant()
    const { token, port } = await startMessagingHost({ runtime })
    const { cut, line, url } = await createBadLine(port)
    const client = watch({
      way,
      server: url.replace('127.0.0.1', 'localhost'),
      connectorToken: token,
      maxAttempts: 20,
    })

    // In the middle of the greeting: the chunks so far come again, the others follow.
    allow(2)
    await client.until(lastIs('You said ', 'streaming'))
    const before = line.connections
    cut()
    await vi.waitFor(() => expect(line.connections).toBeGreaterThan(before))
    allow(4)
    await client.until(lastIs(reply('nothing')))

    // Between a message and its echo: it is sent again, and answered once.
    allow(0)
    line.losesAnswers = true
    client.send('one')
    await isAsked('one')
    cut()
    line.losesAnswers = false
    allow(3)
    await client.until(({ messages }) => messages.at(-1)?.text.startsWith('You said one, ') ?? false)

    // In the middle of the reply, which is finished while nothing gets through: it comes in the replay.
    line.refuses = true
    cut()
    allow(4)
    client.send('two')
    await hasAnswered('one')
    await vi.waitFor(() => expect(line.refused).toBeGreaterThan(0))
    line.refuses = false
    await client.until(lastIs(reply('two')))

    client.end()
    await client.until(({ status }) => status === 'ended')
    expect(asked).toEqual(['nothing', 'one', 'two'])
    expect(saidIn(client.current)).toEqual([
      `agent done: ${reply('nothing')}`,
      'visitor done: one',
      `agent done: ${reply('one')}`,
      'visitor done: two',
      `agent done: ${reply('two')}`,
    ])
    expect(client.log.map(([sequence]) => sequence)).toEqual(upTo(client.log.length))
  })

  test('VC1, VC3 and VC11 after a reload the conversation goes on, with a message that had no answer; a second client shares it', async () => {
    const { allow, asked, isAsked, runtime } = createHesitant()
    const { token, port } = await startMessagingHost({ runtime })
    const { cut, line, url } = await createBadLine(port)
    const storage = memoryStorage()
    const options = {
      server: url.replace('127.0.0.1', 'localhost'),
      connectorToken: token,
      storage,
      maxAttempts: 20,
    }
    const first = watch({ ...options, way })
    allow(4)
    await first.until(lastIs(reply('nothing')))
    allow(2)
    line.losesAnswers = true
    const id = first.send('one')
    await isAsked('one')
    first.destroy()
    cut()
    line.losesAnswers = false

    const again = watch({ ...options, way })
    await again.until(lastIs('You said one, ', 'streaming'))
    const beside = watch({ ...options, way })
    await beside.until(lastIs('You said one, ', 'streaming'))
    allow(4)
    await Promise.all([again.until(lastIs(reply('one'))), beside.until(lastIs(reply('one')))])
    beside.send('two')
    await Promise.all([again.until(lastIs(reply('two'))), beside.until(lastIs(reply('two')))])
    expect(again.current.messages).toEqual(beside.current.messages)
    expect(again.current.messages[1]?.id).toBe(id)
    expect(asked).toEqual(['nothing', 'one', 'two'])
    expect(Object.keys(await storage.read())).toEqual(['session'])

    beside.end()
    await again.until(({ status }) => status === 'ended')
    await beside.until(({ status }) => status === 'ended')
    expect(await storage.read()).toEqual({})
    again.renew()
    await again.until(lastIs(reply('nothing')))
    expect(again.current).toMatchObject({ status: 'open', endReason: null, messages: [{ from: 'agent' }] })
  })

  test('VC1 a session that the server does not know any more is replaced where nothing of it was shown, and ended otherwise', async () => {
    const { allow, runtime } = createHesitant()
    allow(4)
    const { connectorId, platform, token, url } = await startMessagingHost({ runtime })
    const storage = memoryStorage()
    const first = watch({ way, server: url, connectorToken: token, storage })
    await first.until(lastIs(reply('nothing')))
    const entries = await storage.read()
    first.end()
    await first.until(({ status }) => status === 'ended')
    for (const [key, value] of Object.entries(entries)) await storage.write(key, value)
    const second = watch({ way, server: url, connectorToken: token, storage })
    await second.until(lastIs(reply('nothing')))
    expect(await storage.read()).not.toEqual(entries)

    await platform.access.revokeConnector(connectorId)
    expect(await second.until(({ status }) => status === 'ended')).toMatchObject({ endReason: 'gone' })
    second.renew()
    expect(await second.until(({ status }) => status === 'failed')).toMatchObject({
      problem: { status: 401, message: expect.stringContaining('token') },
    })
  })

  test('VC13 it shows the way to a live agent and back, what is said and who types', async () => {
    const { allow, runtime } = createHesitant()
    allow(4)
    const { accountId, platform, token, url } = await startMessagingHost({ runtime })
    const client = watch({ way, server: url, connectorToken: token })
    await client.until(lastIs(reply('nothing')))
    client.send('person')
    await client.until(({ handoff }) => handoff?.state === 'queued' && handoff.position === 1)
    expect(client.current).toMatchObject({ servedBy: null, handoff: { queue: 'reception' } })
    const [waiting] = await platform.desk.handoffs(accountId, 'waiting')
    const handoffId = waiting?.handoffId ?? ''
    await platform.desk.accept(accountId, handoffId, {
      id: 'a-7',
      name: 'Ada',
      avatarUrl: 'https://x.example/a.png',
    })
    await client.until(({ servedBy }) => servedBy?.kind === 'live agent')
    expect(client.current).toMatchObject({ handoff: null, servedBy: { id: 'a-7', name: 'Ada' } })
    await platform.desk.typing(accountId, handoffId, 'started')
    await client.until(({ typing }) => typing)
    await platform.desk.send(accountId, handoffId, { text: 'Ada here.' })
    await client.until(lastIs('Ada here.'))
    expect(client.current).toMatchObject({ typing: false })
    expect(client.current.messages.at(-1)).toMatchObject({ from: 'live agent', name: 'Ada' })
    const typed: string[] = []
    const stop = await platform.desk.watch(accountId, event => void typed.push(JSON.stringify(event)))
    client.typing()
    await vi.waitFor(() => expect(typed.join('')).toMatch(/typing.*started/))
    stop()
    // Back with the agent: the session stays, and the next message is the agent's.
    await platform.desk.return(accountId, handoffId)
    await client.until(({ servedBy }) => servedBy?.kind === 'agent')
    expect(client.current).toMatchObject({ status: 'open', handoff: null, typing: false })
    client.send('person')
    await client.until(({ handoff }) => handoff?.state === 'queued')
    const [again] = await platform.desk.handoffs(accountId, 'waiting')
    await platform.desk.accept(accountId, again?.handoffId ?? '', { id: 'a-7', name: 'Ada', avatarUrl: '' })
    await platform.desk.leave(accountId, again?.handoffId ?? '')
    expect(await client.until(({ status }) => status === 'ended')).toMatchObject({ endReason: 'finished' })
  })

  test('VC5 a handshake that is refused for its number waits as long as the server says', async () => {
    const { allow, runtime } = createHesitant()
    allow(4)
    const { token, url } = await startMessagingHost({ runtime })
    const storage = memoryStorage()
    const options = { server: url, connectorToken: token, storage }
    const clients = [watch({ ...options, way })]
    await clients[0]?.until(lastIs(reply('nothing')))
    for (let number = 2; number <= 10; number++) {
      const next = watch({ ...options, way })
      clients.push(next)
      await next.until(lastIs(reply('nothing')))
    }
    const last = watch({ ...options, way })
    await last.until(({ problem }) => problem?.status === 429)
    clients[3]?.destroy()
    await last.until(lastIs(reply('nothing')))
  })

  test('VC7 a getToken that refuses is not asked again, one that fails is', async () => {
    let asked = 0
    const refused = watch({
      way,
      server: 'http://localhost:1',
      getToken: async () => {
        asked += 1
        throw new RefusedError(403, 'Log in first.')
      },
    })
    expect(await refused.until(({ status }) => status === 'failed')).toMatchObject({
      problem: { status: 403, message: 'Log in first.' },
    })
    expect(asked).toBe(1)
    const failing = watch({
      way,
      server: 'http://localhost:1',
      maxAttempts: 1,
      getToken: async () => {
        asked += 1
        throw new TypeError('fetch failed')
      },
    })
    await failing.until(({ status }) => status === 'lost')
    expect(asked).toBe(3)
  })

  test('VC29 destroyed, it has no socket, timer, listener or request', async () => {
    const { allow, runtime } = createHesitant()
    allow(4)
    const { token, url } = await startMessagingHost({ runtime })
    const timers = new Set<object>()
    const watching = new Set<object>()
    const client = watch({
      way,
      server: url,
      connectorToken: token,
      network: {
        isOnline: () => true,
        watch(listener) {
          watching.add(listener)
          return () => void watching.delete(listener)
        },
      },
      timing: {
        now: Date.now,
        random: Math.random,
        delay(callback, milliseconds) {
          const timer = setTimeout(() => {
            timers.delete(timer)
            callback()
          }, milliseconds)
          timers.add(timer)
          return () => {
            clearTimeout(timer)
            timers.delete(timer)
          }
        },
      },
    })
    await client.until(lastIs(reply('nothing')))
    expect([timers.size > 0, watching.size]).toEqual([true, 1])
    let told = 0
    client.subscribe(() => {
      told += 1
    })
    client.destroy()
    expect([timers.size, watching.size]).toEqual([0, 0])
    client.send('too late')
    client.start()
    client.reconnect()
    expect(told).toBe(0)
    expect([timers.size, watching.size]).toEqual([0, 0])
  })

  test('VC20 the host’s server makes the session and says who the visitor is; its failure is tried again', async () => {
    const visitors: unknown[] = []
    const { platform, token, url } = await startMessagingHost({
      runtime: {
        async *respond({ visitor }) {
          visitors.push(visitor)
          yield { type: 'text', text: `Welcome, ${visitor?.name}.` }
        },
      },
    })
    const accessTokens: string[] = []
    const client = watch({
      way,
      ...{ server: url, connectorToken: token },
      async createSession(accessToken) {
        accessTokens.push(accessToken)
        if (accessTokens.length === 1) throw new RefusedError(503, 'Signed in, but not yet known.')
        const { sessionId } = await platform.messaging.createSession({
          authorization: `Bearer ${accessToken}`,
          streaming: true,
          visitor: { id: 'guest-7', name: 'Ada' },
        })
        return sessionId
      },
    })
    client.send('Good morning')
    await client.until(({ messages }) => messages.some(({ text }) => text === 'Welcome, Ada.'))
    expect(new Set(accessTokens).size).toBe(1)
    expect(accessTokens).toHaveLength(2)
    expect(visitors[0]).toEqual({ id: 'guest-7', name: 'Ada' })
  })

  test('VC20 a session without an id is told as the server’s fault', async () => {
    const { token, url } = await startMessagingHost({ runtime: createHesitant().runtime })
    const client = watch({
      way,
      server: url,
      connectorToken: token,
      createSession: async () => '',
      maxAttempts: 1,
    })
    expect(await client.until(({ problem }) => problem !== null)).toMatchObject({
      problem: { status: 502, message: 'The server made no session.' },
    })
  })
})
