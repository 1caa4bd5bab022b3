import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { decodeCursor, encodeCursor } from '../../src/domain/conversation/cursor.ts'
import {
  projectIndex,
  projectRecord,
  RECORD_DESCRIPTIONS,
} from '../../src/domain/conversation/project-record.ts'
import { projectTurn } from '../../src/domain/conversation/project-turn.ts'
import {
  addFunctionEvents,
  beforeFunctionEvents,
  v1RecordBeginning,
  v3RecordBeginning,
} from '../../src/domain/conversation/record-text.ts'
import type { ConversationState } from '../../src/domain/conversation/state.ts'
import type { JsonObject } from '../../src/domain/json.ts'
import { jsonOf, jsonText, type StoredJson } from '../../src/domain/stored-json.ts'
import { isoTime, parseIsoTime } from '../../src/domain/time.ts'
import { time } from '../../src/http/routes/query-values.ts'

const START = Date.UTC(2026, 2, 1, 9, 30)

const state = (change: Partial<ConversationState> = {}): ConversationState => ({
  id: 'C1',
  kind: 'messaging',
  listed: true,
  accountId: 'ws-1',
  agentId: 'PROJECT-1',
  environment: 'live',
  testCaseId: null,
  startedAt: START,
  lastAt: START,
  endedAt: START + 61_500,
  endReason: 'REASON_USER_END',
  sequence: 4,
  bytes: 0,
  owner: 'nobody',
  greeted: true,
  streaming: false,
  deploymentId: 'DEPLOYMENT-1',
  revision: 1,
  agentName: 'Front desk',
  agentAvatarUrl: '',
  connectorId: null,
  tokenHash: null,
  idleTimeout: 600_000,
  idleWarning: null,
  idleWarned: false,
  seenAt: START + 20_000,
  turn: null,
  pending: [],
  chat: null,
  text: null,
  failure: null,
  handoffSettings: { mode: 'server', queueName: 'reception', timeoutSeconds: 300 },
  handoffs: 0,
  handoff: null,
  handedOff: null,
  deliveries: [],
  deliveryNumber: 0,
  deliveryUntil: null,
  awaiting: [],
  externalCheckAt: null,
  variables: { room: 12 },
  metrics: { one: ['only'], two: ['a', 'b'], none: [], plain: 'x' },
  integrationAttributes: {},
  visitor: null,
  verifiedContext: null,
  setAttributes: {},
  asrLanguage: null,
  ttsLanguage: null,
  record: {
    channel: 'CHAT',
    direction: 'inbound',
    language: null,
    fromNumber: '',
    toNumber: '+441',
    variantId: null,
    variantName: null,
    turns: 2,
    silences: 1,
    outOfDomain: 1,
    handoff: false,
    handoffReason: '',
    handoffDestination: '',
    aiDuration: 10_400,
    aiSince: null,
  },
  ...change,
})

describe('record projection', () => {
  test('RC1 a finished conversation shows every v1 field but its turns, in the wire names', () => {
    const { summary, details } = projectRecord(state())
    expect(Object.keys({ ...summary, turns: [] }).sort()).toEqual(Object.keys(RECORD_DESCRIPTIONS).sort())
    expect(summary).toMatchObject({
      id: 'C1',
      variant_id: '',
      variant_name: '',
      started_at: '2026-03-01T09:30:00.000Z',
      in_progress: false,
      total_duration: 62,
      ai_duration: 10,
      handoff_reason: '',
      state: { room: 12 },
    })
    expect(details).toEqual({
      finished_at: '2026-03-01T09:31:01.500Z',
      language: '',
      deployment_id: 'DEPLOYMENT-1',
      direction: 'inbound',
    })
  })

  test('RC1 durations of one in progress are as of its newest instant, the AI agent included', () => {
    const { record } = state()
    const running = state({ endedAt: null, endReason: null, record: { ...record, aiSince: START + 15_000 } })
    const { summary, details } = projectRecord(running)
    expect(summary).toMatchObject({ in_progress: true, total_duration: 20, ai_duration: 15 })
    expect(details.finished_at).toBeNull()
  })

  test('RC1 a metric is a string or at least two of them', () => {
    expect(projectRecord(state()).summary.metrics).toEqual({ one: 'only', two: ['a', 'b'], plain: 'x' })
  })

  test('RC58 debug conversations are not listed; only a waiting or joined handoff is indexed', () => {
    expect(projectIndex(state())).toMatchObject({ listed: true, finishedAt: START + 61_500, handoff: null })
    expect(projectIndex(state({ kind: 'debug', listed: false })).listed).toBe(false)
    const handoff = {
      id: 'C1.1',
      queueName: 'q',
      reason: '',
      destination: 'reception',
      requestedAt: START + 5,
      timeoutAt: START + 9,
      liveAgent: null,
      acceptedBy: null,
      attendedUntil: null,
    }
    const indexed = (status: 'requested' | 'waiting' | 'active' | 'over') =>
      projectIndex(state({ handoff: { ...handoff, status } })).handoff
    expect(indexed('requested')).toBeNull()
    expect(indexed('over')).toBeNull()
    const entry = { id: 'C1.1', queueName: 'q', since: START + 5 }
    expect(indexed('waiting')).toEqual({ ...entry, status: 'waiting', liveAgentId: null })
    expect(indexed('active')?.status).toBe('active')
  })

  test('RC1 a turn has every field, its latency in seconds, and empty text instead of null', () => {
    expect(
      projectTurn({
        userInput: 'hi',
        userInputAt: START,
        agentResponse: 'hello',
        agentResponseAt: START + 1_234,
      }),
    ).toEqual({
      user_input: 'hi',
      user_input_dtmf: '',
      user_input_datetime: '2026-03-01T09:30:00.000Z',
      agent_response: 'hello',
      agent_response_datetime: '2026-03-01T09:30:01.234Z',
      latency: 1.234,
      translated_user_input: '',
      english_agent_response: '',
      intents: [],
      entities: [],
      is_ood: false,
      is_silence: false,
    })
  })

  test('the texts of stored JSON are put together into what they say', () => {
    const json = {
      summary: jsonText<JsonObject>('{"id":"a","state":{}}'),
      details: jsonText<JsonObject>('{"language":"en"}'),
    }
    const turns = '[{"user_input":"}"}]'
    const v1 = JSON.parse(`${v1RecordBeginning(json)}${turns}}`)
    const v3 = (details: string) =>
      JSON.parse(`${v3RecordBeginning({ ...json, details: jsonText(details) })}${turns}}`)
    expect(v1).toEqual({ id: 'a', state: {}, turns: [{ user_input: '}' }] })
    expect(v3(json.details.text)).toEqual({
      id: 'a',
      state: {},
      language: 'en',
      turns: [{ user_input: '}' }],
    })
    expect(v3('{}')).toEqual(v1)
    expect(JSON.parse(`${beforeFunctionEvents(json)}]}`)).toEqual({
      id: 'a',
      state: {},
      language: 'en',
      function_events: [],
    })
  })

  test('the values of the texts are not asked for', () => {
    const unparsed = (text: string): StoredJson<JsonObject> => ({
      text,
      get value(): JsonObject {
        throw new Error('The text was parsed.')
      },
    })
    const json = { summary: unparsed('{"id":"a"}'), details: unparsed('{"language":"en"}') }
    expect(v1RecordBeginning(json)).toBe('{"id":"a","turns":')
    expect(v3RecordBeginning(json)).toBe('{"id":"a","language":"en","turns":')
    expect(beforeFunctionEvents(json)).toBe('{"id":"a","language":"en","function_events":[')
  })

  test('RC1 the function calls of a record are those of its turns, in order', () => {
    const turn = (...events: readonly string[]) => ({
      record: jsonOf({}),
      details: jsonText<JsonObject>(JSON.stringify({ function_events: events })),
    })
    const head = { summary: jsonOf({ id: 'a' }), details: jsonText<JsonObject>('{"language":"en"}') }
    const { summary, details } = addFunctionEvents({ ...head, turns: jsonOf([]) }, [
      turn('a', 'b'),
      { record: jsonOf({}), details: jsonOf({}) },
      turn('c'),
    ])
    expect(summary.text).toBe('{"id":"a"}')
    expect(details.text).toBe('{"language":"en","function_events":["a","b","c"]}')
  })
})

describe('times', () => {
  afterEach(() => {
    vi.unstubAllEnvs()
  })

  test.each([
    ['2026-03-01', START - 9.5 * 3_600_000],
    ['2026-03-01T09:30', START],
    ['2026-03-01T09:30:00', START],
    ['2026-03-01T09:30:00Z', START],
    ['2026-03-01T09:30:00.1239Z', START + 123],
    ['2026-03-01T09:30:00.5Z', START + 500],
    ['2026-03-01T11:30:00+02:00', START],
    ['2026-03-01T11:30:00 02:00', START],
    ['2026-03-01T04:00:00-0530', START],
    ['2026-03-01T11:30+02', START],
    ['1970-01-01T00:00:01.001Z', 1001],
  ])('RC8 %s is an ISO 8601 time', (text, expected) => {
    expect(parseIsoTime(text)).toBe(expected)
  })

  test.each([
    ['2026-03-01T09:30:00.000Z', START],
    ['2026-03-01T09:30:00.0000Z', START],
    ['2026-03-01T09:30:00.000001Z', START + 1],
    ['2026-03-01T09:30:00.123999999Z', START + 124],
    ['2026-03-01T09:30:00.999500Z', START + 1_000],
  ])(
    'RC8 where a range begins or ends at %s, the first whole millisecond counts that is not earlier',
    (text, at) => {
      expect(parseIsoTime(text, 'up')).toBe(at)
      expect(time.parse(text)).toBe(at)
    },
  )

  test.each([
    '',
    ' ',
    'yesterday',
    '2026',
    '2026-02-30',
    '2026-13-01',
    '2026-03-01T24:00',
    '2026-03-01T09:60',
    '2026-3-1',
    '2026-03-01 ',
    '1772357400000',
    '2026-03-01T09:30:00+25:00',
    '2026-03-01T09:30:00Zjunk',
    '03/01/2026',
    '20260301',
    '2026-03',
    '2026-060',
    '2026-W09-7',
    '+002026-03-01',
    '2026-03-01T09',
    '2026-03-01T0930',
    '2026-03-01 09:30',
    '2026-03-01T09:30.5',
    '2026-03-01T09:30:60Z',
    '2026-03-01T09:30:00+02:60',
  ])('RC8 %j is no time', text => {
    expect(parseIsoTime(text)).toBeNull()
  })

  test('RC8 every instant reads back as itself', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000_000_000 }), at => {
        expect(parseIsoTime(isoTime(at))).toBe(at)
      }),
    )
  })

  const ZONES = [
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Asia/Kathmandu',
    'Pacific/Apia',
    'Africa/Monrovia',
  ]
  test.each(ZONES)('RC8 the time zone of the machine changes nothing: %s', zone => {
    vi.stubEnv('TZ', zone)
    fc.assert(
      fc.property(
        // From the year 0 on: before 1970 as well, where a machine's time zone is off by odd minutes and seconds.
        fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 }),
        fc.integer({ min: -1439, max: 1439 }),
        (at, offset) => {
          const local = isoTime(at).slice(0, -1)
          expect(parseIsoTime(local)).toBe(at)
          expect(parseIsoTime(local.slice(0, 10))).toBe(Math.floor(at / 86_400_000) * 86_400_000)
          const [hours = 0, minutes = 0] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60]
          const zoned = `${offset < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`
          expect(parseIsoTime(local + zoned)).toBe(at - offset * 60_000)
        },
      ),
    )
  })
})

describe('cursors', () => {
  test('RC16 a cursor names its place in URL-safe characters', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0 }), fc.string({ minLength: 1, unit: 'grapheme' }), (startedAt, id) => {
        const cursor = encodeCursor({ startedAt, id })
        expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/)
        expect(decodeCursor(cursor)).toEqual({ startedAt, id })
      }),
    )
  })

  test('RC16 anything else is malformed', () => {
    const good = encodeCursor({ startedAt: 5, id: 'a' })
    for (const bad of [
      `${good}=`,
      ` ${good}`,
      'abc',
      '!',
      btoa('[5]'),
      btoa('["5","a"]'),
      btoa('[1.5,"a"]'),
      '5',
    ]) {
      expect(decodeCursor(bad), bad).toBeNull()
    }
  })
})
