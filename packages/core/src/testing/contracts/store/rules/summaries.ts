import { describe, expect, it } from 'vitest'
import { aConversation, anAppend } from '../../../conversation-fixtures.ts'
import { ACCOUNT, AGENT, aSummary, START } from '../../../fixtures.ts'
import { openForTest, race, type StoreFactory } from '../tools.ts'

/** Summaries of conversations for live agents. */
export function describeSummaries(factory: StoreFactory): void {
  const open = async () => {
    const { conversations } = await openForTest(factory)
    await conversations.create(aConversation('AS-1', { events: [], index: { finishedAt: START } }))
    return conversations
  }

  describe('summaries for live agents', () => {
    it('are written at their version, of a conversation that the account has, and found by handoff', async () => {
      const { summaries } = await open()
      expect(await summaries.find('AS-1.1')).toBeNull()
      expect(await summaries.save(aSummary('AS-1.1'), 1)).toBe('stale')
      expect(await summaries.save(aSummary('AS-1.1'), 0)).toBe('saved')
      expect(await summaries.save(aSummary('AS-1.1'), 0)).toBe('stale')
      const done = aSummary('AS-1.1', { status: 'done', text: 'Größe: 🙂', dueAt: null, version: 2 })
      expect(await summaries.save(done, 1)).toBe('saved')
      expect(await summaries.find('AS-1.1')).toEqual(done)
      for (const values of [{ conversationId: 'AS-3' }, { accountId: 'ws-other' }])
        expect(await summaries.save(aSummary('AS-1.2', values), 0)).toBe('missing')
      expect(await summaries.find('AS-1.2')).toBeNull()
    })

    it('are written with a conversation, all or nothing', async () => {
      const { append, create, summaries } = await open()
      const created = aConversation('AS-2')
      await create(created)
      const summary = aSummary('AS-2.2', { conversationId: 'AS-2' })
      expect(await append(anAppend(created, 7, { summary }))).toEqual({ status: 'stale' })
      expect(await summaries.find('AS-2.2')).toBeNull()
      expect(await append(anAppend(created, 1, { summary }))).toEqual({ status: 'appended' })
      expect(await summaries.find('AS-2.2')).toEqual(summary)
    })

    it('are due by their time, the earliest first, and not once they are done', async () => {
      const { summaries } = await open()
      expect([await summaries.nextDue(), await summaries.due(START, 9)]).toEqual([null, []])
      const at = [3, 1, 2].map(after => aSummary(`AS-1.${after}`, { dueAt: START + after }))
      for (const one of at) await summaries.save(one, 0)
      await summaries.save(aSummary('AS-1.9', { status: 'failed', failure: 'failed', dueAt: null }), 0)
      expect(await summaries.nextDue()).toBe(START + 1)
      const ids = async (now: number, limit: number) => (await summaries.due(now, limit)).map(({ id }) => id)
      expect(await ids(START + 2, 9)).toEqual(['AS-1.1', 'AS-1.2'])
      expect(await ids(START + 3, 2)).toEqual(['AS-1.1', 'AS-1.2'])
      expect(await ids(START, 9)).toEqual([])
    })

    it('of a summary and a removal that race, nothing is left of the summary', async () => {
      const { summaries, removals } = await open()
      await race(async racer => {
        if (racer === 0) await removals.remove(ACCOUNT, AGENT, 'AS-1')
        else await summaries.save(aSummary(`AS-1.${racer}`), 0)
      })
      expect(await summaries.due(START, 99)).toEqual([])
      expect(await summaries.save(aSummary('AS-1.1'), 0)).toBe('missing')
    })
  })
}
