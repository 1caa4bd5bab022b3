import { readPart } from '@colloquy/test-support/event-stream'
import { createMessagingBench } from '@colloquy/test-support/messaging-bench'
import { createNetwork } from '@colloquy/test-support/network'
import { openVisitor } from '@colloquy/test-support/visitor'
import { describe, expect, test } from 'vitest'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform, type Platform } from '../../src/platform.ts'
import { silentLog } from '../../src/ports/log.ts'
import { createFakeClock, createScriptedRuntime } from '../../src/testing/index.ts'
import type { LiveAnswer } from '../../src/usecases/messaging/event-stream.ts'

/** A stream of a bench whose reader takes a piece only when the test says so. */
async function open(bench: Awaited<ReturnType<typeof createMessagingBench>>, sessionId: string) {
  const { accessToken, messaging } = bench
  const stream: LiveAnswer | { status: number } = await messaging.openStream({
    ...{ sessionId, accessToken, cursor: null },
  })
  if ('status' in stream) throw new Error(`The stream was refused: ${stream.status}.`)
  const iterator = stream.chunks[Symbol.asyncIterator]()
  const take = async () => {
    const { done, value } = await iterator.next()
    return done === true ? null : value
  }
  return { cutOff: stream.cutOff, take, leave: async () => void (await iterator.return?.()) }
}

const closeOf = (text: string | null): unknown => {
  const parts = (text ?? '').split('\n\n').map(readPart)
  const data = parts.find(part => part?.name === 'close')?.data
  return data === undefined ? null : JSON.parse(data)
}

/** Takes all that is there, and the replay that follows. */
async function takeReplay(take: () => Promise<string | null>): Promise<string> {
  let text = ''
  while (!text.includes('EVENT_BATCH')) text += await take()
  return text
}

describe('a reader that', () => {
  test('ES5 has nothing to read gets a comment every 15 s', async () => {
    const bench = await createMessagingBench()
    const { leave, take } = await open(bench, await bench.session())
    await takeReplay(take)
    for (let count = 0; count < 3; count++) {
      const next = take()
      await bench.clock.advance(14_999)
      await bench.clock.advance(1)
      expect(await next).toBe(': ping\n\n')
    }
    await leave()
    expect(bench.clock.pending).toBe(0)
  })

  test('ES12 takes nothing of what waits is cut off at the third comment, and its slot is free', async () => {
    const bench = await createMessagingBench()
    const sessionId = await bench.session()
    const streams = await Promise.all(Array.from({ length: 10 }, () => open(bench, sessionId)))
    await expect(open(bench, sessionId)).rejects.toThrow('429')
    await bench.clock.advance(44_999)
    expect(streams.map(({ cutOff }) => cutOff.aborted)).not.toContain(true)
    await bench.clock.advance(1)
    expect(streams.map(({ cutOff }) => cutOff.aborted)).not.toContain(false)
    const { leave } = await open(bench, sessionId)
    await leave()
    await bench.clock.settle()
    expect(bench.clock.pending).toBe(0)
  })

  test('ES12 takes a piece in each interval is never cut off', async () => {
    const bench = await createMessagingBench()
    const sessionId = await bench.session()
    const { cutOff, take } = await open(bench, sessionId)
    await takeReplay(take)
    let next = take()
    await bench.clock.settle()
    for (let count = 0; count < 10; count++) {
      bench.engine.append(sessionId, 'AI_AGENT_MESSAGE', { text: String(count) })
      await bench.clock.advance(14_000)
      expect(await next).toContain(`"text":"${count}"`)
      await bench.clock.advance(30_000)
      // What was written while it took that piece.
      expect(await take()).toBe(': ping\n\n')
      next = take()
    }
    expect(cutOff.aborted).toBe(false)
  })

  test('ES12 and ES10 is a MiB behind is closed with 1013, and cut off 30 s later if it does not read that', async () => {
    for (const reads of [true, false]) {
      const bench = await createMessagingBench()
      const sessionId = await bench.session()
      const { cutOff, take } = await open(bench, sessionId)
      await takeReplay(take)
      const first = take()
      await bench.clock.settle()
      const text = 'x'.repeat(300_000)
      for (let count = 0; count < 6; count++) {
        bench.engine.append(sessionId, 'AI_AGENT_MESSAGE', { text })
        await bench.clock.settle()
      }
      expect(await first).toContain('id: 2')
      if (reads) {
        expect(closeOf(await take())).toEqual({ code: 1013, reason: 'client too slow' })
        expect(await take()).toBeNull()
      } else await bench.clock.advance(30_000)
      expect(cutOff.aborted).toBe(!reads)
      expect(bench.clock.pending).toBe(0)
    }
  })

  test('ES12 and MS6 is slow gets a long history page by page, and costs one page', async () => {
    const bench = await createMessagingBench()
    const sessionId = await bench.session()
    for (let count = 0; count < 40; count++)
      bench.engine.append(sessionId, 'AI_AGENT_MESSAGE', { text: 'x'.repeat(100_000) })
    const { take } = await open(bench, sessionId)
    const ids: number[] = []
    while (ids.at(-1) !== 41) {
      await bench.clock.settle()
      const text = (await take()) ?? ''
      expect(text.length).toBeLessThan(400_000)
      ids.push(...Array.from(text.matchAll(/^id: (\d+)$/gm), ([, id]) => Number(id)))
    }
    expect(ids).toEqual(ids.toSorted((one, other) => one - other))
  })
})

test('ES1 with a comment the log is read for what no notice told', async () => {
  const bench = await createMessagingBench()
  const sessionId = await bench.session()
  const { take } = await open(bench, sessionId)
  await takeReplay(take)
  const next = take()
  await bench.clock.settle()
  bench.notices.auto = false
  bench.engine.append(sessionId, 'AI_AGENT_MESSAGE', { text: 'unheard' })
  await bench.clock.advance(15_000)
  const text = (await next) ?? ''
  expect(text.includes('unheard') ? text : await take()).toContain('unheard')
})

test('ES2 each frame is one line of data, and its id is the newest event that the client has', async () => {
  const bench = await createMessagingBench()
  const sessionId = await bench.session()
  const { take } = await open(bench, sessionId)
  const replay = (await takeReplay(take)).split('\n\n')
  expect(replay[0]).toMatch(/^retry: 2000\nevent: open\ndata: \{"stream":"[0-9a-f-]{36}"\}$/)
  expect(replay[1]).toMatch(/^id: 1\ndata: \{.*\}$/)
  const next = take()
  await bench.clock.settle()
  bench.engine.append(sessionId, 'AI_AGENT_MESSAGE', { text: 'one\ntwo\r\nthree\u2028four' })
  const [said = ''] = ((await next) ?? '').split('\n\n')
  expect(said.split('\n')).toHaveLength(2)
  expect(said).toMatch(/^id: 2\n/)
  expect(JSON.parse(readPart(said)?.data ?? '')).toMatchObject({
    payload: { text: 'one\ntwo\r\nthree\u2028four' },
  })
})

test('ES7 what is for the sender alone reaches its stream in another process, and no other connection', async () => {
  const clock = createFakeClock()
  const network = createNetwork()
  const store = createMemoryStore()
  const runtime = createScriptedRuntime({ greeting: 'Welcome.', otherwise: 'Certainly.' }, clock)
  const start = () =>
    createPlatform({ store, clock, runtime, bus: network.bus(), log: silentLog, rateLimits: null })
  const [here, there] = [start(), start()]
  const other = await openVisitor(here, clock)
  await other.join()
  const { id: sessionId, accessToken } = other
  const opened = await here.messaging.openStream({ sessionId, accessToken, cursor: null })
  if ('status' in opened) throw new Error(opened.message)
  const iterator = opened.chunks[Symbol.asyncIterator]()
  let text = ''
  const read = async (wanted: string): Promise<void> => {
    while (!text.includes(wanted)) text += (await iterator.next()).value
  }
  await read('EVENT_BATCH')
  const stream = /"stream":"([^"]+)"/.exec(text)?.[1] ?? null
  const post = (platform: Platform, ...frames: readonly object[]) =>
    platform.messaging.postEvents({
      ...{ sessionId, accessToken, stream },
      read: async () => frames.map(frame => JSON.stringify(frame)),
    })
  const said = {
    ...{ type: 'EVENT_TYPE_USER_MESSAGE', payload: { text: 'Hello' } },
    metadata: { custom: { client_event_id: 'a' } },
  }
  expect(await post(there, said)).toBeNull()
  await read('"text":"Certainly."')
  text = ''
  expect(
    await post(there, said, { type: 'EVENT_TYPE_NONSENSE' }, { type: 'EVENT_TYPE_HEARTBEAT' }),
  ).toBeNull()
  await read('EVENT_TYPE_HEARTBEAT')
  expect(Array.from(text.matchAll(/"type":"EVENT_TYPE_(\w+)"/g), ([, type]) => type)).toEqual([
    ...['USER_MESSAGE', 'SYSTEM_MESSAGE', 'HEARTBEAT'],
  ])
  await clock.settle()
  expect(other.types().filter(type => type === 'USER_MESSAGE')).toHaveLength(1)
  expect(other.types()).not.toContain('HEARTBEAT')
  expect(other.types()).not.toContain('SYSTEM_MESSAGE')
  await iterator.return?.()
  await Promise.all([here.close(), there.close()])
})
