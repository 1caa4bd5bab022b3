import { part } from '@colloquy/test-support/library-calls'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { LIBRARY } from '../../src/domain/audit/audit.ts'
import { encodeCursor } from '../../src/domain/conversation/cursor.ts'
import { RECORD_DESCRIPTIONS } from '../../src/domain/conversation/project-record.ts'
import type { JsonObject } from '../../src/domain/json.ts'
import { parse } from '../../src/domain/parse.ts'
import { jsonOf, jsonText } from '../../src/domain/stored-json.ts'
import type { RouteResult } from '../../src/http/route.ts'
import { concurrencyRoutes } from '../../src/http/routes/concurrency.ts'
import { conversationRoutes } from '../../src/http/routes/conversations.ts'
import type { Platform } from '../../src/platform.ts'
import type { Log } from '../../src/ports/log.ts'
import type { ConversationStore } from '../../src/ports/store/conversations.ts'
import type { IntervalFilter, IntervalStore } from '../../src/ports/store/intervals.ts'
import type { RecordFilter, RecordStore } from '../../src/ports/store/records.ts'
import { resolveSettings } from '../../src/settings/resolve-settings.ts'
import type { Context } from '../../src/usecases/context.ts'
import { createCountedParts } from '../../src/usecases/records/counted-parts.ts'
import { createListenings } from '../../src/usecases/records/listenings.ts'
import { callBase, partOf, queryValues, request } from '../support/reading-fakes.ts'

const [listV1, listV3, readV3] = conversationRoutes
const [concurrency] = concurrencyRoutes
const PATH = { account_id: 'one', project_id: 'PROJECT-1' }
const intervalsSchema = z.object({ intervals: z.array(z.object({ time: z.string() })) })
const pageSchema = z.object({
  conversations: z.array(z.object({ id: z.string() })),
  cursor: z.string().nullable(),
})
const NOW = Date.UTC(2026, 2, 1, 10, 2)

/** A store of `count` records, two of them started at each instant, that remembers what it was asked. */
function setUp(count = 0) {
  const asked: (RecordFilter | IntervalFilter)[] = []
  const all = Array.from({ length: count }, (_, i) => ({
    id: `C${i}`,
    startedAt: Math.floor(i / 2),
    json: {
      summary: jsonText<JsonObject>(`{"id":"C${i}"}`),
      details: jsonText<JsonObject>('{"language":""}'),
      turns: jsonText<JsonObject[]>('[{"user_input":""}]'),
    },
  }))
  const conversations = partOf<ConversationStore>({
    records: partOf<RecordStore>({
      async list(filter, from, limit) {
        asked.push(filter)
        const before = (id: string) => ('after' in from ? id <= from.after.id : false)
        const first = 'offset' in from ? from.offset : all.filter(({ id }) => before(id)).length
        return { records: all.slice(first, first + limit), more: first + limit < all.length }
      },
      async sample(filter, limit) {
        asked.push(filter)
        return all.slice(-limit)
      },
      async find(_account, _agent, id) {
        return all.find(record => record.id === id)?.json ?? null
      },
    }),
    async turnPage() {
      const details = jsonOf({ function_events: [{ name: 'f' }] })
      return { turns: [{ record: jsonOf({}), details }], more: false }
    },
    intervals: partOf<IntervalStore>({
      async list(filter) {
        asked.push(filter)
        return {
          starts: Float64Array.of(NOW - 600_000, NOW - 120_000),
          ends: Float64Array.of(NOW - 120_000, Number.POSITIVE_INFINITY),
          variant: Uint32Array.of(0, 1),
          variants: [
            { id: 'b', name: 'Bee' },
            { id: 'a', name: 'Ay' },
          ],
          blocks: [],
          stamp: 'one',
        }
      },
    }),
  })
  const context = partOf<Context>({
    store: partOf<Context['store']>({ conversations }),
    clock: { now: () => NOW, monotonic: () => NOW, schedule: () => () => {} },
    settings: resolveSettings({}, partOf<Log>({})),
    embedder: null,
  })
  const platform = partOf<Platform>({
    closing: new AbortController().signal,
    reading: part('reading', {
      ...context,
      counted: createCountedParts(1_000),
      listenings: createListenings(context.clock),
    })(LIBRARY),
    settings: partOf<Platform['settings']>({ brand: { events: 'AI', headers: 'AI' } }),
  })
  const base = (query: string) => ({
    ...callBase,
    platform,
    params: PATH,
    body: null,
    request: request(query),
  })
  return {
    asked,
    v1: (query = '') => listV1.handle({ ...base(query), query: listV1.query.parse(queryValues(query)) }),
    v3: (query = '') => listV3.handle({ ...base(query), query: listV3.query.parse(queryValues(query)) }),
    one: (id: string) =>
      readV3.handle({
        ...base(''),
        params: { ...PATH, conversation_id: id },
        query: { include_latency: true },
      }),
    peaks: (query: string) =>
      concurrency.handle({ ...base(query), query: concurrency.query.parse(queryValues(query)) }),
  }
}

function bodyOf(result: RouteResult): unknown {
  if ('text' in result) return JSON.parse(result.text)
  return 'json' in result ? result.json : null
}

const RANGE = 'start_time=2026-03-01T09:50:00Z&end_time=2026-03-01T10:04:00Z'

describe('v1 list', () => {
  test('a page holds records with their turns, a description of every field and the next offset', async () => {
    const { v1 } = setUp(7)
    const record = (i: number) => ({ id: `C${i}`, turns: [{ user_input: '' }] })
    const descriptions = { conversations: RECORD_DESCRIPTIONS }
    expect(bodyOf(await v1())).toEqual({
      conversations: [0, 1, 2, 3, 4].map(record),
      descriptions,
      next_offset: 5,
    })
    expect(bodyOf(await v1('offset=5'))).toEqual({ conversations: [5, 6].map(record), descriptions })
    expect(bodyOf(await v1('limit=7'))).not.toHaveProperty('next_offset')
    expect(bodyOf(await v1('offset=100'))).toEqual({ conversations: [], descriptions })
  })

  test('RC13 its filters reach the store', async () => {
    const { v1, asked } = setUp()
    await v1(
      'client_env=sandbox&start_time=1970-01-01&end_time=1970-01-02&variant_name=Big%20one&in_progress=False',
    )
    await v1('variant_id=v&deployment_id=d')
    const scope = { accountId: 'ws-1', agentId: 'PROJECT-1' }
    expect(asked).toEqual([
      {
        ...scope,
        environment: 'sandbox',
        startTime: 0,
        endTime: 86_400_000,
        variantName: 'Big one',
        inProgress: false,
      },
      { ...scope, environment: 'live', variantId: 'v', deploymentId: 'd' },
    ])
  })

  test.each([
    'limit=0',
    'limit=5001',
    'limit=1e3',
    'limit=%205',
    'limit=5.0',
    'limit=',
    'limit=-1',
    'limit=0x5',
    'limit=5&limit=6',
    'offset=-1',
    'offset=',
    'offset=1.5',
    'offset=99999999999999999',
    'client_env=production',
    'client_env=',
    'client_env=LIVE',
    'start_time=yesterday',
    'end_time=2026-02-30',
    'start_time=',
    'in_progress=1',
    'in_progress=',
    'variant_id=',
    'variant_name=',
  ])('RC13 %s is refused', query => {
    expect(listV1.query.safeParse(queryValues(query)).success).toBe(false)
  })

  test('RC13 what is wrong is said once, also when several checks find it', () => {
    const far = () => parse(listV1.query, queryValues('offset=9999999999999999'), 'query parameter')
    expect(far).toThrow(/^The query parameter "offset" is not valid: [^.]+\.$/)
  })

  test('RC13 bounds themselves are taken', () => {
    expect(listV1.query.parse(queryValues('limit=5000&offset=0'))).toMatchObject({ limit: 5000, offset: 0 })
    expect(listV1.query.parse({})).toEqual({ client_env: 'live', limit: 5, offset: 0 })
  })

  test('RC13 a start after the end, and both variant filters, are refused', async () => {
    const { v1, v3 } = setUp()
    for (const query of ['start_time=2026-03-02&end_time=2026-03-01', 'variant_id=a&variant_name=b']) {
      await expect(v1(query)).rejects.toMatchObject({ code: 'SCHEMA_VALIDATION_FAILED' })
      await expect(v3(query)).rejects.toMatchObject({ code: 'SCHEMA_VALIDATION_FAILED' })
    }
    expect(bodyOf(await v1('start_time=2026-03-01&end_time=2026-03-01'))).toMatchObject({ conversations: [] })
  })
})

describe('v3', () => {
  test('RC16 following the cursor visits every record once; the last page has none', async () => {
    const { v3 } = setUp(5)
    const first = bodyOf(await v3('limit=2'))
    expect(first).toMatchObject({
      conversations: [{ id: 'C0', language: '', turns: [{ user_input: '' }] }, { id: 'C1' }],
    })
    const seen: unknown[] = []
    let query = 'limit=2'
    for (let page = 0; page < 3; page += 1) {
      const { conversations, cursor } = pageSchema.parse(bodyOf(await v3(query)))
      seen.push(...conversations.map(({ id }) => id))
      if (page === 2) expect(cursor).toBeNull()
      query = `limit=2&cursor=${cursor}`
    }
    expect(seen).toEqual(['C0', 'C1', 'C2', 'C3', 'C4'])
  })

  test('RC16 limit and cursor are checked; channel may be repeated', async () => {
    const { v3, asked } = setUp()
    await expect(v3('cursor=nonsense')).rejects.toMatchObject({ code: 'SCHEMA_VALIDATION_FAILED' })
    for (const query of ['limit=0', 'limit=1001', 'cursor=', 'channel=', 'channel=A&channel=']) {
      expect(listV3.query.safeParse(queryValues(query)).success, query).toBe(false)
    }
    expect(listV3.query.parse({})).toMatchObject({ limit: 100 })
    await v3('channel=CHAT&channel=VOICE-SIP')
    await v3('channel=CHAT')
    expect(asked).toMatchObject([{ channels: ['CHAT', 'VOICE-SIP'] }, { channels: ['CHAT'] }])
  })

  test('RC16 an offset leaves out so many records, and the next one is told while there is a further record', async () => {
    const { v3 } = setUp(7)
    const record = (i: number) => ({ id: `C${i}`, language: '', turns: [{ user_input: '' }] })
    expect(bodyOf(await v3('limit=3&offset=2'))).toEqual({
      conversations: [2, 3, 4].map(record),
      cursor: expect.any(String),
      next_offset: 5,
    })
    expect(bodyOf(await v3('limit=3&offset=5'))).toEqual({
      conversations: [5, 6].map(record),
      cursor: null,
    })
    expect(bodyOf(await v3('limit=3'))).not.toHaveProperty('next_offset')
    const { cursor } = pageSchema.parse(bodyOf(await v3('limit=3')))
    // With a cursor the offset counts for nothing.
    expect(bodyOf(await v3(`cursor=${cursor}&offset=9`))).toEqual(bodyOf(await v3(`cursor=${cursor}`)))
    await expect(v3(`sample=random&offset=1&${RANGE}`)).rejects.toThrow('give no cursor and no offset')
    for (const offset of ['-1', 'x', '']) expect(() => v3(`offset=${offset}`)).toThrow(/offset/)
  })

  test('RC45 contradictions of retrieval modes are refused, and so is a semantic search without an embedder', async () => {
    const { v3 } = setUp()
    const refused = { code: 'SCHEMA_VALIDATION_FAILED' }
    const cursor = encodeCursor({ startedAt: 0, id: 'C1' })
    for (const query of [
      `query_type=transcript&query=a&sample=random&${RANGE}`,
      'query_type=transcript&query=a',
      'query_type=transcript&query=a&start_time=2026-03-01',
      'query_type=semantic&query=a',
      `query_type=transcript&${RANGE}`,
      'sample=random',
      'sample=random&end_time=2026-03-01',
      `sample=random&${RANGE}&cursor=${cursor}`,
      `sample=random&${RANGE}&turn_type=user`,
      `query=a&${RANGE}`,
      `turn_type=user&${RANGE}`,
    ]) {
      await expect(v3(query), query).rejects.toMatchObject(refused)
    }
    await expect(v3(`query_type=semantic&query=a&${RANGE}`)).rejects.toMatchObject({
      code: 'NOT_IMPLEMENTED',
    })
    for (const query of ['query_type=other', 'turn_type=both', 'sample=first', 'query=', 'query=a&query=b']) {
      expect(listV3.query.safeParse(queryValues(query)).success, query).toBe(false)
    }
  })

  test('RC41 a search asks for the words of the query, of one side or of both, and has the list’s cursor', async () => {
    const { v3, asked } = setUp(3)
    const found = pageSchema.parse(
      bodyOf(await v3(`query_type=transcript&query=Z%C3%BCri%20zuri%2C%207&limit=2&${RANGE}`)),
    )
    expect(asked.at(-1)).toMatchObject({ words: { words: ['zuri', '7'], speaker: 'either' } })
    expect(found.conversations).toHaveLength(2)
    const query = `query_type=transcript&query=a&turn_type=agent&${RANGE}&cursor=${found.cursor}`
    expect(pageSchema.parse(bodyOf(await v3(query)))).toMatchObject({
      conversations: [{ id: 'C2' }],
      cursor: null,
    })
    expect(asked.at(-1)).toMatchObject({ words: { words: ['a'], speaker: 'agent' } })
    const many = Array.from({ length: 33 }, (_, index) => `w${index}`)
    for (const text of ['%21%3F', '%20', many.join('+')]) {
      const refused = v3(`query_type=transcript&query=${text}&${RANGE}`)
      await expect(refused, text).rejects.toMatchObject({ code: 'SCHEMA_VALIDATION_FAILED' })
    }
    await v3(`query_type=transcript&query=${many.slice(1).join('+')}&${RANGE}`)
    expect(listV3.query.safeParse(queryValues(`query=${'x'.repeat(1001)}`)).success).toBe(false)
  })

  test('RC70 a sample is one page of so many records, without a cursor', async () => {
    const { v3, asked } = setUp(9)
    const page = pageSchema.parse(bodyOf(await v3(`sample=random&limit=4&channel=CHAT&${RANGE}`)))
    expect(page).toMatchObject({ conversations: { length: 4 }, cursor: null })
    expect(asked.at(-1)).toMatchObject({ channels: ['CHAT'], startTime: expect.any(Number) })
  })

  test('RC1 a record by id has its function calls; an unknown one is not found', async () => {
    const { one } = setUp(1)
    expect(bodyOf(await one('C0'))).toEqual({
      id: 'C0',
      language: '',
      function_events: [{ name: 'f' }],
      turns: [{ user_input: '' }],
    })
    await expect(one('C9')).rejects.toMatchObject({ code: 'CONVERSATIONS_NOT_FOUND' })
  })
})

describe('concurrency', () => {
  test('CC8 every window between the rounded bounds is listed, zeros too', async () => {
    const { peaks, asked } = setUp()
    expect(bodyOf(await peaks(`${RANGE}&language=en-GB&phone_number=%2B441&deployment_id=d`))).toEqual({
      account_id: 'ws-1',
      project_id: 'PROJECT-1',
      intervals: [
        { time: '2026-03-01T09:50:00.000Z', max_concurrent_conversations: 1 },
        { time: '2026-03-01T09:55:00.000Z', max_concurrent_conversations: 1 },
        { time: '2026-03-01T10:00:00.000Z', max_concurrent_conversations: 1 },
      ],
    })
    expect(asked).toMatchObject([
      { from: NOW - 720_000, to: NOW + 180_000, language: 'en-GB', phoneNumber: '+441', deploymentId: 'd' },
    ])
  })

  test('CC8 sliced by variant, one interval a window and variant, by time, then variant id', async () => {
    const body = bodyOf(await setUp().peaks(`${RANGE}&slice_by=variant`))
    const interval = (minute: string, id: string, name: string, peak: number) => ({
      time: `2026-03-01T${minute}:00.000Z`,
      max_concurrent_conversations: peak,
      variant_id: id,
      variant_name: name,
    })
    expect(body).toMatchObject({
      intervals: [
        interval('09:50', 'a', 'Ay', 0),
        interval('09:50', 'b', 'Bee', 1),
        interval('09:55', 'a', 'Ay', 0),
        interval('09:55', 'b', 'Bee', 1),
        interval('10:00', 'a', 'Ay', 1),
        interval('10:00', 'b', 'Bee', 0),
      ],
    })
  })

  test('CC8 what is more than a week of one series comes in chunks of so much, which are the answer together', async () => {
    const week = 'start_time=2026-02-24T00:02:00Z&end_time=2026-03-03T00:02:00Z'
    const { peaks } = setUp()
    expect(await peaks(week)).toHaveProperty('json')
    const result = await peaks(`${week}&slice_by=variant`)
    const chunks: string[] = []
    if ('chunks' in result) for await (const chunk of result.chunks) chunks.push(String(chunk))
    expect(chunks.map(chunk => chunk.split('"time"').length - 1)).toEqual([0, 2016, 2016, 2, 0])

    const first = Date.UTC(2026, 1, 24)
    const peak = (window: number, from: number, to: number) => Number(from <= window && window <= to)
    const windows = Array.from({ length: 2017 }, (_, index) => first + index * 300_000)
    expect(JSON.parse(chunks.join(''))).toEqual({
      account_id: 'ws-1',
      project_id: 'PROJECT-1',
      intervals: windows.flatMap(window => [
        {
          time: new Date(window).toISOString(),
          max_concurrent_conversations: peak(window, NOW - 120_000, NOW),
          ...{ variant_id: 'a', variant_name: 'Ay' },
        },
        {
          time: new Date(window).toISOString(),
          max_concurrent_conversations: peak(window, NOW - 720_000, NOW - 420_000),
          ...{ variant_id: 'b', variant_name: 'Bee' },
        },
      ]),
    })
  })

  test('CC11 the week limit applies to the times as given', async () => {
    const { peaks } = setUp()
    const week = 'start_time=2026-03-01T00:02:00Z&end_time=2026-03-08T00:02:00'
    const { intervals } = intervalsSchema.parse(bodyOf(await peaks(`${week}Z`)))
    expect(intervals).toHaveLength(2017)
    for (const query of [
      `${week}.001Z`,
      'start_time=2026-03-02&end_time=2026-03-01',
      `${RANGE}&variant_id=a&variant_name=b`,
    ]) {
      await expect(peaks(query), query).rejects.toMatchObject({ code: 'SCHEMA_VALIDATION_FAILED' })
    }
  })

  test('CC11 reserved slices are not implemented, others and missing times refused', async () => {
    for (const slice of ['language', 'phone_number']) {
      await expect(setUp().peaks(`${RANGE}&slice_by=${slice}`)).rejects.toMatchObject({
        code: 'NOT_IMPLEMENTED',
      })
    }
    for (const query of [`${RANGE}&slice_by=agent`, 'start_time=2026-03-01', 'end_time=2026-03-01', '']) {
      expect(concurrency.query.safeParse(queryValues(query)).success, query).toBe(false)
    }
  })
})
