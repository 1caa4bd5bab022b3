import { describe, expect, it } from 'vitest'
import { ACCOUNT, aDeskSeat, START } from '../../../fixtures.ts'
import { openForTest, race, type StoreFactory } from '../tools.ts'

/** Tests of who watches the desks of accounts. */
export function describeDeskSeats(factory: StoreFactory): void {
  const open = async () => (await openForTest(factory)).access.deskSeats

  describe('seats at desks', () => {
    it('a seat is told of until it ends or is removed, to its account alone, what ends first coming first', async () => {
      const seats = await open()
      const [first, second] = [aDeskSeat('S-2', { until: START + 1 }), aDeskSeat('S-1', { until: START + 2 })]
      const other = aDeskSeat('S-3', { accountId: 'ws-other', queues: ['billing'] })
      for (const seat of [second, first, other]) await seats.keep(seat, START)
      expect(await seats.list(ACCOUNT, START, 9)).toEqual([first, second])
      expect(await seats.list(ACCOUNT, START, 1)).toEqual([first])
      expect(await seats.list(ACCOUNT, START + 1, 9)).toEqual([second])
      expect(await seats.list(ACCOUNT, START + 2, 9)).toEqual([])
      expect(await seats.list('ws-other', START, 9)).toEqual([other])
      await seats.remove('S-1')
      await seats.remove('S-1')
      expect(await seats.list(ACCOUNT, START, 9)).toEqual([first])
    })

    it('a seat that is kept again is in the place of the one before, whoever keeps it at the same time', async () => {
      const seats = await open()
      await race(racer => seats.keep(aDeskSeat('S-1', { until: START + 100 + racer }), START))
      const [seat, ...none] = await seats.list(ACCOUNT, START, 9)
      expect(none).toEqual([])
      expect(seat?.until).toBeGreaterThanOrEqual(START + 100)
      await race(racer => seats.keep(aDeskSeat(`T-${racer}`), START))
      const last = aDeskSeat('S-1', { until: START + 500, queues: ['sales'] })
      await seats.keep(last, START)
      expect((await seats.list(ACCOUNT, START, 99)).filter(({ id }) => id === 'S-1')).toEqual([last])
    })

    it('those that have ended go with later writes, 20 at most with each, and no other does', async () => {
      const seats = await open()
      for (let at = 0; at < 25; at++) await seats.keep(aDeskSeat(`S-${at}`, { until: START + 1 }), START)
      const [next, other] = [aDeskSeat('N', { until: START + 9 }), aDeskSeat('O', { until: START + 9 })]
      await seats.keep(next, START + 2)
      expect(await seats.list(ACCOUNT, START, 99)).toHaveLength(6)
      await seats.keep(other, START + 2)
      expect(await seats.list(ACCOUNT, START, 99)).toEqual([next, other])
    })
  })
}
