import { describe, expect, it } from 'vitest'
import { AGENT, anAgent, aTextPair, START } from '../../fixtures.ts'
import {
  count,
  frozen,
  HARD_STRINGS,
  openForTest,
  RACERS,
  race,
  reopenForTest,
  type StoreFactory,
  scribble,
  scribbling,
} from './tools.ts'

/** Rules SC160 to SC165: pairs of numbers. */
export function describeTextPairs(factory: StoreFactory): void {
  const open = async () => (await openForTest(factory)).conversations.textPairs

  describe('pairs of numbers', () => {
    it('SC160 a pair is found by its two numbers, exactly as it was saved', async () => {
      const pairs = await open()
      const pair = aTextPair({
        ...{ optedOut: true, conversationId: 'AS-1' },
        recent: [
          { id: 'SM-1', conversationId: 'AS-1' },
          { id: 'SM-2', conversationId: null },
        ],
      })
      expect(await pairs.find(pair.ours, pair.theirs)).toBeNull()
      expect(await pairs.save(frozen(pair), 0)).toBe('saved')
      expect(await pairs.find(pair.ours, pair.theirs)).toEqual(pair)
      expect(await pairs.find(pair.theirs, pair.ours)).toBeNull()
    })

    it('SC161 a pair is replaced by who knows its version, and by nobody else', async () => {
      const pairs = await open()
      const pair = aTextPair()
      expect(await pairs.save({ ...pair, version: 2 }, 1)).toBe('stale')
      expect(await pairs.save(pair, 0)).toBe('saved')
      expect(await pairs.save({ ...pair, optedOut: true }, 0)).toBe('stale')
      expect(await pairs.save({ ...pair, version: 3 }, 2)).toBe('stale')
      const next = { ...pair, agentId: 'PROJECT-two', optedOut: true, version: 2 }
      expect(await pairs.save(next, 1)).toBe('saved')
      expect(await pairs.find(pair.ours, pair.theirs)).toEqual(next)
    })

    it('SC162 of racers for one version one wins, also for a pair that is not there yet', async () => {
      const pairs = await open()
      for (const version of [1, 2]) {
        const results = await race(racer =>
          pairs.save(aTextPair({ conversationId: `AS-${racer}`, version }), version - 1),
        )
        expect(count(results, 'saved')).toBe(1)
        expect(count(results, 'stale')).toBe(RACERS - 1)
      }
    })

    it('SC163 an agent that is deleted takes its pairs along, and no others', async () => {
      const store = await openForTest(factory)
      const { textPairs: pairs } = store.conversations
      await store.agents.create(anAgent())
      const other = aTextPair({ theirs: '+12025550112', agentId: 'PROJECT-two' })
      await pairs.save(aTextPair(), 0)
      await pairs.save(other, 0)
      expect(await store.agents.delete(AGENT, START)).toBe(true)
      expect(await pairs.find(aTextPair().ours, aTextPair().theirs)).toBeNull()
      expect(await pairs.find(other.ours, other.theirs)).toEqual(other)
    })

    it('SC164 any strings are kept, copied in and out', async () => {
      const pairs = await open()
      for (const text of HARD_STRINGS) {
        const pair = aTextPair({
          ...{ ours: `a${text}`, theirs: text, conversationId: `c${text}` },
          recent: [{ id: text, conversationId: text }],
        })
        await scribbling(pair, copy => pairs.save(copy, 0))
        scribble(await pairs.find(pair.ours, pair.theirs))
        expect(await pairs.find(pair.ours, pair.theirs)).toEqual(pair)
      }
    })

    const { reopen } = factory
    if (reopen !== undefined) {
      it('SC165 pairs are there when the store is opened again', async () => {
        const store = await factory.open()
        await store.conversations.textPairs.save(aTextPair({ optedOut: true }), 0)
        const { textPairs } = (await reopenForTest(reopen, store)).conversations
        expect(await textPairs.find(aTextPair().ours, aTextPair().theirs)).toMatchObject({ optedOut: true })
      })
    }
  })
}
