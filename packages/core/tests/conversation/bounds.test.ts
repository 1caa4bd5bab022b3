import { Drive, freshState, greeted, handoffWish, origin, RULES } from '@colloquy/test-support/conversation'
import { openVisitor } from '@colloquy/test-support/visitor'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OUTGROWN_TEXT } from '../../src/domain/conversation/outgrow.ts'
import type { ConversationState } from '../../src/domain/conversation/state.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform } from '../../src/platform.ts'
import { createFakeClock, createScriptedRuntime, createSequentialIds } from '../../src/testing/index.ts'

const liveAgent = { id: 'a1', name: 'Ada', avatarUrl: '' }

/** The UTF-8 bytes of what a conversation's log and turns say. */
const kept = (drive: Drive): number =>
  [...drive.log, ...drive.turns].reduce((sum, one) => sum + Buffer.byteLength(JSON.stringify(one)), 0)

/** A greeted conversation that is a little below its bound. */
function nearly(
  room: number,
  kind: ConversationState['kind'] = 'messaging',
  drive = greeted('server', kind),
) {
  drive.rules = { ...RULES, conversationBytes: drive.state.bytes + room }
  return drive
}

const withHandoff = () => {
  const drive = greeted()
  drive.say('person')
  drive.reply(handoffWish)
  return drive
}

const told = (drive: Drive) => {
  if (drive.last.refused !== null) throw new Error(drive.last.refused)
  return drive.last.transients.map(({ type, payload, to }) => [type, payload.message, to])
}

function expectEnded(drive: Drive): void {
  expect(told(drive)).toEqual([['SYSTEM_MESSAGE', OUTGROWN_TEXT, null]])
  expect(drive.log.at(-1)).toMatchObject({
    type: 'SESSION_END',
    payload: { reason: 'REASON_NATURAL_END' },
  })
  expect(drive.state).toMatchObject({
    owner: 'nobody',
    endReason: 'REASON_NATURAL_END',
    turn: null,
    pending: [],
    sequence: drive.log.length,
    bytes: kept(drive),
  })
}

describe('the bound of a conversation', () => {
  it('CM50 a message that reaches it is kept, the visitor is told, and the session ends', () => {
    const drive = nearly(1_000)
    drive.say('x')
    drive.reply()
    expect(drive.state.endedAt).toBeNull()
    drive.rules = { ...drive.rules, conversationBytes: drive.state.bytes + 500 }
    const long = 'é'.repeat(250)
    const decision = drive.say(long)
    expect(drive.types().slice(-2)).toEqual(['USER_MESSAGE', 'SESSION_END'])
    expect(drive.log.at(-2)?.payload.text).toBe(long)
    expectEnded(drive)
    expect(decision.effects.filter(({ type }) => type === 'run_turn')).toEqual([])
    expect(drive.send({ type: 'message', text: 'more', pinning: null, ...origin })).toEqual({
      refused: 'ended',
    })
  })

  it.each([
    ['whole', null],
    ['streamed', ['Hel', 'lo.', '!'.repeat(500)]],
  ])('CM50 a %s reply that reaches it is kept, with its turn', (_, chunks) => {
    const drive = greeted()
    drive.say('Hello')
    nearly(400, 'messaging', drive)
    const text = chunks?.join('') ?? '!'.repeat(505)
    const decision = drive.reply({ text, chunks })
    expect(decision.turns).toHaveLength(1)
    const said = drive.log.at(-2)?.payload ?? {}
    expect([...(Array.isArray(said.chunks) ? said.chunks : []), said.text].join('')).toBe(text)
    expectEnded(drive)
  })

  it('CM50 messages that wait behind that reply end with their session', () => {
    const drive = greeted()
    drive.say('one')
    drive.say('two')
    nearly(10, 'messaging', drive)
    drive.reply()
    expectEnded(drive)
  })

  it('CM50 in the queue, too: the live-agent system is told', () => {
    const drive = withHandoff()
    drive.done({ type: 'handoff_accepted', handoffId: drive.state.handoff?.id ?? never() })
    drive.done({ type: 'deliveries_done', through: drive.state.deliveryNumber, failed: [] })
    nearly(10, 'messaging', drive)
    const decision = drive.say('Is anybody there?')
    expectEnded(drive)
    expect(drive.state.deliveries.map(({ call }) => call)).toEqual([
      { type: 'cancel', reason: 'conversation too long' },
    ])
    expect(decision.effects.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['queue_changed', 'deliver']),
    )
  })

  it("CM50 a live agent's message that reaches it is kept, and the live-agent system is told", () => {
    const drive = withHandoff()
    const handoffId = drive.state.handoff?.id ?? never()
    drive.done({ type: 'live_agent_joined', handoffId, liveAgent })
    drive.done({ type: 'deliveries_done', through: drive.state.deliveryNumber, failed: [] })
    nearly(10, 'messaging', drive)
    const message = { messageId: 'm1', text: 'Good evening.', attachments: [] }
    drive.done({ type: 'live_agent_message', handoffId, ...message })
    expect(drive.types().slice(-2)).toEqual(['LIVE_AGENT_MESSAGE', 'SESSION_END'])
    expectEnded(drive)
    expect(drive.state.deliveries.map(({ call }) => call.type)).toEqual(['cancel'])
  })

  it('CM50 so it is by the number of events, whatever they say', () => {
    const drive = greeted()
    drive.rules = { ...RULES, conversationEvents: drive.state.sequence + 2 }
    drive.join()
    expect(drive.state.endedAt).toBeNull()
    drive.join()
    expectEnded(drive)
  })

  it('CM50 whoever ends it anyway is not told', () => {
    const drive = nearly(1)
    drive.done({ type: 'end', ...origin })
    expect(told(drive)).toEqual([])
    expect(drive.state.endReason).toBe('REASON_USER_END')
  })

  it('CM50 one that was beyond it already ends with whatever comes next', () => {
    const drive = new Drive({ ...greeted().state, sequence: 60_000 })
    drive.done({ type: 'wake' })
    expect(drive.last.refused === null && drive.last.events.map(({ type }) => type)).toEqual(['SESSION_END'])
    expect(drive.state).toMatchObject({ sequence: 60_001, endReason: 'REASON_NATURAL_END' })
  })

  it('CM50 no conversation grows beyond its bound by more than one decision, and its bytes are those of what is kept', () => {
    const texts = fc.string({ unit: 'binary', maxLength: 300 })
    fc.assert(
      fc.property(
        fc.constantFrom<ConversationState['kind']>('messaging', 'chat', 'debug', 'test'),
        fc.array(fc.tuple(fc.constantFrom('say', 'reply', 'join', 'fail', 'hand off'), texts), {
          minLength: 20,
          maxLength: 120,
          size: 'max',
        }),
        (kind, steps) => {
          const drive = new Drive(freshState('server', kind))
          drive.rules = { ...RULES, conversationBytes: 4_000, conversationEvents: 30 }
          drive.join()
          for (const [step, text] of steps) {
            const { endedAt, bytes, sequence } = drive.state
            if (endedAt === null) expect(bytes < 4_000 && sequence < 30).toBe(true)
            if (step === 'say') drive.send({ type: 'message', text, pinning: null, ...origin })
            if (step === 'join') drive.send({ type: 'join', pinning: null, ...origin })
            if (drive.state.turn === null) continue
            const turn = { record: { text }, details: {} }
            if (step === 'reply') drive.reply({ text, turn })
            if (step === 'hand off') drive.reply({ ...handoffWish, turn })
            if (step !== 'fail') continue
            const holder = { turnId: drive.state.turn?.id ?? never(), generation: 1 }
            drive.send({ type: 'turn_failed', ...holder, failure: 'reply', custom: null, turn })
          }
          expect(drive.state.bytes).toBe(kept(drive))
          expect(drive.state.sequence).toBe(drive.log.length)
        },
      ),
      { numRuns: 100 },
    )
  })
})

function never(): never {
  throw new Error('There is none.')
}

describe('over the platform', () => {
  async function setUp(limits: { conversationBytes?: number; conversationEvents?: number }) {
    const clock = createFakeClock()
    const store = createMemoryStore()
    const runtime = createScriptedRuntime({ greeting: 'Welcome.', otherwise: () => 'Yes.' }, clock)
    const platform = createPlatform({ store, clock, ids: createSequentialIds(), runtime, limits })
    return { clock, store, platform, visitor: await openVisitor(platform, clock) }
  }

  it('CM50 the visitor reads why before the session ends, on every connection, and the record is whole', async () => {
    const { platform, visitor, clock } = await setUp({ conversationEvents: 9 })
    await visitor.join()
    const other = await visitor.reconnect(platform)
    while (visitor.closedBy() === null) await visitor.say('Hello?')
    await clock.settle()
    for (const client of [visitor, other]) {
      expect(client.types().slice(-3)).toEqual(['USER_MESSAGE', 'SYSTEM_MESSAGE', 'SESSION_END'])
      expect(client.texts('SYSTEM_MESSAGE')).toEqual([OUTGROWN_TEXT])
    }
    const record = await platform.reading.record(visitor.accountId, visitor.agentId, visitor.id)
    expect(record?.summary.value).toMatchObject({ in_progress: false, num_turns: 3 })
    expect(record?.turns?.value).toHaveLength(3)
  })
})
