import { createMemoryStore } from '@colloquy/core/memory'
import type { Store } from '@colloquy/core/store'
import { aConversation, anAppend } from '@colloquy/core/testing'
import { runs } from '@colloquy/test-support/runs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openStore } from './files.ts'

// Slow: each history gets a store of its own, which all migrations make.

const IDS = Array.from({ length: 8 }, (_, index) => `AS-${index}`)

/** Different ones, so that the order in which conversations come is one alone. */
const moment = fc.integer({ min: 1, max: 400 })
const id = fc.nat(IDS.length - 1)
const limit = fc.constantFrom(1, 3, 9)

const step = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({ do: fc.constant('write' as const), id, wakeAt: fc.option(moment, { freq: 8 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('claim' as const), now: moment, limit }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('hasten' as const), after: moment, limit }) },
)

/** Carries a step out, and says what came of it. Moments are made different by the number of the step. */
function take(store: Store, versions: number[], number: number) {
  const { conversations } = store
  const unique = (at: number): number => at * 1_000 + number
  return async (next: typeof step extends fc.Arbitrary<infer Step> ? Step : never): Promise<unknown> => {
    if (next.do === 'claim') {
      const now = next.now * 1_000
      return conversations.timers.claimDue(now, next.limit, now + 2_000 + number, now + 9_000)
    }
    if (next.do === 'hasten')
      return conversations.timers.hasten(next.after * 1_000, next.after * 500 + number, next.limit)
    const version = versions[next.id] ?? 1
    versions[next.id] = version + 1
    const wakeAt = next.wakeAt === null ? null : unique(next.wakeAt)
    return conversations.append(anAppend(aConversation(`AS-${next.id}`), version, { events: [], wakeAt }))
  }
}

describe('moments of waking that are put off', () => {
  it('whatever is written, claimed and brought forward: the same conversations come as from a store in memory', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async steps => {
        const stores = [createMemoryStore(), openStore({ filename: ':memory:' })]
        const outcomes = await Promise.all(
          stores.map(async store => {
            for (const one of IDS) await store.conversations.create(aConversation(one))
            const versions: number[] = []
            const came: unknown[] = []
            for (const [number, next] of steps.entries()) came.push(await take(store, versions, number)(next))
            const rest = await store.conversations.timers.claimDue(1e9, 100, 1e9 + 1)
            return [...came, rest]
          }),
        )
        expect(outcomes[1]).toEqual(outcomes[0])
        for (const store of stores) await store.close()
      }),
      { numRuns: runs(60, 1_000) },
    )
  })

  it('more of them than a write settles are all found when their moment comes', async () => {
    const { conversations } = openStore({ filename: ':memory:' })
    const made = Array.from({ length: 1_100 }, (_, index) => aConversation(`AS-${index}`, { wakeAt: 10 }))
    await Promise.all(made.map(one => conversations.create(one)))
    await Promise.all(made.map(one => conversations.append(anAppend(one, 1, { wakeAt: 20 }))))
    expect(await conversations.timers.claimDue(19, 5_000, 30)).toEqual([])
    expect(await conversations.timers.claimDue(20, 5_000, 30)).toHaveLength(1_100)
    await Promise.all(made.map(one => conversations.append(anAppend(one, 2, { wakeAt: 500 }))))
    expect(await conversations.timers.hasten(499, 40, 5_000)).toBe(1_100)
    expect(await conversations.timers.claimDue(40, 5_000, 50)).toHaveLength(1_100)
  })

  it('a turn that sets the moment of its lease and puts it off again leaves the index alone', async () => {
    const { conversations } = openStore({ filename: ':memory:' })
    const made = aConversation('AS-1', { wakeAt: 1_000 })
    await conversations.create(made)
    let version = 1
    for (let turn = 0; turn < 20; turn++)
      for (const wakeAt of [300 + turn, 1_000 + turn])
        await conversations.append(anAppend(made, version++, { wakeAt }))
    expect(await conversations.timers.claimDue(1_018, 9, 2_000)).toEqual([])
    expect(await conversations.timers.claimDue(1_019, 9, 2_000)).toEqual(['AS-1'])
  })
})
