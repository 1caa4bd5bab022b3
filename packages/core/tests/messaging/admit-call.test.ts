import { createMemoryStore } from '@colloquy/core/memory'
import { createPopulatedPlatform, createTestPlatform } from '@colloquy/test-support/platform'
import { expect, onTestFinished, test } from 'vitest'
import { type Platform, PlatformError, type PlatformOptions } from '../../src/index.ts'
import type { Store } from '../../src/store.ts'
import { createFakeClock, openSocketPair } from '../../src/testing/index.ts'

const TOKEN = 'connector-token-of-the-tests'
const CALL = 'call-0123456789-abcdef'

async function setUp(store: Store = createMemoryStore()) {
  const { clock, platform } = await createPopulatedPlatform({ store })
  onTestFinished(() => platform.close())
  /** Another process over the store. */
  const node = (more: Partial<PlatformOptions> = {}) => {
    const other = createTestPlatform({ store, clock, ...more })
    onTestFinished(() => other.platform.close())
    return other
  }
  await platform.agents.publish('PROJECT-A', { environment: 'live' })
  const connect = (token: string) =>
    platform.access.createConnector({
      ...{ accountId: 'ws-one', agentId: 'PROJECT-A', environment: 'live', hosts: ['example.com'] },
      token,
    })
  const { connector } = await connect(TOKEN)
  const admit = (more: object = {}, at: Pick<Platform, 'messaging'> = platform) =>
    at.messaging.admitCall({
      ...{ connectorToken: TOKEN, origin: null, remoteAddress: '203.0.113.9' },
      ...more,
    })
  /** Opens a session of the chat, and names a call in it. */
  async function chat(
    callSid: string,
    {
      at = platform,
      token = TOKEN,
    }: { readonly at?: Pick<Platform, 'messaging'>; readonly token?: string } = {},
  ) {
    const { accessToken } = await at.messaging.issueAccessToken({
      ...{ connectorToken: token, host: 'example.com', remoteAddress: '203.0.113.9' },
    })
    const { sessionId } = await at.messaging.createSession({
      ...{ authorization: `Bearer ${accessToken}`, streaming: false },
    })
    const handshake = await at.messaging.handshake({ sessionId, accessToken, cursor: null })
    if ('status' in handshake) throw new Error(handshake.message)
    const pair = openSocketPair(handshake)
    pair.send({ type: 'EVENT_TYPE_LINK_TO_WEBRTC_CONVERSATION', payload: { call_sid: callSid } })
    await pair.flush()
    return { sessionId, pair }
  }
  return { platform, clock, node, connector, connect, admit, chat }
}

/** What the session of an admitted call is, if it can be opened. */
function idOf(opened: Awaited<ReturnType<typeof admitted>>): string | number | null {
  if (opened === null) return null
  if ('status' in opened) return opened.status
  opened.abandon()
  return opened.sessionId
}

async function admitted(
  call: Awaited<ReturnType<Awaited<ReturnType<typeof setUp>>['admit']>>,
  callSid = CALL,
) {
  if ('status' in call) throw new Error(call.message)
  return call.openLinked(callSid)
}

test('MS278 a call over WebRTC that is not beside a chat is one in its record; one beside a chat is of the chat', async () => {
  const { admit, chat, platform } = await setUp()
  const call = await admit()
  if ('status' in call) throw new Error(call.message)
  const own = await call.open()
  if ('status' in own) throw new Error(own.message)
  const { sessionId } = await chat(CALL)
  expect(idOf(await admitted(call))).toBe(sessionId)
  const where = { accountId: 'ws-one', agentId: 'PROJECT-A', environment: 'live' } as const
  const found = async (channel: string) =>
    (await platform.reading.records({ ...where, channels: [channel] }, { offset: 0 }, 9)).records.map(
      ({ id }) => id,
    )
  expect([await found('VOICE-WEBRTC'), await found('CHAT')]).toEqual([[own.sessionId], [sessionId]])
})

test('MS276 a call opens the session that names it, of the same connector and not yet over, and else one of its own', async () => {
  const { admit, chat, connect } = await setUp()
  const call = await admit({ origin: 'https://www.example.com' })
  expect(idOf(await admitted(call))).toBeNull()
  const first = await chat(CALL)
  expect(idOf(await admitted(call))).toBe(first.sessionId)
  // The newest one that names it counts.
  const second = await chat(CALL)
  expect(idOf(await admitted(call))).toBe(second.sessionId)
  expect(idOf(await admitted(call, `${CALL}-other`))).toBeNull()
  await connect('another-connector-of-the-tests')
  expect(idOf(await admitted(await admit({ connectorToken: 'another-connector-of-the-tests' })))).toBeNull()
  second.pair.send({ type: 'EVENT_TYPE_USER_END_SESSION', payload: {} })
  await second.pair.flush()
  expect(idOf(await admitted(call))).toBeNull()
  if ('status' in call) throw new Error(call.message)
  const own = await call.open()
  expect([first.sessionId, second.sessionId, 429]).not.toContain(idOf(own))
})

test('MS276 a call finds the session that names it from whatever process, the newest one, and for a day', async () => {
  const { admit, chat, clock, node } = await setUp()
  const other = node().platform
  const call = await admit({}, other)
  const first = await chat(CALL)
  expect(idOf(await admitted(call))).toBe(first.sessionId)
  const second = await chat(CALL, { at: other })
  expect(idOf(await admitted(await admit()))).toBe(second.sessionId)
  // Its client says so again.
  first.pair.send({ type: 'EVENT_TYPE_LINK_TO_WEBRTC_CONVERSATION', payload: { call_sid: CALL } })
  await first.pair.flush()
  expect(idOf(await admitted(call))).toBe(first.sessionId)
  const later = async (ms: number) =>
    idOf(await admitted(await admit({}, node({ clock: createFakeClock(clock.now() + ms) }).platform)))
  expect([await later(86_399_999), await later(86_400_000)]).toEqual([first.sessionId, null])
})

test('MS276 a name that a busy store does not take at once is kept later, and no store gets it as it is', async () => {
  const kept: string[] = []
  let busy = 2
  const memory = createMemoryStore()
  const { conversations } = memory
  const { messageKeys } = conversations
  const store: Store = {
    ...memory,
    conversations: {
      ...conversations,
      messageKeys: {
        ...messageKeys,
        async give(giving) {
          if (busy-- > 0) throw new PlatformError('STORE_BUSY', 'The store is busy.')
          kept.push(JSON.stringify(giving))
          return messageKeys.give(giving)
        },
      },
    },
  }
  const { admit, chat, clock } = await setUp(store)
  const linking = chat(CALL)
  while (kept.length === 0) await clock.advance(100)
  const { sessionId, pair } = await linking
  expect(idOf(await admitted(await admit()))).toBe(sessionId)
  expect(kept).toHaveLength(1)
  expect(kept[0]).not.toContain(CALL)
  expect(pair.closedBy).toBeNull()
})

test('MS276 a wrong token, a page of another host and a revoked connector open none', async () => {
  const { admit, chat, connector, platform } = await setUp()
  for (const connectorToken of [null, '', 'wrong'])
    expect(await admit({ connectorToken })).toMatchObject({ status: 401 })
  expect(await admit({ origin: 'https://example.org' })).toMatchObject({ status: 403 })
  const call = await admit()
  await chat(CALL)
  await platform.access.revokeConnector(connector.id)
  expect(idOf(await admitted(call))).toBe(401)
  expect(await admit()).toMatchObject({ status: 401 })
})

test('MS276 a name that could be guessed is none, and its sender is told', async () => {
  const { admit, chat } = await setUp()
  for (const callSid of ['short', `${CALL} `, 'x'.repeat(129)]) {
    const { pair } = await chat(callSid)
    expect(pair.events().some(({ type }) => type === 'EVENT_TYPE_SYSTEM_MESSAGE')).toBe(true)
    expect(idOf(await admitted(await admit(), callSid))).toBeNull()
  }
})
