import { describe, expect, it } from 'vitest'
import { ACCOUNT, aDeskRoster, START } from '../../../fixtures.ts'
import { openForTest, race, type StoreFactory } from '../tools.ts'

/** Tests of the rosters of desks. */
export function describeDeskRosters(factory: StoreFactory): void {
  const open = async () => (await openForTest(factory)).access.deskRosters

  describe('rosters of desks', () => {
    it('a roster is found by its account alone, and a later one replaces it', async () => {
      const rosters = await open()
      const [roster, other] = [aDeskRoster(), aDeskRoster({ accountId: 'ws-other', away: [] })]
      expect(await rosters.find(ACCOUNT)).toBeNull()
      for (const one of [roster, other]) expect(await rosters.save(one, 0)).toBe(true)
      expect([await rosters.find(ACCOUNT), await rosters.find('ws-other')]).toEqual([roster, other])
      const next = aDeskRoster({ away: [{ liveAgentId: 'é "x"', since: START + 9 }], version: 2 })
      expect(await rosters.save(next, 1)).toBe(true)
      expect(await rosters.find(ACCOUNT)).toEqual(next)
    })

    it('rosters with offers come by the end of their next one, and no other does', async () => {
      const rosters = await open()
      const until = (accountId: string, ...ends: readonly number[]) => {
        const offers = ends.map((end, at) => ({
          ...{ handoffId: `h${at}`, liveAgent: { id: `${at}`, name: 'Ada' }, until: START + end },
        }))
        return rosters.save(aDeskRoster({ accountId, offers }), 0)
      }
      await until('ws-1', 50, 30)
      await until('ws-2', 20)
      await until('ws-3')
      await until('ws-4', 40)
      const accounts = async (limit: number) =>
        (await rosters.withOffers(limit)).map(({ accountId }) => accountId)
      expect([await accounts(9), await accounts(2)]).toEqual([
        ['ws-2', 'ws-1', 'ws-4'],
        ['ws-2', 'ws-1'],
      ])
      await rosters.save(aDeskRoster({ accountId: 'ws-2', version: 2 }), 1)
      expect(await accounts(9)).toEqual(['ws-1', 'ws-4'])
    })

    it('of many who write a roster at once one wins', async () => {
      const rosters = await open()
      const write = (since: number, version: number) =>
        rosters.save(aDeskRoster({ away: [{ liveAgentId: 'ada', since }], version }), version - 1)
      for (const version of [1, 2]) {
        const written = await race(racer => write(START + racer, version))
        expect(written.filter(Boolean)).toHaveLength(1)
      }
      expect(await write(START, 1)).toBe(false)
      expect(await write(START, 9)).toBe(false)
    })
  })
}
