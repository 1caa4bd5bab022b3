import { describe, expect, it } from 'vitest'
import { aConversation, anAppend } from '../../../conversation-fixtures.ts'
import { FAR, wakesAt } from '../stored.ts'
import { openForTest, race, type StoreFactory } from '../tools.ts'

/** Tests of waking conversations (SC30 and TM4). */
export function describeTimers(factory: StoreFactory): void {
  /** Returns a store with one conversation for each moment, called `AS-<moment>`. */
  const open = async (...moments: readonly (number | null)[]) => {
    const { conversations } = await openForTest(factory)
    for (const wakeAt of moments) await conversations.create(aConversation(`AS-${wakeAt}`, { wakeAt }))
    return { conversations, timers: conversations.timers }
  }

  describe('timers', () => {
    it('SC30 what is due is claimed earliest first, at most the limit, and again when the claim ends', async () => {
      const { timers } = await open(1_000, null, 900, 1_001, 90, FAR)
      const claims = [await timers.claimDue(89, 10, 5_000), await timers.claimDue(1_000, 0, 5_000)]
      expect(claims).toEqual([[], []])
      expect(await timers.claimDue(1_000, 2, 5_000)).toEqual(['AS-90', 'AS-900'])
      expect(await timers.claimDue(1_000, 2, 5_000)).toEqual(['AS-1000'])
      expect(await timers.claimDue(1_000, 2, 5_000)).toEqual([])
      expect(await timers.claimDue(4_999, 10, 9_000)).toEqual(['AS-1001'])
      expect((await timers.claimDue(5_000, 10, 9_000)).toSorted()).toEqual(['AS-1000', 'AS-90', 'AS-900'])
      expect(await (await open(null)).timers.claimDue(FAR, 10, FAR)).toEqual([])
    })

    it('SC30 of racing claims each conversation goes to exactly one, also of those due at the same moment', async () => {
      const { conversations, timers } = await open(...Array.from({ length: 20 }, (_, index) => index))
      for (let nth = 0; nth < 20; nth++)
        await conversations.create(aConversation(`same ${nth}`, { wakeAt: 100 }))
      const claims = await race(() => timers.claimDue(1_000, 7, 5_000))
      expect(new Set(claims.flat()).size).toBe(40)
      expect(claims.flat()).toHaveLength(40)
      expect(claims.filter(claim => claim.length > 7)).toEqual([])
    })

    it('SC30 a claim is no write, and a write replaces the moment, unless it is stale', async () => {
      const { conversations, timers } = await open(100)
      const created = aConversation('AS-100', { wakeAt: 100 })
      const before = await conversations.load('AS-100')
      await conversations.append(anAppend(created, 9, { wakeAt: 50 }))
      expect(await wakesAt(conversations, 100)).toBe(true)
      await timers.claimDue(100, 10, 5_000)
      expect(await conversations.load('AS-100')).toEqual(before)
      expect(await conversations.append(anAppend(created, 1, { wakeAt: 300 }))).toEqual({
        status: 'appended',
      })
      expect(await timers.claimDue(299, 10, 5_000)).toEqual([])
      expect(await timers.claimDue(300, 10, 5_000)).toEqual(['AS-100'])
      await conversations.append(anAppend(created, 2, { wakeAt: null }))
      expect(await timers.claimDue(FAR, 10, FAR)).toEqual([])
    })

    it('TM4 what lies after a moment, also between two milliseconds, is brought forward, the latest first and at most the limit; the rest stays', async () => {
      const { timers } = await open(100, 900, null, 1_000, FAR, 1_001)
      expect(await timers.hasten(FAR, 50, 10)).toBe(0)
      expect(await timers.hasten(900, 50, 2)).toBe(2)
      expect((await timers.claimDue(50, 10, 50)).toSorted()).toEqual(['AS-1001', `AS-${FAR}`])
      expect([await timers.hasten(900, 60, 2), await timers.hasten(900, 60, 2)]).toEqual([1, 0])
      expect((await timers.claimDue(100, 10, 5_000)).slice(-2)).toEqual(['AS-1000', 'AS-100'])
      expect(await timers.claimDue(900, 10, 900)).toEqual(['AS-900'])
      const between = (await open(1_000, 1_001, 1_002)).timers
      expect(await between.hasten(1_000.5, 50, 10)).toBe(2)
      expect((await between.claimDue(50, 10, 5_000)).toSorted()).toEqual(['AS-1001', 'AS-1002'])
      expect(await between.hasten(999.5, 50, 10)).toBe(3)
    })

    it('SC30 tells when the next one is due: of one that was put off, at the latest once it was looked at', async () => {
      const { conversations, timers } = await open(null)
      expect(await timers.nextDue()).toBeNull()
      const created = aConversation('AS-300', { wakeAt: 300 })
      for (const one of [aConversation('AS-500', { wakeAt: 500 }), created]) await conversations.create(one)
      expect(await timers.nextDue()).toBe(300)
      await conversations.append(anAppend(created, 1, { wakeAt: 900 }))
      expect([300, 500]).toContain(await timers.nextDue())
      expect([await timers.claimDue(300, 10, 5_000), await timers.nextDue()]).toEqual([[], 500])
      await timers.claimDue(500, 10, 5_000)
      expect(await timers.nextDue()).toBe(900)
      await conversations.append(anAppend(created, 2, { wakeAt: 50 }))
      expect(await timers.nextDue()).toBe(50)
      await conversations.append(anAppend(created, 3, { wakeAt: null }))
      expect([await timers.claimDue(60, 10, 5_000), await timers.nextDue()]).toEqual([[], 5_000])
    })

    it('what is claimed again without a write in between is left twice as long each time, up to the longest', async () => {
      const { conversations, timers } = await open(100)
      const created = aConversation('AS-100', { wakeAt: 100 })
      const expectPauses = async (...pauses: readonly number[]) => {
        let now = 100
        for (const pause of pauses) {
          expect(await timers.claimDue(now, 10, now + 50, 700)).toEqual(['AS-100'])
          now += pause
          expect(await timers.claimDue(now - 1, 10, now + 50, 700)).toEqual([])
        }
      }
      await expectPauses(50, 100, 200, 400, 700, 700)
      await conversations.append(anAppend(created, 1, { wakeAt: 100 }))
      await expectPauses(50, 100, 200)
      await conversations.append(anAppend(created, 2, { wakeAt: 90 }))
      await expectPauses(50, 100)
    })
  })
}
