import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { expect, onTestFinished, test } from 'vitest'
import { openSocketPair } from '../../src/testing/index.ts'

const TOKEN = 'connector-token-of-the-tests'
const CALL = 'call-0123456789-abcdef'

async function setUp() {
  const { platform } = await createPopulatedPlatform({})
  onTestFinished(() => platform.close())
  await platform.agents.publish('PROJECT-A', { environment: 'live' })
  const connect = (token: string) =>
    platform.access.createConnector({
      ...{ accountId: 'ws-one', agentId: 'PROJECT-A', environment: 'live', hosts: ['example.com'] },
      token,
    })
  const { connector } = await connect(TOKEN)
  const admit = (more: object = {}) =>
    platform.messaging.admitCall({
      ...{ connectorToken: TOKEN, origin: null, remoteAddress: '203.0.113.9' },
      ...more,
    })
  /** Opens a session of the chat, and names a call in it. */
  async function chat(callSid: string, token = TOKEN) {
    const { accessToken } = await platform.messaging.issueAccessToken({
      ...{ connectorToken: token, host: 'example.com', remoteAddress: '203.0.113.9' },
    })
    const { sessionId } = await platform.messaging.createSession({
      ...{ authorization: `Bearer ${accessToken}`, streaming: false },
    })
    const handshake = await platform.messaging.handshake({ sessionId, accessToken, cursor: null })
    if ('status' in handshake) throw new Error(handshake.message)
    const pair = openSocketPair(handshake)
    pair.send({ type: 'EVENT_TYPE_LINK_TO_WEBRTC_CONVERSATION', payload: { call_sid: callSid } })
    await pair.flush()
    return { sessionId, pair }
  }
  return { platform, connector, connect, admit, chat }
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
