import { openVisitor } from '@colloquy/test-support/visitor'
import { describe, expect, it } from 'vitest'
import { chosenKey } from '../../src/domain/conversation/conversation-key.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform } from '../../src/platform.ts'
import type { SettingsInput } from '../../src/settings/settings-input.ts'
import { createLocalBus } from '../../src/system/local-bus.ts'
import { aConversation, createFakeClock, createScriptedRuntime, START } from '../../src/testing/index.ts'
import type {
  RecordingFinish,
  RecordingStart,
  RecordingTurn,
} from '../../src/usecases/records/recording-input.ts'

const CALL = 'CA-1@example'
const SECOND = 1000

/**
 * Two processes over one store, an agent that is live with a second variant, and the calls that record one
 * conversation.
 */
async function setUp(limits: SettingsInput['limits'] = {}) {
  const clock = createFakeClock()
  const store = createMemoryStore()
  let appends = 0
  const { append } = store.conversations
  const counted = {
    ...store,
    conversations: {
      ...store.conversations,
      append: (given: Parameters<typeof append>[0]) => {
        appends++
        return append(given)
      },
    },
  }
  const start = () =>
    createPlatform({
      store: counted,
      bus: createLocalBus(),
      clock,
      runtime: createScriptedRuntime({}, clock),
      rateLimits: null,
      limits,
    })
  const [here, there] = [start(), start()]
  const { accountId, agentId } = await openVisitor(here, clock)
  const branch = await here.agents.createBranch(agentId, { branchName: 'second' })
  const variant = await here.agents.createVariant(agentId, branch.id, {
    name: 'Second',
    isDefault: false,
    attributeValues: {},
  })
  await here.agents.merge(agentId, branch.id)
  await here.agents.publish(agentId, { environment: 'live' })
  appends = 0
  const call = (more: Partial<RecordingStart> = {}): RecordingStart => ({
    ...{ accountId, agentId, environment: 'live', channel: 'VOICE-SIP', conversationId: CALL },
    startedAt: START - 60 * SECOND,
    ...more,
  })
  const turn = (number: number, more: Partial<RecordingTurn> = {}): RecordingTurn => ({
    agentId,
    conversationId: CALL,
    turnId: `turn ${number}`,
    userInput: `question ${number}`,
    userInputAt: START + (number * 10 - 60) * SECOND,
    agentResponse: `answer ${number}`,
    agentResponseAt: START + (number * 10 - 58) * SECOND,
    ...more,
  })
  const record = async (id = CALL) => {
    const found = await here.reading.record(accountId, agentId, id)
    if (found === null) return null
    const { summary, details, turns } = found
    const record: Record<string, unknown> = { ...summary.value, ...details.value, turns: turns?.value }
    return record
  }
  const filter = { accountId, agentId, environment: 'live' as const }
  return {
    here,
    there,
    clock,
    store,
    accountId,
    agentId,
    variant,
    call,
    turn,
    record,
    filter,
    writes: () => appends,
    END: { agentId, conversationId: CALL, finishedAt: START } satisfies RecordingFinish,
  }
}

const refused = (code: string, message: unknown = expect.any(String)) =>
  expect.objectContaining({ code, message })

describe('start', () => {
  it('RC30 made again with the same facts it is the same conversation, also at once and from elsewhere', async () => {
    const { here, there, call, record } = await setUp()
    const results = await Promise.all([
      here.conversations.start(call()),
      there.conversations.start(call()),
      here.conversations.start(call()),
    ])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['duplicate', 'duplicate', 'recorded'])
    const { startedAt: _, ...later } = call({ fromNumber: '' })
    expect(await there.conversations.start(later)).toEqual({ conversationId: CALL, status: 'duplicate' })
    expect(await record()).toMatchObject({ id: CALL, num_turns: 0, in_progress: true })
  })

  it.each([
    { channel: 'VOICE' },
    { startedAt: START },
    { environment: 'sandbox' as const },
    { fromNumber: '+44' },
    { toNumber: '+44' },
    { language: 'de' },
    { direction: 'outbound' as const },
    { variantId: 'VARIANT-other' },
    { integrationAttributes: { b: { y: 2, x: 1 } } },
  ])('RC30 with other facts it is refused and names them: %j', async other => {
    const { here, call, record } = await setUp()
    await here.conversations.start(call({ integrationAttributes: { a: 1, b: { x: 1, y: 3 } } }))
    const before = await record()
    const facts = { integrationAttributes: { b: { y: 3, x: 1 }, a: 1 } }
    expect((await here.conversations.start(call(facts))).status).toBe('duplicate')
    await expect(here.conversations.start(call({ ...facts, ...other }))).rejects.toEqual(
      refused(
        'CONVERSATION_ID_ALREADY_EXISTS',
        expect.stringMatching(`with another ${Object.keys(other)[0]}\\.`),
      ),
    )
    expect(await record()).toEqual(before)
  })

  it('RC30 the id of another kind of conversation is taken', async () => {
    const { here, store, call, accountId, agentId } = await setUp()
    await store.conversations.create(aConversation('mine', { accountId, agentId }))
    await expect(here.conversations.start(call({ conversationId: 'mine' }))).rejects.toEqual(
      refused(
        'CONVERSATION_ID_ALREADY_EXISTS',
        expect.stringContaining('was not started with conversations.start'),
      ),
    )
  })

  it('RC31 it runs the deployment that is active, and lists and figures see it at once', async () => {
    const { here, call, record, filter, variant, agentId } = await setUp()
    const facts = { variantId: variant.id, toNumber: '+4420', fromNumber: '+4477', language: 'de-DE' }
    await here.conversations.start(call({ ...facts, direction: 'outbound' }))
    const { live } = await here.agents.activeDeployments(agentId)
    expect(await record()).toMatchObject({
      ...{ variant_id: variant.id, variant_name: 'Second', deployment_id: live?.id, in_progress: true },
      ...{ from_number: '+4477', to_number: '+4420', language: 'de-DE', direction: 'outbound' },
      ...{ channel: 'VOICE-SIP', started_at: '2025-12-31T23:59:00.000Z', finished_at: null },
    })
    const listed = async (more: object) =>
      (await here.reading.records({ ...filter, ...more }, { offset: 0 }, 10)).records.map(({ id }) => id)
    expect(await listed({ variantName: 'Second', inProgress: true, channels: ['VOICE-SIP'] })).toEqual([CALL])
    expect(await listed({ variantName: 'default' })).not.toContain(CALL)
    const peak = async (more: object) => {
      const range = { startTime: START - 300 * SECOND, endTime: START }
      const { series } = await here.reading.concurrency({ ...filter, ...range, ...more })
      return series[0]?.peaks[0]
    }
    expect(await peak({ phoneNumber: '+4420', language: 'de-DE' })).toBe(1)
    expect(await peak({ phoneNumber: '+4477' })).toBe(0)
    expect(await peak({ language: 'en-GB' })).toBe(0)
  })

  it('RC31 without a deployment, and without an id of its own, it begins as well', async () => {
    const { here, call, record } = await setUp()
    const { conversationId: _, startedAt: __, ...own } = call({ environment: 'pre-release' })
    const { conversationId, status } = await here.conversations.start(own)
    expect(status).toBe('recorded')
    expect(await record(conversationId)).toMatchObject({
      ...{ deployment_id: '', variant_id: '', language: '', started_at: new Date(START).toISOString() },
    })
  })

  it('RC31 nothing but its end ends it, and no purge takes it before', async () => {
    const { here, clock, store, call, turn, record, agentId, END } = await setUp()
    await here.conversations.start(call())
    await here.conversations.recordTurn(turn(1))
    await clock.advance(20 * 60 * SECOND)
    await clock.settle()
    expect((await store.conversations.load(chosenKey(agentId, CALL)))?.state.endedAt).toBeNull()
    await here.conversations.purge({ olderThan: clock.now() })
    expect(await record()).toMatchObject({
      in_progress: true,
      num_turns: 1,
      total_duration: 12,
      ai_duration: 12,
    })
    await here.conversations.finish(END)
    await here.conversations.purge({ olderThan: clock.now() })
    expect(await record()).toBeNull()
  })
})

describe('recordTurn', () => {
  it('RC32 a turn id takes effect once, in one write, wherever and whenever it comes again', async () => {
    const { here, there, call, turn, record, writes, END } = await setUp()
    await here.conversations.start(call())
    const first = await Promise.all([here, there, here].map(one => one.conversations.recordTurn(turn(1))))
    expect(first.map(({ status }) => status).toSorted()).toEqual(['duplicate', 'duplicate', 'recorded'])
    const before = writes()
    expect((await there.conversations.recordTurn(turn(2))).status).toBe('recorded')
    expect(writes()).toBe(before + 1)
    const again = await here.conversations.recordTurn(turn(1, { userInput: 'something else' }))
    expect(again).toEqual({ conversationId: CALL, status: 'duplicate' })
    await here.conversations.finish(END)
    expect((await there.conversations.recordTurn(turn(2))).status).toBe('duplicate')
    expect(await record()).toMatchObject({
      num_turns: 2,
      turns: [{ user_input: 'question 1' }, { user_input: 'question 2' }],
    })
  })

  it('RC32 it shows every field, and what is left out is empty', async () => {
    const { here, call, turn, record, agentId } = await setUp()
    await here.conversations.start(call())
    const { userInput: _, ...greeting } = turn(1)
    await here.conversations.recordTurn(greeting)
    await here.conversations.recordTurn(
      turn(2, {
        ...{ userInputDtmf: '12#', latency: 1234, translatedUserInput: 'two', englishAgentResponse: 'so' },
        ...{ intents: ['book'], entities: [{ guests: '2', names: ['A', 'B'] }], outOfDomain: true },
        ...{ variables: { a: 1, b: 2 }, metrics: { csat: '4', tags: ['x', 'y'] } },
        functionEvents: [{ name: 'find_room', arguments: {}, result: 7, error: null, duration_ms: 3 }],
      }),
    )
    const silent = { agentId, conversationId: CALL, turnId: 's', userInputAt: START - SECOND, silence: true }
    await here.conversations.recordTurn({ ...silent, variables: { b: { c: null } }, metrics: { csat: '5' } })
    const empty = { user_input_dtmf: '', translated_user_input: '', english_agent_response: '', intents: [] }
    expect(await record()).toMatchObject({
      ...{ num_turns: 3, num_silences: 1, num_ood: 1, state: { a: 1, b: { c: null } } },
      metrics: { csat: '5', tags: ['x', 'y'] },
      function_events: [{ name: 'find_room', result: 7 }],
      turns: [
        { ...empty, user_input: '', agent_response: 'answer 1', latency: 2, entities: [], is_ood: false },
        {
          ...{ user_input: 'question 2', user_input_dtmf: '12#', latency: 1.234, intents: ['book'] },
          ...{ translated_user_input: 'two', english_agent_response: 'so', is_ood: true, is_silence: false },
          entities: [{ guests: '2', names: ['A', 'B'] }],
          user_input_datetime: '2025-12-31T23:59:20.000Z',
          agent_response_datetime: '2025-12-31T23:59:22.000Z',
        },
        { ...empty, user_input: '', agent_response: '', latency: 0, is_silence: true },
      ],
    })
  })
})

describe('finish', () => {
  it('RC32 ends the record as it says, once', async () => {
    const { here, there, call, turn, record, agentId, END } = await setUp()
    await here.conversations.start(call())
    await here.conversations.recordTurn(turn(1))
    const end: RecordingFinish = {
      ...END,
      ...{ handoff: { destination: 'reception', reason: 'a group' }, aiDuration: 20_400 },
      ...{ variables: { done: true }, metrics: { csat: '3' } },
    }
    const all = await Promise.all([here.conversations.finish(end), there.conversations.finish(end)])
    expect(all.map(({ status }) => status).toSorted()).toEqual(['duplicate', 'recorded'])
    const other = await here.conversations.finish({
      agentId,
      conversationId: CALL,
      reason: 'REASON_USER_END',
    })
    expect(other).toEqual({ conversationId: CALL, status: 'duplicate' })
    expect(await record()).toMatchObject({
      ...{ in_progress: false, finished_at: '2026-01-01T00:00:00.000Z', total_duration: 60, ai_duration: 20 },
      ...{ handoff: true, handoff_destination: 'reception', handoff_reason: 'a group' },
      ...{ state: { done: true }, metrics: { csat: '3' } },
    })
  })

  it.each([undefined, 'REASON_USER_END', 'REASON_USER_ABANDONED', 'REASON_NATURAL_END'] as const)(
    'RC32 for the reason %s, by default now and all of it the agent’s',
    async reason => {
      const { here, store, call, record, agentId } = await setUp()
      await here.conversations.start(call())
      await here.conversations.finish({ agentId, conversationId: CALL, ...(reason && { reason }) })
      expect(await record()).toMatchObject({ total_duration: 60, ai_duration: 60, handoff: false })
      const { state } = (await store.conversations.load(chosenKey(agentId, CALL))) ?? {}
      expect(state).toMatchObject({
        endReason: reason ?? 'REASON_NATURAL_END',
        endedAt: START,
        owner: 'nobody',
      })
    },
  )
})

describe('what is refused', () => {
  it('RC35 an agent, a variant, a conversation that is not there', async () => {
    const { here, call, turn, END } = await setUp()
    const { conversations } = here
    const start = (more: Partial<RecordingStart>) => conversations.start(call(more))
    await expect(start({ agentId: 'PROJECT-x' })).rejects.toEqual(refused('PROJECT_NOT_FOUND'))
    await expect(start({ accountId: 'ws-x' })).rejects.toEqual(refused('PROJECT_NOT_FOUND'))
    await expect(start({ variantId: 'x' })).rejects.toEqual(refused('VARIANT_NOT_FOUND'))
    await expect(conversations.recordTurn(turn(1))).rejects.toEqual(refused('CONVERSATIONS_NOT_FOUND'))
    await expect(conversations.finish(END)).rejects.toEqual(refused('CONVERSATIONS_NOT_FOUND'))
  })

  it('RC35 a new turn after the end, and a conversation that writes its record by itself', async () => {
    const { here, clock, call, turn, record, END } = await setUp()
    const visitor = await openVisitor(here, clock)
    const theirs = { agentId: visitor.agentId, conversationId: visitor.id }
    await expect(here.conversations.recordTurn(turn(1, theirs))).rejects.toEqual(
      refused('CONVERSATION_NOT_RECORDED'),
    )
    await expect(here.conversations.finish(theirs)).rejects.toEqual(refused('CONVERSATION_NOT_RECORDED'))
    await here.conversations.start(call())
    await here.conversations.finish(END)
    const before = await record()
    await expect(here.conversations.recordTurn(turn(9))).rejects.toEqual(refused('CONVERSATION_FINISHED'))
    expect(await record()).toEqual(before)
  })

  it('RC35 times out of order', async () => {
    const { here, call, turn, record, END } = await setUp()
    await here.conversations.start(call())
    await here.conversations.recordTurn(turn(2))
    const before = await record()
    const add = (more: Partial<RecordingTurn>) => here.conversations.recordTurn(turn(3, more))
    const bad = (text: string) => refused('SCHEMA_VALIDATION_FAILED', expect.stringContaining(text))
    await expect(add({ userInputAt: START - 60_001 })).rejects.toEqual(bad('2025-12-31T23:59:00.000Z'))
    await expect(add({ agentResponseAt: START - 38_001, userInputAt: START - 50_000 })).rejects.toEqual(
      bad('2025-12-31T23:59:22.000Z'),
    )
    await expect(add({ agentResponseAt: START - 30_001 })).rejects.toEqual(
      bad('"agentResponseAt" is not valid: must not be before userInputAt'),
    )
    const end = (more: Partial<RecordingFinish>) => here.conversations.finish({ ...END, ...more })
    await expect(end({ finishedAt: START - 38_001 })).rejects.toEqual(bad('out of order'))
    await expect(end({ aiDuration: 60_001 })).rejects.toEqual(bad('aiDuration'))
    expect(await record()).toEqual(before)
    // Who speaks while the agent still answers speaks before its response.
    expect((await add({ userInputAt: START - 39_000, agentResponseAt: START - 38_000 })).status).toBe(
      'recorded',
    )
  })

  it.each([
    [{ turnId: '' }, '"turnId" is not valid: must not be empty'],
    [{ turnId: 'x'.repeat(201) }, '"turnId" is not valid: must have at most 200'],
    [{ userInputAt: Number.NaN }, '"userInputAt" is not valid: '],
    [{ userInputAt: 1.5 }, '"userInputAt" is not valid: must be milliseconds'],
    [{ userInputAt: -1 }, '"userInputAt" is not valid: must not be before 1970'],
    [{ agentResponseAt: 1e15 }, '"agentResponseAt" is not valid: must not be after the year 9999'],
    [{ agentResponseAt: START + 61_000 }, 'agentResponseAt: must not lie in the future'],
    [{ latency: -1 }, '"latency" is not valid: must not be negative'],
    [{ userInputDtmf: 'x' }, '"userInputDtmf" is not valid: '],
    [{ conversationId: '../x' }, '"conversationId" is not valid: must be 1 to 128'],
    [{ metrics: { csat: [] } }, '"metrics.csat" is not valid: '],
    [{ userInput: 'ä'.repeat(131_072) }, 'limits.recordingBytes'],
    [{ variables: { text: 'x'.repeat(65_536) } }, 'limits.variableBytes'],
  ] satisfies [Partial<RecordingTurn>, string][])(
    'RC37 a turn beyond the limits: %#',
    async (more, message) => {
      const { here, call, turn, record } = await setUp()
      await here.conversations.start(call())
      const before = await record()
      await expect(here.conversations.recordTurn(turn(1, more))).rejects.toEqual(
        refused('SCHEMA_VALIDATION_FAILED', expect.stringContaining(message)),
      )
      expect(await record()).toEqual(before)
    },
  )

  it('RC37 variables of many turns together, what JSON cannot carry, and a start beyond the limits', async () => {
    const { here, call, turn, END } = await setUp()
    const { conversations } = here
    await conversations.start(call())
    const invalid = refused('SCHEMA_VALIDATION_FAILED')
    await conversations.recordTurn(turn(1, { variables: { one: 'x'.repeat(40_000) } }))
    await expect(
      conversations.recordTurn(turn(2, { variables: { two: 'x'.repeat(40_000) } })),
    ).rejects.toEqual(invalid)
    await conversations.recordTurn(turn(2, { variables: { one: 'x'.repeat(50_000) } }))
    const circle: Record<string, never> = {}
    Reflect.set(circle, 'self', circle)
    await expect(conversations.recordTurn(turn(3, { variables: circle }))).rejects.toEqual(invalid)
    await expect(conversations.finish({ ...END, metrics: { a: '\u0000'.repeat(50_000) } })).rejects.toEqual(
      invalid,
    )
    for (const more of [
      { startedAt: START + 61_000 },
      { channel: '' },
      { language: 'x' },
      { fromNumber: '1'.repeat(101) },
    ]) {
      await expect(conversations.start(call({ ...more, conversationId: 'other' }))).rejects.toEqual(invalid)
    }
    const odd: Record<string, string> = JSON.parse('{"__proto__": "x", "constructor": "y"}')
    await conversations.recordTurn(turn(3, { variables: odd }))
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false)
  })

  it('RC37 metrics of many turns together', async () => {
    const { here, call, turn, record, END } = await setUp()
    const { conversations } = here
    await conversations.start(call())
    await conversations.recordTurn(turn(1, { metrics: { one: 'x'.repeat(40_000) } }))
    const two = { two: 'x'.repeat(40_000) }
    await expect(conversations.recordTurn(turn(2, { metrics: two }))).rejects.toThrow(
      /metrics.*limits\.variableBytes/,
    )
    await expect(conversations.finish({ ...END, metrics: two })).rejects.toThrow(/limits\.variableBytes/)
    await conversations.recordTurn(turn(2))
    await conversations.finish(END)
    expect(Object.keys(Object((await record())?.metrics))).toEqual(['one'])
  })

  it.each([
    ['bytes', { conversationBytes: 6_000 }, 'limits.conversationBytes (6000 bytes'],
    ['events', { conversationEvents: 6 }, 'limits.conversationEvents (6 events'],
  ])(
    'RC37 a turn beyond the bound of %s is refused, and the record can be finished',
    async (_, limits, named) => {
      const { here, call, turn, record, END } = await setUp(limits)
      const { conversations } = here
      await conversations.start(call())
      let taken = 0
      const refusal = await (async () => {
        for (;;) {
          const more = { agentResponse: 'x'.repeat(500) }
          const error = await conversations.recordTurn(turn(taken + 1, more)).then(
            () => null,
            (thrown: unknown) => thrown,
          )
          if (error !== null) return error
          taken++
        }
      })()
      expect(taken).toBeGreaterThan(1)
      expect(refusal).toMatchObject({
        code: 'SCHEMA_VALIDATION_FAILED',
        message: expect.stringContaining(named),
      })
      expect(await conversations.recordTurn(turn(1))).toMatchObject({ status: 'duplicate' })
      expect(await record()).toMatchObject({ in_progress: true, num_turns: taken })
      await conversations.finish(END)
      expect(await record()).toMatchObject({ in_progress: false, num_turns: taken })
    },
  )
})
