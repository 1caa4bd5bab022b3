import { createMemoryStore } from '@colloquy/core/memory'
import { createPopulatedPlatform, createTestPlatform } from '@colloquy/test-support/platform'
import { expect, onTestFinished, test } from 'vitest'
import type { Platform } from '../../src/index.ts'
import { openSocketPair } from '../../src/testing/index.ts'
import type { AdmittedCall, OpenedPhoneCall } from '../../src/transport.ts'

const TOKEN = 'connector-token-of-the-tests'
const OTHER_TOKEN = 'another-connector-of-the-tests'
const CALL = `CA${'0'.repeat(32)}`
const NUMBERS = { fromNumber: '+442079460018', toNumber: '+442079460019' }

async function setUp() {
  const store = createMemoryStore()
  const { clock, platform } = await createPopulatedPlatform({ store })
  const other = createTestPlatform({ store, clock }).platform
  onTestFinished(async () => {
    await platform.close()
    await other.close()
  })
  await platform.agents.publish('PROJECT-A', { environment: 'live' })
  const connectors = []
  for (const token of [TOKEN, OTHER_TOKEN])
    connectors.push(
      await platform.access.createConnector({
        ...{ accountId: 'ws-one', agentId: 'PROJECT-A', environment: 'live', hosts: ['example.com'], token },
      }),
    )
  async function admit(at: Pick<Platform, 'messaging'> = platform, token = TOKEN): Promise<AdmittedCall> {
    const call = await at.messaging.admitCall({
      ...{ connectorToken: token, origin: null, remoteAddress: '203.0.113.9' },
    })
    if ('status' in call) throw new Error(call.message)
    return call
  }
  /** The records of phone calls. */
  async function records() {
    const where = { accountId: 'ws-one', agentId: 'PROJECT-A', environment: 'live' } as const
    const found = await platform.reading.records({ ...where, channels: ['VOICE-SIP'] }, { offset: 0 }, 9)
    const all = found.records.map(({ id }) =>
      platform.reading.transcript(where.accountId, where.agentId, id, { turns: 0, sequence: 0 }),
    )
    return (await Promise.all(all)).map(one => JSON.parse(one.record.summary.text))
  }
  return { platform, other, clock, admit, records, connector: connectors[0]?.connector.id ?? '' }
}

const opened = async (call: AdmittedCall, callSid = CALL): Promise<OpenedPhoneCall> => {
  const answer = await call.phone(callSid).open(NUMBERS)
  if (answer === null || 'status' in answer) throw new Error('The call was not opened.')
  return answer
}

const idOf = ({ handshake }: OpenedPhoneCall): string => {
  handshake.abandon()
  return handshake.sessionId
}

test('MS280 a phone call has one session of its connector, at whatever process, for a day', async () => {
  const { admit, clock, other, records } = await setUp()
  const call = await admit()
  expect(await call.phone(CALL).read()).toBeNull()
  const id = idOf(await opened(call))
  expect(await call.phone(CALL).read()).toEqual({ sequence: 1, isOver: false, leftFor: null })
  const elsewhere = await admit(other)
  expect([idOf(await opened(elsewhere)), idOf(await opened(await admit()))]).toEqual([id, id])
  expect((await records())[0]).toMatchObject({
    ...{ id, channel: 'VOICE-SIP', from_number: NUMBERS.fromNumber, to_number: NUMBERS.toNumber },
  })
  const foreign = await admit(other, OTHER_TOKEN)
  expect(await foreign.phone(CALL).read()).toBeNull()
  await foreign.phone(CALL).end()
  expect(await call.phone(CALL).read()).toMatchObject({ isOver: false })
  expect(await call.phone(`${CALL}1`).read()).toBeNull()
  await clock.advance(86_400_000)
  expect(await call.phone(CALL).read()).toBeNull()
})

test('MS280 several processes that open a call at once open one session, and what was begun beside it is over', async () => {
  const { admit, other, records } = await setUp()
  const calls = [await admit(), await admit(other), await admit(), await admit(other)]
  const ids = (await Promise.all(calls.map(call => opened(call)))).map(idOf)
  expect(new Set(ids).size).toBe(1)
  const open = (await records()).filter(one => one.in_progress)
  expect(open.map(({ id }) => id)).toEqual([ids[0]])
})

test('MS280 a call that is over is not opened again, and whoever has no connector any more opens none', async () => {
  const { admit, connector, platform } = await setUp()
  const call = await admit()
  idOf(await opened(call))
  idOf(await opened(call, `${CALL}1`))
  await call.phone(CALL).end()
  await call.phone(CALL).end()
  await call.phone('CA-unknown').end()
  expect(await call.phone(CALL).read()).toMatchObject({ isOver: true })
  expect(await call.phone(CALL).open(NUMBERS)).toBeNull()
  await platform.access.revokeConnector(connector)
  expect(await call.phone(`${CALL}1`).open(NUMBERS)).toMatchObject({ status: 401 })
})

test('MS280 what was heard is kept with the session, an older place changes nothing, and neither is in the log', async () => {
  const { admit, other } = await setUp()
  const { handshake } = await opened(await admit())
  const line = handshake.openCall({ send() {}, close() {}, drained: () => Promise.resolve() })
  const mark = (since: number, number: number, playedMs: number, done: boolean) => ({
    ...{ id: `m.${number}.${since}.9.9`, since, number, playedMs, done },
  })
  const heard = async () => {
    const again = await opened(await admit(other))
    idOf(again)
    return again.heard
  }
  expect(await heard()).toBeNull()
  // In pairs: one that counts, and one that does not.
  const marks = [mark(3, 1, 40, false), mark(3, 1, 20, false), mark(3, 1, 20, true), mark(3, 1, 60, false)]
  marks.push(mark(3, 2, 0, false), mark(3, 1, 90, true), mark(4, 1, 0, false), mark(3, 9, 90, true))
  for (const [index, one] of marks.entries()) {
    await line.progressed({ heard: one })
    expect(await heard()).toEqual(marks[index - (index % 2)])
  }
  await line.progressed({ leftFor: '+493012345678' })
  expect(await (await admit(other)).phone(CALL).read()).toEqual({
    ...{ sequence: 1, isOver: false, leftFor: '+493012345678' },
  })
  expect(await heard()).toEqual(mark(4, 1, 0, false))
})

test('MS280 no visitor can name a phone call', async () => {
  const { admit, platform } = await setUp()
  const { accessToken } = await platform.messaging.issueAccessToken({
    ...{ connectorToken: TOKEN, host: 'example.com', remoteAddress: '203.0.113.9' },
  })
  const authorization = `Bearer ${accessToken}`
  const { sessionId } = await platform.messaging.createSession({ authorization, streaming: false })
  const handshake = await platform.messaging.handshake({ sessionId, accessToken, cursor: null })
  if ('status' in handshake) throw new Error(handshake.message)
  const chat = openSocketPair(handshake)
  chat.send({ type: 'EVENT_TYPE_LINK_TO_WEBRTC_CONVERSATION', payload: { call_sid: CALL } })
  await chat.flush()
  const call = await admit()
  expect(await call.phone(CALL).read()).toBeNull()
  expect(idOf(await opened(call))).not.toBe(sessionId)
})
