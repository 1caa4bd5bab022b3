import { describe, expect, it } from 'vitest'
import { aConversation, anAppend } from '../../conversation-fixtures.ts'
import { FAR, wakesAt } from './stored.ts'
import { openForTest, RACERS, race, type StoreFactory } from './tools.ts'

/** Rules SC30 to SC39, SC230 and SC232: waking conversations. */
export function describeTimers(factory: StoreFactory): void {
  /** A store with one conversation for each moment, called `AS-<moment>`. */
  const open = async (...moments: readonly (number | null)[]) => {
    const { conversations } = await openForTest(factory)
    for (const wakeAt of moments) await conversations.create(aConversation(`AS-${wakeAt}`, { wakeAt }))
    return conversations
  }

  describe('timers', () => {
    it('SC30 the earliest of all is due first; nothing is where nothing is to be woken', async () => {
      const conversations = await open(null)
      expect(await wakesAt(conversations, null)).toBe(true)
      expect(await conversations.timers.claimDue(FAR, 10, FAR)).toEqual([])
      for (const wakeAt of [FAR, 500, 90, 1_000]) {
        await conversations.create(aConversation(`AS-${wakeAt}`, { wakeAt }))
      }
      expect(await wakesAt(conversations, 90)).toBe(true)
      await conversations.create(aConversation('AS-0', { wakeAt: 0 }))
      expect(await wakesAt(conversations, 0)).toBe(true)
    })

    it('SC31 what is due is claimed earliest first: not after now, the very moment included', async () => {
      const conversations = await open(1_000, null, 900, 1_001, 90, FAR)
      expect(await conversations.timers.claimDue(89, 10, 5_000)).toEqual([])
      expect(await conversations.timers.claimDue(1_000, 10, 5_000)).toEqual(['AS-90', 'AS-900', 'AS-1000'])
    })

    it('SC32 at most the limit is claimed, and the rest stays due', async () => {
      const conversations = await open(300, 100, 200)
      expect(await conversations.timers.claimDue(1_000, 0, 5_000)).toEqual([])
      expect(await conversations.timers.claimDue(1_000, 2, 5_000)).toEqual(['AS-100', 'AS-200'])
      expect(await conversations.timers.claimDue(1_000, 2, 5_000)).toEqual(['AS-300'])
      expect(await conversations.timers.claimDue(1_000, 2, 5_000)).toEqual([])
    })

    it('SC33 what was claimed is due again at the moment that the claim ends', async () => {
      const conversations = await open(100)
      await conversations.timers.claimDue(100, 10, 5_000)
      expect(await wakesAt(conversations, 5_000)).toBe(true)
      expect(await conversations.timers.claimDue(4_999, 10, 9_000)).toEqual([])
      expect(await conversations.timers.claimDue(5_000, 10, 9_000)).toEqual(['AS-100'])
    })

    it('SC34 of racing claims each conversation goes to exactly one', async () => {
      const moments = Array.from({ length: 40 }, (_, index) => index)
      const conversations = await open(...moments)
      const claims = await race(() => conversations.timers.claimDue(1_000, 7, 5_000))
      expect(claims.flat().sort()).toEqual(moments.map(wakeAt => `AS-${wakeAt}`).sort())
      expect(claims.filter(claim => claim.length > 7)).toEqual([])
      expect(claims).toHaveLength(RACERS)
    })

    it('SC35 a write replaces the moment, also one that a claim has set', async () => {
      const conversations = await open(100)
      const created = aConversation('AS-100', { wakeAt: 100 })
      await conversations.timers.claimDue(100, 10, 5_000)
      await conversations.append(anAppend(created, 1, { wakeAt: 300 }))
      expect(await wakesAt(conversations, 300)).toBe(true)
      expect(await conversations.timers.claimDue(299, 10, 5_000)).toEqual([])
      expect(await conversations.timers.claimDue(300, 10, 5_000)).toEqual(['AS-100'])
      await conversations.append(anAppend(created, 2, { wakeAt: null }))
      expect(await wakesAt(conversations, null)).toBe(true)
      expect(await conversations.timers.claimDue(FAR, 10, FAR)).toEqual([])
    })

    it('SC52 what lies after a moment is brought forward, the latest first and at most the limit; the rest stays', async () => {
      const conversations = await open(100, 900, null, 1_000, FAR, 1_001)
      expect(await conversations.timers.hasten(FAR, 50, 10)).toBe(0)
      expect(await conversations.timers.hasten(900, 50, 2)).toBe(2)
      expect([...(await conversations.timers.claimDue(50, 10, 50))].sort()).toEqual(['AS-1001', `AS-${FAR}`])
      expect(await conversations.timers.hasten(900, 60, 2)).toBe(1)
      expect(await conversations.timers.hasten(900, 60, 2)).toBe(0)
      expect((await conversations.timers.claimDue(100, 10, 5_000)).slice(-2)).toEqual(['AS-1000', 'AS-100'])
      expect(await conversations.timers.claimDue(900, 10, 5_000)).toEqual(['AS-900'])
    })

    it('SC232 the moment from which on timers are brought forward may lie between two milliseconds', async () => {
      const conversations = await open(1_000, 1_001, 1_002)
      expect(await conversations.timers.hasten(1_000.5, 50, 10)).toBe(2)
      expect([...(await conversations.timers.claimDue(50, 10, 5_000))].sort()).toEqual(['AS-1001', 'AS-1002'])
      expect(await conversations.timers.hasten(999.5, 50, 10)).toBe(3)
    })

    it('SC230 tells when the next one is due: of one that was put off, at the latest once it was looked at', async () => {
      const conversations = await open(null)
      const { timers } = conversations
      expect(await timers.nextDue()).toBeNull()
      const created = aConversation('AS-300', { wakeAt: 300 })
      for (const one of [aConversation('AS-500', { wakeAt: 500 }), created]) await conversations.create(one)
      expect(await timers.nextDue()).toBe(300)
      await conversations.append(anAppend(created, 1, { wakeAt: 900 }))
      expect([300, 500]).toContain(await timers.nextDue())
      expect(await timers.claimDue(300, 10, 5_000)).toEqual([])
      expect(await timers.nextDue()).toBe(500)
      await timers.claimDue(500, 10, 5_000)
      expect(await timers.nextDue()).toBe(900)
      await conversations.append(anAppend(created, 2, { wakeAt: 50 }))
      expect(await timers.nextDue()).toBe(50)
      await conversations.append(anAppend(created, 3, { wakeAt: null }))
      expect(await timers.claimDue(60, 10, 5_000)).toEqual([])
      expect(await timers.nextDue()).toBe(5_000)
    })

    it('SC36 a claim is no write: the version stays, and so does everything else', async () => {
      const conversations = await open(100)
      const id = 'AS-100'
      const before = await conversations.load(id)
      await conversations.timers.claimDue(100, 10, 5_000)
      expect(await conversations.load(id)).toEqual(before)
      const append = anAppend(aConversation(id, { wakeAt: 100 }), 1)
      expect(await conversations.append(append)).toEqual({ status: 'appended' })
    })

    it('SC37 conversations due at the same moment are all claimed, each once', async () => {
      const { conversations } = await openForTest(factory)
      const ids = Array.from({ length: 12 }, (_, index) => `AS-${index}`)
      for (const id of ids) await conversations.create(aConversation(id, { wakeAt: 100 }))
      const claimed = [
        ...(await conversations.timers.claimDue(100, 5, 200)),
        ...(await conversations.timers.claimDue(100, 5, 200)),
        ...(await conversations.timers.claimDue(100, 5, 200)),
      ]
      expect(claimed).toHaveLength(ids.length)
      expect([...claimed].sort()).toEqual([...ids].sort())
    })

    it('SC38 a stale append leaves the moment as it is', async () => {
      const conversations = await open(100)
      await conversations.append(anAppend(aConversation('AS-100'), 9, { wakeAt: 50 }))
      expect(await wakesAt(conversations, 100)).toBe(true)
    })

    it('SC39 what is claimed again without a write in between is left twice as long each time, up to the longest', async () => {
      const conversations = await open(100)
      const created = aConversation('AS-100', { wakeAt: 100 })
      const expectPauses = async (...pauses: readonly number[]) => {
        let now = 100
        for (const pause of pauses) {
          expect(await conversations.timers.claimDue(now, 10, now + 50, 700)).toEqual(['AS-100'])
          now += pause
          expect(await conversations.timers.claimDue(now - 1, 10, now + 50, 700)).toEqual([])
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
