import { describe, expect, it } from 'vitest'
import { ACCOUNT, AGENT, anAgent, aSharedReply } from '../../../fixtures.ts'
import { openForTest, race, type StoreFactory } from '../tools.ts'

/** Rule SX232: replies that the live agents of accounts share. */
export function describeSharedReplies(factory: StoreFactory): void {
  const open = async () => {
    const store = await openForTest(factory)
    await store.agents.create(anAgent())
    return store.access.sharedReplies
  }

  describe('shared replies', () => {
    it('SX232 a reply is found and listed by its account alone, by its code in any case, and removed', async () => {
      const replies = await open()
      const [bye, hello] = [
        aSharedReply('R-1', { code: 'Zum-Abschied' }),
        aSharedReply('R-2', { code: 'hallo' }),
      ]
      const other = aSharedReply('R-3', { code: 'HALLO', accountId: 'ws-other', agentId: null })
      for (const reply of [bye, hello, other]) expect(await replies.save(reply, 0, 9)).toBe('saved')
      expect(await replies.list(ACCOUNT)).toEqual([hello, bye])
      expect(await replies.list('ws-other')).toEqual([other])
      expect(await replies.find(ACCOUNT, 'R-1')).toEqual(bye)
      expect([await replies.find('ws-other', 'R-1'), await replies.find(ACCOUNT, 'R-9')]).toEqual([
        null,
        null,
      ])
      expect([await replies.remove('ws-other', 'R-1'), await replies.remove(ACCOUNT, 'R-9')]).toEqual([
        false,
        false,
      ])
      expect(await replies.remove(ACCOUNT, 'R-1')).toBe(true)
      expect(await replies.list(ACCOUNT)).toEqual([hello])
      expect(await replies.save(aSharedReply('R-4', { code: 'zum-abschied' }), 0, 9)).toBe('saved')
    })

    it('no two replies of an account have a code that is the same in any case, also of those written at once', async () => {
      const replies = await open()
      const codes = ['Größe', 'GRÖSSE', 'größe', 'Gro\u0308ße']
      const saved = await race(racer =>
        replies.save(aSharedReply(`R-${racer}`, { code: codes[racer % 2 === 0 ? 0 : 3] ?? '' }), 0, 99),
      )
      expect(saved.filter(one => one === 'saved')).toHaveLength(1)
      expect(saved.filter(one => one === 'code_taken')).toHaveLength(saved.length - 1)
      const [held] = await replies.list(ACCOUNT)
      expect(await replies.save(aSharedReply('R-x', { code: 'größe' }), 0, 99)).toBe('code_taken')
      expect(await replies.save(aSharedReply('R-y', { code: 'other' }), 0, 99)).toBe('saved')
      const renamed = aSharedReply('R-y', { code: 'GRÖßE', version: 2 })
      expect(await replies.save(renamed, 1, 99)).toBe('code_taken')
      if (held === undefined) throw new Error('A reply was saved.')
      const same = { ...held, code: held.code.toUpperCase(), version: 2 }
      expect(await replies.save({ ...same, code: 'GRÖßE' }, 1, 99)).toBe('saved')
    })

    it('of two who change a reply one wins, and a new one is not written beyond the limit', async () => {
      const replies = await open()
      await replies.save(aSharedReply('R-1'), 0, 2)
      const changed = await race(racer =>
        replies.save(aSharedReply('R-1', { text: `${racer}`, version: 2 }), 1, 2),
      )
      expect(changed.filter(one => one === 'saved')).toHaveLength(1)
      expect(changed.filter(one => one === 'stale')).toHaveLength(changed.length - 1)
      expect(await replies.save(aSharedReply('R-1'), 0, 2)).toBe('stale')
      expect(await replies.save(aSharedReply('R-9', { version: 2 }), 1, 2)).toBe('stale')
      const added = await race(racer =>
        replies.save(aSharedReply(`N-${racer}`, { code: `n-${racer}` }), 0, 4),
      )
      expect(added.filter(one => one === 'saved')).toHaveLength(3)
      expect(added.filter(one => one === 'full')).toHaveLength(added.length - 3)
      expect(await replies.save(aSharedReply('R-1', { code: 'still', version: 3 }), 2, 4)).toBe('saved')
    })

    it('a reply for an agent is written if the account has that agent', async () => {
      const replies = await open()
      expect(await replies.save(aSharedReply('R-1', { agentId: AGENT }), 0, 9)).toBe('saved')
      const others = [{ agentId: 'PROJECT-none' }, { agentId: AGENT, accountId: 'ws-other' }]
      for (const values of others)
        expect(await replies.save(aSharedReply('R-2', { code: 'x', ...values }), 0, 9)).toBe('no_agent')
    })
  })
}
