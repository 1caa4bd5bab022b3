import { readStream } from '@colloquy/test-support/event-stream'
import { EVERYDAY, MOUNTS, type Mounted, type MountName } from '@colloquy/test-support/mounts'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform, type Platform, type PlatformOptions } from '../../src/platform.ts'
import { silentLog } from '../../src/ports/log.ts'
import { systemClock } from '../../src/system/system.ts'
import { createScriptedRuntime } from '../../src/testing/index.ts'

const JOIN = { type: 'EVENT_TYPE_REQUEST_AI_AGENT_JOIN', payload: {} }
const END = { type: 'EVENT_TYPE_USER_END_SESSION', payload: {} }
const HEARTBEAT = { type: 'EVENT_TYPE_HEARTBEAT', payload: {} }
const say = (text: string, id?: string) => ({
  type: 'EVENT_TYPE_USER_MESSAGE',
  payload: { text },
  ...(id === undefined ? {} : { metadata: { custom: { client_event_id: id } } }),
})

interface StartOptions {
  readonly mount?: MountName
  readonly platform?: Partial<PlatformOptions>
}

/** A platform behind one of the mounts, and a visitor's session in it. */
async function start({ mount = 'node:http', platform: options }: StartOptions = {}) {
  const errors: unknown[] = []
  const platform: Platform = createPlatform({
    store: createMemoryStore(),
    runtime: createScriptedRuntime(
      {
        greeting: 'Welcome.',
        otherwise: ({ input }) => (input.type === 'message' ? `I heard: ${input.text}` : ''),
      },
      systemClock,
    ),
    log: silentLog,
    onError: error => void errors.push(error),
    ...options,
  })
  const mounted: Mounted = await MOUNTS[mount](createDispatcher(platform, routes), EVERYDAY)
  onTestFinished(async () => {
    await platform.messaging.endStreams()
    await mounted.close()
    await platform.close()
  })
  const account = await platform.access.createAccount({ slug: 'hotel', name: 'The hotel' })
  const agent = await platform.agents.create({ accountId: account.id, name: 'Desk', greeting: 'Welcome.' })
  await platform.agents.publish(agent.id, { environment: 'live' })
  const { connector, token } = await platform.access.createConnector({
    ...{ accountId: account.id, agentId: agent.id, environment: 'live', hosts: ['example.com'] },
  })
  const { accessToken } = await platform.messaging.issueAccessToken({
    ...{ connectorToken: token, host: 'example.com', remoteAddress: '127.0.0.1' },
  })
  const authorization = `Bearer ${accessToken}`
  const { sessionId } = await platform.messaging.createSession({ authorization, streaming: false })
  const path = `${mounted.base}/api/v1/sessions/${sessionId}`
  const get = (query = '', headers: Record<string, string> = { authorization }, method = 'GET') =>
    mounted.send(`${path}/stream${query}`, { method, headers })
  const post = (body: unknown, query = '', headers: Record<string, string> = {}) =>
    mounted.send(`${path}/events${query}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const follow = async (query = '', headers?: Record<string, string>) => {
    const answer = await get(query, headers)
    expect(answer.status).toBe(200)
    return readStream(answer)
  }
  return {
    accessToken,
    authorization,
    connector,
    errors,
    follow,
    get,
    mounted,
    path,
    platform,
    post,
    sessionId,
  }
}

describe.each(Object.keys(MOUNTS) as MountName[])('over %s', mount => {
  test('ES1, ES2, ES5 and ES7 a visitor talks, comes back with the last id, and is told of the end', async () => {
    const { follow, platform, post } = await start({ mount })
    const first = await follow()
    await first.until(() => first.frames().length > 0)
    expect(first.parts[0]?.name).toBe('open')
    expect(first.parts[1]).toMatchObject({ name: 'message', id: '1' })
    const answer = await post([JOIN, say('one')], `?stream=${first.stream()}`)
    expect([answer.status, await answer.text()]).toEqual([202, ''])
    const heard = (text: string) => () => first.frames().some(({ payload }) => payload.text === text)
    await first.until(heard('I heard: one'))
    const last = Number(first.lastEventId())
    expect(first.sequences().filter(sequence => sequence !== null)).toEqual(
      Array.from({ length: last }, (_, index) => index + 1),
    )
    await first.cancel()
    await post(say('two'))
    await platform.idle()
    const second = await follow(`?cursor=${last}`)
    await second.until(() => second.sequences().includes(last + 2))
    await post(END)
    await second.gone
    expect(second.closedBy()).toEqual({ code: 1000, reason: 'session ended' })
    expect(second.sequences().filter(sequence => sequence !== null)).toEqual([
      ...[last + 1, last + 2, last + 3, last + 4],
    ])
    expect((await post(say('three'))).status).toBe(404)
  })

  test('ES5 a reader that goes away frees its slot, and no deadline ends a stream', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    onTestFinished(() => void vi.useRealTimers())
    const { follow, get, post } = await start({ mount })
    const streams = await Promise.all(Array.from({ length: 10 }, () => follow()))
    const refused = await get()
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('5')
    vi.advanceTimersByTime(EVERYDAY.answerTimeout)
    await post(JOIN)
    await Promise.all(streams.map(stream => stream.until(() => stream.sequences().includes(2))))
    expect(streams.some(stream => stream.isOver())).toBe(false)
    await streams[0]?.cancel()
    await vi.waitFor(async () => {
      const answer = await get()
      expect(answer.status).toBe(200)
      readStream(answer)
    })
  })

  test('ES10 the platform goes away: every stream is told, ends, and none is opened', async () => {
    const { follow, get, platform } = await start({ mount })
    const streams = await Promise.all([follow(), follow()])
    await platform.messaging.endStreams()
    for (const stream of streams) {
      await stream.gone
      expect(stream.closedBy()).toEqual({ code: 1001, reason: 'server going away' })
    }
    expect((await get()).status).toBe(503)
    await platform.close()
    expect((await get()).status).toBe(503)
  })
})

test('ES5 headers keep proxies from keeping, gathering or changing a stream', async () => {
  const { get } = await start()
  const answer = await get()
  readStream(answer)
  expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(answer.headers.get('cache-control')).toBe('no-store, no-transform')
  expect(answer.headers.get('x-accel-buffering')).toBe('no')
})

test('ES1 HEAD makes the checks and takes no slot', async () => {
  const { authorization, get } = await start()
  for (let count = 0; count < 12; count++) expect((await get('', { authorization }, 'HEAD')).status).toBe(200)
  expect((await get('', {}, 'HEAD')).status).toBe(400)
  const answer = await get()
  expect(answer.status).toBe(200)
  readStream(answer)
})

test('ES4 and ES1 a stream is refused as a socket is', async () => {
  const { accessToken, get, mounted, path, platform, authorization } = await start()
  const status = async (query: string, headers: Record<string, string> = {}) => {
    const answer = await get(query, headers)
    if (answer.status === 200) readStream(answer)
    else await answer.text()
    return answer.status
  }
  const inQuery = `?access_token=${accessToken}`
  expect(await status(inQuery)).toBe(200)
  expect(await status('')).toBe(400)
  expect(await status(inQuery, { authorization })).toBe(400)
  expect(await status(`${inQuery}&access_token=${accessToken}`)).toBe(400)
  expect(await status('?access_token=x')).toBe(401)
  expect(await status('', { authorization: 'Bearer x' })).toBe(401)
  expect(await status('', { authorization, origin: 'https://example.com' })).toBe(200)
  expect(await status('', { authorization, origin: 'https://evil.example' })).toBe(403)
  expect(await status(inQuery, { origin: 'https://evil.example' })).toBe(403)
  const page = await get(inQuery, { origin: 'https://example.com' })
  readStream(page)
  expect(page.headers.get('access-control-allow-origin')).toBe('https://example.com')
  const other = `${path.slice(0, path.lastIndexOf('/'))}/00000000-0000-4000-8000-000000000000`
  const unknown = await mounted.send(`${other}/stream`, { headers: { authorization } })
  expect([unknown.status, await unknown.json()]).toEqual([
    404,
    { message: 'session not found', error: 'session not found' },
  ])
  const posted = await mounted.send(`${path}/events${inQuery}`, { method: 'POST', body: '{}' })
  expect(posted.status).toBe(400)
  await platform.close()
})

test('ES2 the cursor is Last-Event-ID, before the query, as a sequence or with seq:', async () => {
  const { authorization, follow, platform, post } = await start()
  await post([JOIN, say('one'), say('two')])
  await platform.idle()
  const first = async (query: string, headers: Record<string, string> = {}) => {
    const stream = await follow(query, { authorization, ...headers })
    await stream.until(() => stream.frames().length > 0)
    await stream.cancel()
    return stream.sequences().find(sequence => sequence !== null)
  }
  expect(await first('?cursor=2')).toBe(3)
  expect(await first('?cursor=seq:2')).toBe(3)
  expect(await first('?cursor=2', { 'last-event-id': '3' })).toBe(4)
  expect(await first('?cursor=2', { 'last-event-id': 'nonsense' })).toBe(1)
  expect(await first('')).toBe(1)
  expect(await first('?cursor=99999')).toBe(1)
})

test('ES7 what is no JSON, or too much, is refused as a whole; a bad frame is told on the stream', async () => {
  const { follow, platform, post } = await start({ platform: { limits: { frameBytes: 10_000 } } })
  const stream = await follow()
  await stream.until(() => stream.frames().length > 0)
  const status = async (body: unknown, asked = `?stream=${stream.stream()}`, headers = {}) =>
    (await post(body, asked, headers)).status
  expect(await status('{')).toBe(400)
  expect(await status(JOIN, '?stream=x')).toBe(400)
  expect(await status(JOIN, '', { 'content-type': 'text/plain' })).toBe(415)
  expect(await status(Array.from({ length: 65 }, () => HEARTBEAT))).toBe(400)
  expect(await status(say('x'.repeat(10_001)))).toBe(413)
  await platform.idle()
  expect(stream.sequences()).toEqual([1])
  expect(await status([JOIN, { type: 'EVENT_TYPE_NONSENSE' }, 7, say('one')])).toBe(202)
  await stream.until(() => stream.frames().some(({ payload }) => payload.text === 'I heard: one'))
  const errors = stream.frames().filter(({ type }) => type === 'EVENT_TYPE_SYSTEM_MESSAGE')
  expect(errors).toHaveLength(2)
})

test('ES7 a heartbeat, and the echo of what took effect before, come back to the stream that is named alone', async () => {
  const { follow, post } = await start()
  const [mine, other] = await Promise.all([follow(), follow()])
  await Promise.all([mine, other].map(stream => stream.until(() => stream.frames().length > 0)))
  const query = `?stream=${mine.stream()}`
  await post([JOIN, say('one', 'a')], query)
  const heard = (stream: typeof mine) => () =>
    stream.frames().some(({ payload }) => payload.text === 'I heard: one')
  await Promise.all([mine.until(heard(mine)), other.until(heard(other))])
  await post([say('one', 'a'), HEARTBEAT], query)
  await mine.until(() => mine.frames().some(({ type }) => type === 'EVENT_TYPE_HEARTBEAT'))
  const echoes = (stream: typeof mine) =>
    stream.frames().filter(({ type }) => type === 'EVENT_TYPE_USER_MESSAGE').length
  expect([echoes(mine), echoes(other)]).toEqual([2, 1])
  // What comes after it shows that the other stream was told nothing in between.
  await post(say('two', 'b'))
  await other.until(() => other.frames().some(({ payload }) => payload.text === 'I heard: two'))
  expect(other.frames().map(({ type }) => type)).not.toContain('EVENT_TYPE_HEARTBEAT')
})

test('ES7 a failed event stops its request, and nothing overtakes it', async () => {
  const memory = createMemoryStore()
  let broken = false
  const store = {
    ...memory,
    conversations: {
      ...memory.conversations,
      append: async (...given: Parameters<typeof memory.conversations.append>) => {
        if (broken) throw new Error('the disk is gone')
        return memory.conversations.append(...given)
      },
    },
  }
  const { errors, follow, platform, post } = await start({ platform: { store } })
  const stream = await follow()
  await post(JOIN)
  await platform.idle()
  broken = true
  const answer = await post([say('one', 'a'), say('two', 'b')], `?stream=${stream.stream()}`)
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
  broken = false
  expect(errors).toHaveLength(1)
  expect((await post([say('one', 'a'), say('two', 'b')])).status).toBe(202)
  await stream.until(() => stream.frames().some(({ payload }) => payload.text === 'I heard: two'))
  const said = stream.frames().filter(({ type }) => type === 'EVENT_TYPE_USER_MESSAGE')
  expect(said.map(({ payload }) => payload.text)).toEqual(['one', 'two'])
})

test('ES7 posts beyond the rate of signals are refused', async () => {
  const session = { perSecond: 0.001, burst: 2 }
  const { post } = await start({ platform: { rateLimits: { session } } })
  const statuses: number[] = []
  for (let count = 0; count < 11; count++) statuses.push((await post(HEARTBEAT)).status)
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 202), 429])
})

test('ES1 and MS28 a revoked connector closes its streams with 4001, and posts are refused', async () => {
  const { connector, follow, platform, post } = await start()
  const stream = await follow()
  await platform.access.revokeConnector(connector.id)
  await stream.gone
  expect(stream.closedBy()).toEqual({ code: 4001, reason: 'session not found' })
  expect((await post(JOIN)).status).toBe(401)
})
