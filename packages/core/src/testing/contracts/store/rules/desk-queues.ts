import { describe, expect, it } from 'vitest'
import { ACCOUNT, aDeskQueue } from '../../../fixtures.ts'
import { openForTest, race, type StoreFactory } from '../tools.ts'

/** Rule SX232: hours of queues. */
export function describeDeskQueues(factory: StoreFactory): void {
  const open = async () => (await openForTest(factory)).access.deskQueues

  describe('hours of queues', () => {
    it('SX232 hours are found by the name of their queue, listed by it to their account alone, and removed', async () => {
      const queues = await open()
      const [sales, billing] = [aDeskQueue('sales'), aDeskQueue('billing', { weekly: [], holidays: [] })]
      const other = aDeskQueue('sales', { accountId: 'ws-other', timeZone: 'UTC' })
      for (const queue of [sales, billing, other]) expect(await queues.save(queue, 0, 9)).toBe('saved')
      expect(await queues.find(ACCOUNT, 'sales')).toEqual(sales)
      expect(await queues.find(ACCOUNT, 'Sales')).toBeNull()
      expect(await queues.list(ACCOUNT)).toEqual([billing, sales])
      expect(await queues.list('ws-other')).toEqual([other])
      expect([await queues.remove(ACCOUNT, 'sales'), await queues.remove(ACCOUNT, 'sales')]).toEqual([
        true,
        false,
      ])
      expect([await queues.list(ACCOUNT), await queues.list('ws-other')]).toEqual([[billing], [other]])
    })

    it('of two who write the hours of a queue one wins, and those of a new one are not written beyond the limit', async () => {
      const queues = await open()
      const first = await race(racer =>
        queues.save(aDeskQueue('a', { holidays: [`200${racer}-01-01`] }), 0, 3),
      )
      expect(first.filter(one => one === 'saved')).toHaveLength(1)
      expect(first.filter(one => one === 'stale')).toHaveLength(first.length - 1)
      const next = await race(racer =>
        queues.save(aDeskQueue('a', { holidays: [`201${racer}-01-01`], version: 2 }), 1, 3),
      )
      expect(next.filter(one => one === 'saved')).toHaveLength(1)
      expect(await queues.save(aDeskQueue('b', { version: 2 }), 1, 3)).toBe('stale')
      const added = await race(racer => queues.save(aDeskQueue(`q-${racer}`), 0, 3))
      expect(added.filter(one => one === 'saved')).toHaveLength(2)
      expect(added.filter(one => one === 'full')).toHaveLength(added.length - 2)
      expect(await queues.save(aDeskQueue('a', { version: 3 }), 2, 3)).toBe('saved')
    })
  })
}
