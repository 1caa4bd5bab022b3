import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform, type Log } from '@colloquy/core'
import type { Store } from '@colloquy/core/store'
import { aConversation, createFakeClock, START } from '@colloquy/core/testing'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startRetention } from '../src/retention.ts'

const DAY = 86_400_000

/** A platform whose log is kept, on that day, over a store with a conversation that finished on each of the given days. */
async function setUp(
  today: number,
  days: readonly number[],
  change: (store: Store) => Store = store => store,
) {
  const clock = createFakeClock(START + today * DAY)
  const lines: unknown[] = []
  const note: Log['info'] = (message, fields) => lines.push([message, fields])
  const log: Log = { debug() {}, info: note, warn: note, error: note }
  const store = createSqliteStore({ filename: ':memory:' })
  for (const day of days) {
    await store.conversations.create(aConversation(`AS-${day}`, { index: { finishedAt: START + day * DAY } }))
  }
  // Nothing else is to happen in the days that pass.
  const never = 1_000 * DAY
  const calm = { wakeInterval: never, queueStatusInterval: never, alerts: { evaluationInterval: never } }
  const runtime = createRetrievalRuntime()
  const platform = createPlatform({ store: change(store), runtime, clock, log, ...calm })
  onTestFinished(() => platform.close())
  const left = async () => {
    const loaded = await Promise.all(days.map(day => store.conversations.load(`AS-${day}`)))
    return days.filter((_, index) => loaded[index] !== null)
  }
  /** Until the log has so many lines. */
  const logged = (count: number) => vi.waitFor(() => expect(lines).toHaveLength(count))
  return { platform, clock, log, lines, left, logged }
}

const removed = (conversations: number) => [
  'Old conversations were removed',
  { conversations, retentionDays: 30 },
]

test('SS2 old conversations are removed at the start, then once a day, and each time one line says how many', async () => {
  const { platform, clock, log, lines, left, logged } = await setUp(31, [0, 1, 2, 4])
  const retention = startRetention(platform, 30, { log, clock })
  await logged(1)
  expect(await left()).toEqual([1, 2, 4])
  await clock.advance(DAY - 1)
  expect(lines).toHaveLength(1)
  await clock.advance(1)
  await logged(2)
  expect(await left()).toEqual([2, 4])
  await clock.advance(DAY)
  await logged(3)
  expect(await left()).toEqual([4])
  await retention.stop()
  // Days on which it would have gone.
  await clock.advance(3 * DAY)
  expect(await left()).toEqual([4])
  expect(lines).toEqual([removed(1), removed(1), removed(1)])
})

test('SS2 an error is logged, and the next day tries again', async () => {
  let broken = true
  const { platform, clock, log, lines, left, logged } = await setUp(31, [0], store => ({
    ...store,
    conversations: {
      ...store.conversations,
      removals: {
        ...store.conversations.removals,
        removeFinished: (...input) =>
          broken
            ? Promise.reject(new Error('disk full'))
            : store.conversations.removals.removeFinished(...input),
      },
    },
  }))
  const retention = startRetention(platform, 30, { log, clock })
  await logged(1)
  expect(lines).toEqual([['Old conversations could not be removed', { error: 'Error: disk full' }]])
  broken = false
  await clock.advance(DAY)
  await logged(2)
  expect(lines[1]).toEqual(removed(1))
  expect(await left()).toEqual([])
  await retention.stop()
})

test('SS2 a server that goes away stops its purge between two batches, and says no error', async () => {
  const days = Array.from({ length: 200 }, (_, day) => day)
  const { platform, clock, log, lines, left } = await setUp(400, days)
  await startRetention(platform, 30, { log, clock }).stop()
  expect(lines).toEqual([])
  expect((await left()).length).toBeGreaterThan(100)
})
