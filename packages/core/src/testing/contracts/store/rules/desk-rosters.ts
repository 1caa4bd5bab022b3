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
