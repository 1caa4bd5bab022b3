import type { FakeEngine } from '@colloquy/test-support/fake-engine'
import { createMessagingBench } from '@colloquy/test-support/messaging-bench'
import { assembled, logged } from '@colloquy/test-support/replies'
import { describe, expect, test } from 'vitest'
import { type ConversationEvent, eventOf } from '../../src/domain/conversation/event.ts'
import { batchEvents, openSocketPair } from '../../src/testing/socket-pair.ts'

const PAGE = 100_000

const sizeOf = (events: readonly ConversationEvent[]): number =>
  events.reduce((sum, event) => sum + JSON.stringify(event).length, 0)

/** Notes what is read of a log. */
function createReader() {
  const pages: { readonly after: number; readonly events: number; readonly bytes: number }[] = []
  const wrap =
    (read: FakeEngine['eventPage']): FakeEngine['eventPage'] =>
    async (id, after, bounds) => {
      const page = await read(id, after, bounds)
      pages.push({ after, events: page.events.length, bytes: sizeOf(page.events.map(eventOf)) })
      return page
    }
  return { pages, wrap, bytes: () => pages.reduce((sum, page) => sum + page.bytes, 0) }
}

async function openBench(limits: { readonly eventsPerBatch?: number } = {}) {
  const reader = createReader()
  const bench = await createMessagingBench({ limits: { replayPageBytes: PAGE, ...limits } }, reader.wrap)
  return { ...bench, reader }
}

/** A few turns of the event loop, in which a replay goes as far as it can. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise<void>(resolve => setImmediate(resolve))
}

const sequencesOf = (pair: { events(): Parameters<typeof logged>[0] }) =>
  logged(pair.events()).map(({ sequence }) => sequence)

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)

describe('a long history', () => {
  test('MS6 is read no further than one page ahead of what the client has taken', async () => {
    const bench = await openBench()
    const { sessionId } = await bench.live()
    for (let count = 0; count < 60; count++)
      bench.engine.append(sessionId, 'AI_AGENT_MESSAGE', { text: 'x'.repeat(30_000) })
    bench.reader.pages.length = 0
    const pair = await bench.connect(sessionId)
    for (let taken = 0, reads = 0; taken < 63; ) {
      await settle()
      const [read, sent] = [bench.reader.bytes(), pair.received.length]
      const had = sizeOf(bench.engine.conversation(sessionId).log.slice(0, taken))
      expect(read - had).toBeLessThanOrEqual(PAGE)
      expect(bench.reader.pages.length).toBeLessThanOrEqual(reads + 1)
      // Without being read, nothing moves.
      await settle()
      expect(bench.reader.bytes()).toBe(read)
      pair.flushToClient()
      reads = bench.reader.pages.length
      expect(pair.received.length).toBe(sent + 1)
      taken = sequencesOf(pair).at(-1) ?? 0
    }
    expect(sequencesOf(pair)).toEqual(upTo(63))
    expect(bench.reader.pages.length).toBeGreaterThan(15)
    await pair.flush()
  })

  test('MS6 of one long event after the other comes one by one', async () => {
    const bench = await openBench()
    const { sessionId } = await bench.live()
    for (let count = 0; count < 5; count++)
      bench.engine.append(sessionId, 'AI_AGENT_MESSAGE', { text: 'x'.repeat(PAGE * 2) })
    bench.reader.pages.length = 0
    const pair = await bench.connect(sessionId)
    await pair.flush()
    expect(bench.reader.pages.slice(1, 6).map(({ events }) => events)).toEqual([1, 1, 1, 1, 1])
    expect(sequencesOf(pair)).toEqual(upTo(8))
  })

  test('MS6 of short events is read so many at a time', async () => {
    const bench = await openBench({ eventsPerBatch: 50 })
    const { sessionId } = await bench.live()
    for (let count = 0; count < 300; count++) bench.engine.append(sessionId, 'AI_AGENT_MESSAGE')
    bench.reader.pages.length = 0
    const pair = await bench.connect(sessionId, '3')
    await pair.flush()
    expect(bench.reader.pages.map(({ after }) => after)).toEqual([3, 53, 103, 153, 203, 253])
    expect(sequencesOf(pair)).toEqual(upTo(303).slice(3))
  })

  test('MS6 is read a hundred events at a time, whole or after a cursor', async () => {
    const bench = await openBench()
    const { sessionId } = await bench.live()
    for (let count = 0; count < 297; count++) bench.engine.append(sessionId, 'AI_AGENT_MESSAGE')
    for (const cursor of [undefined, '3']) {
      bench.reader.pages.length = 0
      const pair = await bench.connect(sessionId, cursor)
      await pair.flush()
      const from = Number(cursor ?? 0)
      expect(bench.reader.pages.map(({ after }) => after)).toEqual([from, from + 100, from + 200])
      expect(sequencesOf(pair)).toEqual(upTo(300).slice(from))
    }
  })

  test('MS6 of many visitors at once is read for one of them in a turn of the event loop', async () => {
    const bench = await openBench()
    const sessions = await Promise.all(Array.from({ length: 20 }, () => bench.live()))
    for (const { sessionId } of sessions)
      for (let count = 0; count < 300; count++) bench.engine.append(sessionId, 'AI_AGENT_MESSAGE')
    bench.reader.pages.length = 0
    let turns = 0
    const most = { pages: 0, last: 0 }
    const watch = (): void => {
      turns++
      most.pages = Math.max(most.pages, bench.reader.pages.length - most.last)
      most.last = bench.reader.pages.length
      if (turns < 200) setImmediate(watch)
    }
    setImmediate(watch)
    const pairs = await Promise.all(sessions.map(({ sessionId }) => bench.connect(sessionId, '3')))
    await Promise.all(pairs.map(pair => pair.flush()))
    for (const pair of pairs) expect(sequencesOf(pair)).toEqual(upTo(303).slice(3))
    expect(bench.reader.pages.length).toBeGreaterThanOrEqual(sessions.length)
    expect(most.pages).toBeLessThanOrEqual(2)
  })

  test('MS6 of a long streamed reply leaves in batches of bounded size, and is whole', async () => {
    const bench = await openBench()
    const { sessionId } = await bench.live({ streaming: true })
    const texts = Array.from({ length: 5_000 }, (_, index) => `${index} `)
    const last = { text: 'end.', chunk_index: texts.length + 1, is_complete: true }
    const rest = { attachments: [], response_suggestions: [] }
    const payload = { message_id: 'm', chunks: texts, ...last, ...rest }
    bench.engine.append(sessionId, 'AI_AGENT_MESSAGE_CHUNK', payload)
    bench.engine.append(sessionId, 'AI_AGENT_MESSAGE', { text: 'One more.' })
    const pair = await bench.connect(sessionId)
    let longest = 0
    for (let frames = 0; sequencesOf(pair).at(-1) !== 5; frames++) {
      await settle()
      expect(pair.pending).toBe(1)
      pair.flushToClient()
      longest = Math.max(longest, JSON.stringify(pair.received[frames]).length)
    }
    expect(longest).toBeLessThan(PAGE + 1_000)
    expect(pair.received.length).toBeGreaterThan(10)
    expect(assembled({ received: pair.events(), frames: pair.received })).toEqual([`${texts.join('')}end.`])
    await pair.flush()
  })

  test('MS6 that grows while it is sent goes on to its new end', async () => {
    const bench = await openBench({ eventsPerBatch: 10 })
    const { sessionId } = await bench.live()
    for (let count = 0; count < 40; count++) bench.engine.append(sessionId, 'AI_AGENT_MESSAGE')
    const pair = await bench.connect(sessionId, '1')
    for (let count = 0; count < 100; count++) {
      bench.engine.append(sessionId, 'AI_AGENT_MESSAGE')
      await settle()
      pair.flushToClient()
    }
    await pair.flush()
    expect(sequencesOf(pair)).toEqual(upTo(143).slice(1))
  })

  test('MS6 that lost notices have kept back comes in pages', async () => {
    const bench = await openBench({ eventsPerBatch: 10 })
    const { sessionId, pair } = await bench.live()
    bench.notices.auto = false
    for (let count = 0; count < 95; count++) bench.engine.append(sessionId, 'AI_AGENT_MESSAGE')
    bench.notices.waiting.length = 0
    bench.reader.pages.length = 0
    await bench.clock.advance(30_000)
    pair.send({ type: 'EVENT_TYPE_HEARTBEAT' })
    await pair.flush()
    await pair.flush()
    expect(sequencesOf(pair)).toEqual(upTo(98))
    expect(bench.reader.pages.map(({ events }) => events)).toEqual([...Array(9).fill(10), 5])
  })

  test('MS6 of an ended session ends with its end', async () => {
    const bench = await openBench({ eventsPerBatch: 10 })
    const { sessionId } = await bench.live()
    const { accessToken } = bench
    const handshake = await bench.messaging.handshake({ sessionId, accessToken, cursor: '1' })
    if ('status' in handshake) throw new Error(handshake.message)
    for (let count = 0; count < 25; count++) bench.engine.append(sessionId, 'AI_AGENT_MESSAGE')
    bench.engine.append(sessionId, 'SESSION_END', { reason: 'REASON_NATURAL_END' })
    const pair = openSocketPair(handshake)
    await pair.flush()
    expect(sequencesOf(pair)).toEqual(upTo(29).slice(1))
    expect(pair.closedBy?.code).toBe(1000)
  })
})

describe('the first batch', () => {
  const begin = async (joinRequests: number) => {
    const bench = await openBench({ eventsPerBatch: 5 })
    const sessionId = await bench.session()
    for (let count = 0; count < joinRequests; count++) bench.engine.append(sessionId, 'REQUEST_AI_AGENT_JOIN')
    bench.engine.append(sessionId, 'AI_AGENT_JOINED')
    for (let count = 0; count < 20; count++) bench.engine.append(sessionId, 'AI_AGENT_MESSAGE')
    const pair = await bench.connect(sessionId)
    await pair.flush()
    const [first] = pair.received.map(event =>
      batchEvents(event).map(({ type }) => type.replace('EVENT_TYPE_', '')),
    )
    return { first: first ?? [], pair }
  }

  test('MS6 of a whole history holds SESSION_START and AI_AGENT_JOINED, whatever came before it joined', async () => {
    const { first, pair } = await begin(100)
    expect([first[0], first.at(-1), first.length]).toEqual(['SESSION_START', 'AI_AGENT_JOINED', 102])
    expect(sequencesOf(pair)).toEqual(upTo(122))
  })

  test('MS6 does not grow beyond a page for it', async () => {
    const { first, pair } = await begin(2_000)
    expect(first).toHaveLength(5)
    expect(sequencesOf(pair)).toEqual(upTo(2_022))
  })
})
