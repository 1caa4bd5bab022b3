import { runs } from '@colloquy/test-support/runs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMemoryStore } from '../../src/memory/index.ts'
import type { ConversationStore, EventPageBounds } from '../../src/ports/store/conversations.ts'
import { aConversation, anAppend, anEvent } from '../../src/testing/index.ts'
import { createLogCache } from '../../src/usecases/room/log-cache.ts'
import { aProcess } from './support.ts'

const ID = 'AS-1'

/** A log over which this process has a cache, and a store that notes what is read of it. */
async function cachedLog() {
  const store = createMemoryStore().conversations
  const created = aConversation(ID, { events: [anEvent({ id: '1' })] })
  await store.create(created)
  const read: EventPageBounds[] = []
  const noted: Pick<ConversationStore, 'eventsBefore'> = {
    eventsBefore: (id, before, bounds) => {
      read.push(bounds)
      return store.eventsBefore(id, before, bounds)
    },
  }
  const { rooms } = aProcess()
  rooms.of(ID).isOurs = true
  rooms.remember(rooms.of(ID))
  const cache = createLogCache(noted, rooms)
  let append = anAppend(created, 0, { events: [] })
  let length = 1
  return {
    cache,
    rooms,
    read,
    length: () => length,
    /** Adds events; `isOwn`: this process does. */
    async add(bytes: readonly number[], isOwn: boolean) {
      const events = bytes.map((size, at) =>
        anEvent({ id: `${length + at + 1}`, payload: { text: 'a'.repeat(size) } }),
      )
      append = anAppend(append, append.expectedVersion + 1, { events })
      expect(await store.append(append)).toEqual({ status: 'appended' })
      const from = length + 1
      length += events.length
      if (isOwn)
        cache.added(
          ID,
          events.map((event, at) => ({ ...event, sequence: from + at })),
        )
    },
  }
}

/** Few events are too long for the cache, or push others out of it. */
const size = fc.oneof(
  { arbitrary: fc.nat(100), weight: 20 },
  { arbitrary: fc.constantFrom(40_000, 140_000), weight: 1 },
)

const step = fc.oneof(
  fc.record({ add: fc.array(size, { minLength: 1, maxLength: 3 }), isOwn: fc.boolean() }),
  fc.record({ back: fc.nat(12), count: fc.integer({ min: 1, max: 8 }) }),
)

test('EN45 events come from the cache as they are in the log, whoever adds to it meanwhile', () =>
  fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30, size: 'max' }), async steps => {
      const { add, cache, length } = await cachedLog()
      const isRead = async (before: number, count: number) => {
        const events = await cache.eventsBefore(ID, before, { count, bytes: 1_000_000 })
        const sequences = events.map(({ sequence }) => sequence)
        expect(sequences).toEqual(sequences.map((_, at) => before - 1 - at))
        expect(events.map(({ id }) => id)).toEqual(sequences.map(String))
        expect(events.length).toBeLessThanOrEqual(count)
        expect(events.length > 0).toBe(before > 1)
      }
      const reads: Promise<void>[] = []
      for (const one of steps) {
        if ('add' in one) await add(one.add, one.isOwn)
        else reads.push(isRead(Math.max(length() + 1 - one.back, 1), one.count))
      }
      await Promise.all(reads)
      for (let before = 1; before <= length() + 1; before++) await isRead(before, 3)
    }),
    { numRuns: runs(100, 1_000) },
  ))

test('EN45 what a process has read or written of a log is not read again', async () => {
  const { add, cache, read } = await cachedLog()
  const bounds = { count: 32, bytes: 262_144 }
  const texts = async (before: number) =>
    (await cache.eventsBefore(ID, before, bounds)).map(({ payload }) => String(payload.value.text).length)
  await add([10, 20], false)
  expect(await texts(4)).toEqual([20, 10, 5])
  await add([30], true)
  expect(await texts(5)).toEqual([30, 20, 10, 5])
  expect(await texts(3)).toEqual([10, 5])
  expect(read).toEqual([bounds])
  await add([40], false)
  expect(await texts(6)).toEqual([40])
  expect(read.slice(1)).toEqual([{ ...bounds, count: 1 }])
  expect(await texts(6)).toEqual([40, 30, 20, 10, 5])
  // Too long for the cache.
  await add([140_000], true)
  expect(await texts(7)).toEqual([140_000, 40, 30, 20, 10, 5])
  expect(read).toHaveLength(3)
})

test('EN45 a conversation that has ended is cached no more, by a read that was under way neither', async () => {
  const { add, cache, rooms } = await cachedLog()
  const bounds = { count: 32, bytes: 262_144 }
  await cache.eventsBefore(ID, 2, bounds)
  expect(rooms.find(ID)?.log?.events).toHaveLength(1)
  const underWay = cache.eventsBefore(ID, 9, bounds)
  rooms.of(ID).isOurs = false
  await add([10], true)
  await underWay
  expect(rooms.find(ID)?.log).toBeNull()
})

test('EN45 the logs of the rooms used longest ago make place for others', async () => {
  const { rooms } = aProcess()
  const bytes = 4_000_000
  const ids = Array.from({ length: 8 }, (_, at) => `c${at}`)
  for (const id of ids) {
    rooms.of(id).isOurs = true
    rooms.remember(rooms.of(id))
    rooms.cacheLog(rooms.of(id), { events: [], bytes })
  }
  const cached = ids.filter(id => rooms.find(id)?.log)
  expect(cached).toEqual(ids.slice(-cached.length))
  expect(cached.length).toBeGreaterThan(2)
  expect(cached.length * bytes).toBeLessThanOrEqual(16_777_216)
  expect(ids.every(id => rooms.find(id)?.isOurs)).toBe(true)
})
