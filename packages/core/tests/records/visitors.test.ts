import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform, type PlatformOptions } from '../../src/platform.ts'
import {
  ACCOUNT,
  AGENT,
  aConversation,
  anEvent,
  aState,
  aTextPair,
  aTurn,
  type ConversationFixture,
  createFakeClock,
  createMemoryFiles,
  createScriptedRuntime,
  START,
} from '../../src/testing/index.ts'

const PHONE = '+12025550111'
const { record } = aState('AS-1')

/** A visitor with three conversations, two of them finished, a caller with one, and somebody else. */
async function setUp(options: Partial<PlatformOptions> = {}) {
  const clock = createFakeClock()
  const store = createMemoryStore()
  const { conversations } = store
  const runtime = createScriptedRuntime({ greeting: 'Welcome.', messages: {}, otherwise: 'Well.' }, clock)
  const platform = createPlatform({ store, clock, runtime, workers: false, ...options }).as({ name: 'Ada' })
  const vera = { id: 'vera-7', name: 'Vera Visitor' }
  const finished = (id: string, after: number, values: ConversationFixture = {}) =>
    conversations.create(
      aConversation(id, {
        ...{ startedAt: START + after, index: { finishedAt: START + after + 1 } },
        events: [anEvent({ payload: { text: `Said in ${id}` } })],
        turns: [aTurn(`Turn in ${id}`)],
        ...values,
        state: { visitor: vera, endedAt: START + after + 1, ...values.state },
      }),
    )
  await finished('AS-1', 10, {
    state: {
      ...{ integrationAttributes: { plan: 'gold' }, verifiedContext: { customer: 4711 } },
      ...{ variables: { room: 12 }, handoffs: 1 },
      arrival: { page: { url: 'https://hotel.example/rooms', title: 'Rooms' }, device: null },
    },
  })
  await finished('AS-2', 20, { agentId: 'PROJECT-2', environment: 'sandbox' })
  await conversations.create(aConversation('AS-3', { startedAt: START + 30, state: { visitor: vera } }))
  const called = { visitor: null, record: { ...record, fromNumber: PHONE, toNumber: '+12025550100' } }
  await finished('AS-4', 40, { state: called })
  await finished('AS-5', 50, { state: { visitor: { id: 'otto' } } })
  const author = { id: 'ada', name: 'Ada' }
  const about = { conversationId: 'AS-1', accountId: ACCOUNT, at: START }
  await conversations.notes.add({ ...about, id: 'N-1', author, text: 'Knows us' }, 9)
  const summary = { ...about, id: 'AS-1.1', status: 'done', text: 'Wants a room' } as const
  const made = { failure: null, attempts: 1, dueAt: null, version: 1 }
  expect(await conversations.summaries.save({ ...summary, ...made }, 0)).toBe('saved')
  return { platform, store, clock }
}

async function linesOf(lines: AsyncIterable<object>): Promise<readonly Record<string, unknown>[]> {
  const all = []
  for await (const line of lines) all.push(JSON.parse(JSON.stringify(line)))
  return all
}

describe('one visitor', () => {
  test('RC600 what is kept of a visitor is counted, by id or by number', async () => {
    const { platform, store } = await setUp()
    const { visitor } = platform.conversations
    const nobody = { conversations: 0, inProgress: 0, firstAt: null, lastAt: null, textNumbers: 0 }
    expect(await visitor(ACCOUNT, { visitorId: 'vera-7' })).toEqual({
      ...{ conversations: 3, inProgress: 1, textNumbers: 0 },
      ...{ firstAt: START + 10, lastAt: START + 30 },
    })
    await store.conversations.textPairs.save(aTextPair({ theirs: PHONE }), 0)
    expect(await visitor(ACCOUNT, { phoneNumber: PHONE })).toMatchObject({ conversations: 1, textNumbers: 1 })
    expect(await visitor('ws-other', { visitorId: 'vera-7' })).toEqual(nobody)
    expect(await visitor(ACCOUNT, { visitorId: 'vera' })).toEqual(nobody)
  })

  test('RC600 exactly one of id and number names a visitor', async () => {
    const { platform } = await setUp()
    for (const given of [
      {},
      { visitorId: 'a', phoneNumber: 'b' },
      { visitorId: '' },
      { visitorId: undefined },
    ])
      for (const call of ['visitor', 'removeVisitor'] as const)
        await expect(platform.conversations[call](ACCOUNT, given as object)).rejects.toMatchObject({
          code: 'SCHEMA_VALIDATION_FAILED',
        })
    const lines = platform.conversations.exportVisitor(ACCOUNT, {})
    await expect(linesOf(lines)).rejects.toThrow(/one of visitorId and phoneNumber/)
    expect(await platform.conversations.visitor(ACCOUNT, { visitorId: 'vera-7' })).toMatchObject({
      conversations: 3,
    })
  })

  test('RC601 an export has conversations, messages, turns, notes and recordings, of every agent, and an end', async () => {
    const opened: string[] = []
    const { platform } = await setUp({
      recordings: {
        async open({ conversationId }) {
          opened.push(conversationId)
          return conversationId === 'AS-1' ? (async function* () {})() : null
        },
      },
    })
    const lines = await linesOf(platform.conversations.exportVisitor(ACCOUNT, { visitorId: 'vera-7' }))
    const told = lines.map(({ type, conversation_id: id, text, turn }) => [
      ...[type, id, text, Reflect.get(Object(turn), 'user_input')].filter(value => value !== undefined),
    ])
    expect(told).toEqual([
      ['visitor'],
      ['conversation', 'AS-3'],
      ['conversation', 'AS-2'],
      ['message', 'AS-2', 'Said in AS-2'],
      ['turn', 'AS-2', 'Turn in AS-2'],
      ['conversation', 'AS-1'],
      ['message', 'AS-1', 'Said in AS-1'],
      ['turn', 'AS-1', 'Turn in AS-1'],
      ['note', 'AS-1', 'Knows us'],
      ['summary', 'AS-1', 'Wants a room'],
      ['recording', 'AS-1'],
      ['end'],
    ])
    expect(lines[0]).toMatchObject({ account_id: ACCOUNT, visitor_id: 'vera-7' })
    expect(lines[5]).toMatchObject({
      ...{ project_id: AGENT, visitor: { id: 'vera-7', name: 'Vera Visitor' }, state: { room: 12 } },
      page: { url: 'https://hotel.example/rooms' },
      ...{ integration_attributes: { plan: 'gold' }, verified_context: { customer: 4711 } },
    })
    expect(lines.at(-1)).toEqual({ type: 'end', conversations: 3 })
    expect(opened).toEqual(['AS-3', 'AS-2', 'AS-1'])
    // The log says who took the data along, and not whose they are.
    const { entries } = await platform.audit.list({ action: 'visitor.exported' })
    expect(entries).toMatchObject([
      { accountId: ACCOUNT, actor: { name: 'Ada' }, details: { by: 'visitor_id' } },
    ])
    expect(JSON.stringify(entries)).not.toContain('vera-7')
  })

  test('RC601 an export has the bytes of files, whatever chunks they come in, with a hash over them', async () => {
    const files = createMemoryFiles()
    const { platform, store } = await setUp({ files })
    const sizes = { small: 3, whole: 196_608, long: 500_001, gone: 9 }
    const contents = new Map<string, Uint8Array>()
    const sent = Object.entries(sizes).map(([id, size], seed) => {
      const content = Uint8Array.from({ length: size }, (_, at) => (at * 31 + seed * 7 + (at >> 8)) % 256)
      contents.set(id, content)
      return { file_id: id, name: `${id}.png`, content_type: 'image/png' as const, size }
    })
    const { signal } = new AbortController()
    for (const { file_id: id, content_type: type } of sent)
      if (id !== 'gone') await files.put({ id, type, content: contents.get(id) ?? new Uint8Array(), signal })
    await store.conversations.create(
      aConversation('AS-6', {
        state: { visitor: { id: 'fritz' } },
        events: [sent.slice(0, 3), sent].map(each =>
          anEvent({ payload: { message_id: 'm', text: 'Look', files: each } }),
        ),
      }),
    )
    const lines = await linesOf(platform.conversations.exportVisitor(ACCOUNT, { visitorId: 'fritz' }))
    // A file that several messages name is there once.
    expect(lines.filter(({ type }) => type === 'file').map(({ file_id: id }) => id)).toEqual(
      Object.keys(sizes),
    )
    for (const { file_id: id } of sent) {
      const ofIt = lines.filter(line => line.file_id === id)
      const parts = ofIt.filter(({ type }) => type === 'file_bytes')
      const file = ofIt.find(({ type }) => type === 'file')
      const content = id === 'gone' ? new Uint8Array() : (contents.get(id) ?? new Uint8Array())
      expect(parts.every(({ data }) => String(data).length <= 262_144)).toBe(true)
      expect(parts.map(({ offset }) => offset)).toEqual(parts.map((_, at) => at * 196_608))
      expect(Buffer.from(parts.map(({ data }) => data).join(''), 'base64').equals(content)).toBe(true)
      const sha256 = id === 'gone' ? null : createHash('sha256').update(content).digest('hex')
      expect(file).toMatchObject({
        conversation_id: 'AS-6',
        name: `${id}.png`,
        size: sizes[id as 'gone'],
        sha256,
      })
    }
    expect(lines.at(-1)).toEqual({ type: 'end', conversations: 1 })
    // An export without the bytes that are there is no export.
    files.fault('fails')
    const failing = linesOf(platform.conversations.exportVisitor(ACCOUNT, { visitorId: 'fritz' }))
    await expect(failing).rejects.toMatchObject({ code: 'FILES_FAILED' })
  })

  test('RC601 a long conversation is exported whole, in slices', async () => {
    const { platform, store } = await setUp({ limits: { sliceBytes: 65_536 } })
    const events = Array.from({ length: 1_200 }, (_, at) =>
      anEvent({ id: `E-${at}`, payload: { text: `Word ${at}` } }),
    )
    const turns = Array.from({ length: 400 }, (_, at) => aTurn(`${'long '.repeat(200)}${at}`))
    const state = { visitor: { id: 'long' } }
    await store.conversations.create(aConversation('AS-9', { events, turns, state }))
    const lines = await linesOf(platform.conversations.exportVisitor(ACCOUNT, { visitorId: 'long' }))
    const messages = lines.filter(({ type }) => type === 'message').map(({ text }) => text)
    expect(messages).toEqual(events.map(({ payload }) => payload.text))
    const numbers = lines.filter(({ type }) => type === 'turn').map(({ number }) => number)
    expect(numbers).toEqual(Array.from({ length: 400 }, (_, at) => at + 1))
  })

  test('RC602 a removal takes the finished conversations of every agent, and says how many are in progress', async () => {
    const { platform, store } = await setUp()
    const vera = { visitorId: 'vera-7' }
    expect(await platform.conversations.removeVisitor(ACCOUNT, vera)).toEqual({
      ...{ conversations: 2, inProgress: 1 },
    })
    const left = await Promise.all(
      [1, 2, 3, 4, 5].map(async at => (await store.conversations.load(`AS-${at}`)) !== null),
    )
    expect(left).toEqual([false, false, true, true, true])
    expect(await store.conversations.notes.list('AS-1', 0, 9)).toEqual([])
    expect(await store.conversations.summaries.find('AS-1.1')).toBeNull()
    const { entries } = await platform.audit.list({})
    expect(entries.map(({ action, details }) => [action, details])).toEqual([
      ['visitor.purge_ended', { by: 'visitor_id', removed: 2, complete: true }],
      ['visitor.purge_started', { by: 'visitor_id' }],
    ])
    expect(JSON.stringify(entries)).not.toContain('vera-7')
    expect(await platform.conversations.removeVisitor('ws-other', vera)).toMatchObject({ conversations: 0 })
  })

  test('RC602 a removal is stopped by its signal, and continues when called again', async () => {
    const { platform, store } = await setUp()
    for (let at = 10; at < 260; at++)
      await store.conversations.create(
        aConversation(`AS-${at}`, {
          ...{ startedAt: START + at, index: { finishedAt: START + at } },
          state: { visitor: { id: 'many' } },
        }),
      )
    const stop = new AbortController()
    stop.abort(new Error('Stopped.'))
    const call = (given: object) =>
      platform.conversations.removeVisitor(ACCOUNT, { visitorId: 'many', ...given })
    await expect(call({ signal: stop.signal })).rejects.toThrow('Stopped.')
    expect(await call({})).toEqual({ conversations: 250, inProgress: 0 })
    expect(await call({})).toEqual({ conversations: 0, inProgress: 0 })
  })

  test('RC603 the number of a visitor goes, but for the wish to get no texts', async () => {
    const { platform, store } = await setUp()
    const { textPairs } = store.conversations
    const recent = [{ id: 'SM-1', conversationId: 'AS-4' }]
    for (let at = 100; at < 220; at++)
      await textPairs.save(aTextPair({ ours: `+12025550${at}`, theirs: PHONE, recent }), 0)
    const out = aTextPair({ ours: '+12025550999', theirs: PHONE, optedOut: true, recent })
    await textPairs.save({ ...out, conversationId: 'AS-4' }, 0)
    const others = aTextPair({ theirs: '+12025550112' })
    await textPairs.save(others, 0)
    const phone = { phoneNumber: PHONE }
    expect(await platform.conversations.removeVisitor(ACCOUNT, phone)).toEqual({
      ...{ conversations: 1, inProgress: 0 },
    })
    expect(await textPairs.find('+12025550100', PHONE)).toBeNull()
    expect(await textPairs.find('+12025550219', PHONE)).toBeNull()
    expect(await textPairs.find(out.ours, PHONE)).toMatchObject({
      ...{ optedOut: true, recent: [], conversationId: null },
    })
    expect(await textPairs.find(others.ours, others.theirs)).toEqual(others)
    const lines = await linesOf(platform.conversations.exportVisitor(ACCOUNT, phone))
    expect(lines.map(({ type }) => type)).toEqual(['visitor', 'text_numbers', 'end'])
    expect(lines[1]).toMatchObject({ theirs: PHONE, opted_out: true })
  })
})
