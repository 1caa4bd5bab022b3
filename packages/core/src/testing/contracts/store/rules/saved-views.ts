import { describe, expect, it } from 'vitest'
import { ACCOUNT, aSavedView } from '../../../fixtures.ts'
import { openForTest, race, type StoreFactory } from '../tools.ts'

/** Rule SX232: saved views. */
export function describeSavedViews(factory: StoreFactory): void {
  const open = async () => (await openForTest(factory)).access.savedViews

  describe('saved views', () => {
    it('SX232 a view is found by its name in any case, listed by it to its account alone, and removed', async () => {
      const views = await open()
      const [open_, bad] = [aSavedView('Open'), aSavedView('bad ratings', { filters: { show: 'rated' } })]
      const other = aSavedView('Open', { accountId: 'ws-other', filters: {} })
      for (const view of [open_, bad, other]) expect(await views.save(view, 0, 9)).toBe('saved')
      expect(await views.save(aSavedView('OPEN'), 0, 9)).toBe('stale')
      expect([await views.find(ACCOUNT, 'oPEN'), await views.find(ACCOUNT, 'Ope')]).toEqual([open_, null])
      expect([await views.list(ACCOUNT), await views.list('ws-other')]).toEqual([[bad, open_], [other]])
      const renamed = aSavedView('OPEN', { filters: { state: 'ended' }, version: 2 })
      expect(await views.save(renamed, 1, 9)).toBe('saved')
      expect(await views.list(ACCOUNT)).toEqual([bad, renamed])
      expect([await views.remove(ACCOUNT, 'open'), await views.remove(ACCOUNT, 'open')]).toEqual([
        ...[true, false],
      ])
      expect([await views.list(ACCOUNT), await views.list('ws-other')]).toEqual([[bad], [other]])
    })

    it('SX232 views of an account are bounded, also those that are saved at once', async () => {
      const views = await open()
      const added = await race(racer => views.save(aSavedView(`v-${racer}`), 0, 3))
      expect(added.filter(one => one === 'saved')).toHaveLength(3)
      expect(added.filter(one => one === 'full')).toHaveLength(added.length - 3)
      const [first] = await views.list(ACCOUNT)
      if (first === undefined) throw new Error('There is no view.')
      expect(await views.save({ ...first, version: 2 }, 1, 3)).toBe('saved')
    })
  })
}
