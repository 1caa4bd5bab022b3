import { expect, test } from 'vitest'
import { guardStore } from '../../src/guarded/store.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import type { Store } from '../../src/ports/store/store.ts'
import { aConversation, anEvent } from '../../src/testing/index.ts'

const LIVE = { accountId: 'ws-1', agentId: 'PROJECT-1', environment: 'live' } as const
const RANGE = { ...LIVE, from: 0, to: 100 }

/** How many turns others have had while a call was made 20 times, one after the other. */
async function turnsOfOthers(call: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let over = false
  const tick = (): void => {
    turns++
    if (!over) setImmediate(tick)
  }
  setImmediate(tick)
  for (let step = 0; step < 20; step++) await call()
  over = true
  return turns
}

/** A store that answers at once, whatever it is asked. */
async function open(): Promise<Store> {
  const store = createMemoryStore()
  const events = [anEvent(), anEvent(), anEvent()]
  await store.conversations.create(aConversation('AS-1', { events }))
  return store
}

const page = ({ conversations }: Store, count: number) =>
  conversations.eventPage('AS-1', 0, { count, bytes: 1_000_000 })

test.each<[string, (store: Store) => Promise<unknown>]>([
  ['pages of a log', store => page(store, 2)],
  ['the intervals of a range', ({ conversations }) => conversations.intervals.list(RANGE)],
  ['steps of a removal', ({ conversations }) => conversations.removals.removeFinished(LIVE, 0, 1)],
  ['vectors to compare', ({ conversations }) => conversations.turnVectors.next('model@1', LIVE, null, 1)],
])('EM12 others have their turn between %s, also over a store that answers at once', async (_, call) => {
  const store = await open()
  expect(await turnsOfOthers(() => call(store))).toBeLessThan(5)
  const guarded = guardStore(store)
  expect(await turnsOfOthers(() => call(guarded))).toBeGreaterThan(10)
})

test('EM12 the last page of a log is there at once', async () => {
  const guarded = guardStore(await open())
  expect(await turnsOfOthers(() => page(guarded, 10))).toBeLessThan(5)
})
