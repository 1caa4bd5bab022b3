import { describe, expect, test } from 'vitest'
import { createMemoryStore } from '../../src/memory/index.ts'
import type { ConversationStore } from '../../src/ports/store/conversations.ts'
import { ACCOUNT, AGENT, aConversation, anAppend, createFakeClock, START } from '../../src/testing/index.ts'
import { createCountedParts } from '../../src/usecases/records/counted-parts.ts'
import { readConcurrency } from '../../src/usecases/records/read-concurrency.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** A store that counts the ranges that are read of it, and a reader of its figures in the first day. */
function setUp(figures = 1_000) {
  const store = createMemoryStore()
  const clock = createFakeClock()
  let reads = 0
  const conversations: ConversationStore = {
    ...store.conversations,
    intervals: {
      ...store.conversations.intervals,
      async list(filter) {
        reads++
        return store.conversations.intervals.list(filter)
      },
    },
  }
  const counted = createCountedParts(figures)
  const context = { store: { ...store, conversations }, clock, counted }
  const figuresOf = async (sliceBy?: 'variant') => {
    const range = { startTime: START, endTime: START + 24 * HOUR }
    const scope = { accountId: ACCOUNT, agentId: AGENT, environment: 'live' } as const
    const { series } = await readConcurrency(context, { ...scope, ...range, ...(sliceBy && { sliceBy }) })
    return series.map(({ variant, peaks }) => [variant?.id, ...peaks].join(' '))
  }
  return { conversations: store.conversations, clock, figuresOf, reads: () => reads }
}

describe('parts that are over', () => {
  test('CC1 are counted once, by what was asked; those that are not over are counted each time', async () => {
    const { conversations, clock, figuresOf, reads } = setUp()
    await conversations.create(aConversation('AS-1', { startedAt: START + HOUR }))
    await clock.advance(9 * HOUR)
    const first = await figuresOf()
    expect(reads()).toBe(6)
    expect(await figuresOf()).toEqual(first)
    // Of six parts two are over.
    expect(reads()).toBe(10)
    await figuresOf('variant')
    expect(reads()).toBe(16)
    await clock.advance(24 * HOUR)
    await figuresOf()
    await figuresOf()
    expect(reads()).toBe(16 + 4)
  })

  test('CC1 are counted again after a conversation was added, finished earlier than they end, or removed', async () => {
    const { conversations, clock, figuresOf } = setUp()
    // Keeps nothing, since a part has more figures than one.
    const fresh = setUp(1)
    const both = [conversations, fresh.conversations]
    const agree = async () => {
      const found = await figuresOf()
      expect(found).toEqual(await fresh.figuresOf())
      return found.join()
    }
    await clock.advance(48 * HOUR)
    await fresh.clock.advance(48 * HOUR)
    const seen = new Set([await agree()])
    const late = aConversation('AS-late', { startedAt: START + HOUR })
    for (const store of both) await store.create(late)
    seen.add(await agree())
    for (const store of both)
      await store.append(anAppend(late, 1, { index: { finishedAt: START + 2 * HOUR } }))
    seen.add(await agree())
    for (const store of both) await store.create(aConversation('AS-2', { startedAt: START + 90 * MINUTE }))
    seen.add(await agree())
    for (const store of both) await store.removals.remove(ACCOUNT, AGENT, late.conversationId)
    seen.add(await agree())
    expect(seen.size).toBe(5)
  })

  test('CC1 are forgotten, the longest unused first, when there are more figures than may be kept', async () => {
    const { clock, figuresOf, reads } = setUp(100)
    await clock.advance(48 * HOUR)
    await figuresOf()
    await figuresOf()
    // Of six parts the two that were counted last are still known.
    expect(reads()).toBe(6 + 4)
  })
})
