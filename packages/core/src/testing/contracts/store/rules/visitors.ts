import { describe, expect, it } from 'vitest'
import type { VisitorConversation } from '../../../../ports/store/visitors.ts'
import { aConversation, anAppend, aState, type ConversationFixture } from '../../../conversation-fixtures.ts'
import { ACCOUNT, AGENT, aTextPair, START } from '../../../fixtures.ts'
import { openForTest, type StoreFactory } from '../tools.ts'

const { record } = aState('AS-1')

/** Rules SC600 and ST7: what is kept of one visitor. */
export function describeVisitors(factory: StoreFactory): void {
  const open = async () => (await openForTest(factory)).conversations
  const of = (id: string, visitorId: string, values: ConversationFixture = {}) =>
    aConversation(id, { ...values, state: { visitor: { id: visitorId }, ...values.state } })
  const numbers = (values: Partial<typeof record>): ConversationFixture => ({
    state: { visitor: null, record: { ...record, ...values } },
  })

  describe('what is kept of a visitor', () => {
    it('SC600 conversations of a visitor are listed newest first, of all agents and environments of the account, listed or not', async () => {
      const conversations = await open()
      const { visitors } = conversations
      const made = [
        of('AS-3', 'vera', { startedAt: START + 1 }),
        of('AS-1', 'vera', { startedAt: START + 2, environment: 'sandbox', index: { listed: false } }),
        of('AS-2', 'vera', { startedAt: START + 1, agentId: 'PROJECT-2', index: { finishedAt: START + 9 } }),
        of('AS-4', 'Vera'),
        of('AS-5', 'vera', { accountId: 'ws-other' }),
        aConversation('AS-6'),
      ]
      for (const one of made) await conversations.create(one)
      const read = (after: VisitorConversation | null, limit: number, visitorId = 'vera') =>
        visitors.conversations(ACCOUNT, { visitorId }, after, limit)
      const all = await read(null, 9)
      expect(all).toEqual([
        { ...{ id: 'AS-1', agentId: AGENT, environment: 'sandbox' }, startedAt: START + 2, isOver: false },
        { ...{ id: 'AS-3', agentId: AGENT, environment: 'live' }, startedAt: START + 1, isOver: false },
        { ...{ id: 'AS-2', agentId: 'PROJECT-2', environment: 'live' }, startedAt: START + 1, isOver: true },
      ])
      const [first, second, third] = all
      expect(await read(null, 1)).toEqual([first])
      expect(await read(first ?? null, 1)).toEqual([second])
      expect(await read(second ?? null, 9)).toEqual([third])
      expect([await read(third ?? null, 9), await read(null, 9, 've')]).toEqual([[], []])
      expect(await conversations.removals.remove(ACCOUNT, 'PROJECT-2', 'AS-2')).toBe('removed')
      expect(await read(null, 9)).toEqual([first, second])
    })

    it('SC600 a number is that of the person at the other end, and stays known as the conversation goes on', async () => {
      const conversations = await open()
      const call = { fromNumber: '+12025550111', toNumber: '+12025550100' }
      const answer = { fromNumber: '+12025550100', toNumber: '+12025550111', direction: 'outbound' as const }
      await conversations.create(aConversation('AS-1', numbers(call)))
      await conversations.create(aConversation('AS-2', numbers(answer)))
      const one = aConversation('AS-3', numbers(call))
      await conversations.create(one)
      await conversations.append(anAppend(one, 1, { changes: { seenAt: START + 1 } }))
      await conversations.append(anAppend(one, 2))
      const found = (phoneNumber: string) =>
        conversations.visitors.conversations(ACCOUNT, { phoneNumber }, null, 9)
      expect((await found('+12025550111')).map(({ id }) => id)).toEqual(['AS-3', 'AS-2', 'AS-1'])
      expect([await found('+12025550100'), await found('')]).toEqual([[], []])
    })

    it('ST7 pairs of numbers are listed by the number of the visitor, and removed at their version', async () => {
      const { textPairs, visitors } = await open()
      const pairs = ['+12025550103', '+12025550101', '+12025550102'].map(ours => aTextPair({ ours }))
      for (const pair of [
        ...pairs,
        aTextPair({ accountId: 'ws-other', ours: '+1' }),
        aTextPair({ theirs: '+12025550199' }),
      ])
        await textPairs.save(pair, 0)
      const { theirs } = aTextPair()
      const read = async (after: string | null, limit: number) =>
        (await visitors.pairs(ACCOUNT, theirs, after, limit)).map(({ ours }) => ours)
      expect(await read(null, 9)).toEqual(['+12025550101', '+12025550102', '+12025550103'])
      expect([await read(null, 1), await read('+12025550101', 1)]).toEqual([
        ['+12025550101'],
        ['+12025550102'],
      ])
      const [last] = pairs
      if (last === undefined) throw new Error('There is no pair.')
      expect(await visitors.removePair({ ...last, version: 2 }, null)).toBe(false)
      expect([await visitors.removePair(last, null), await visitors.removePair(last, null)]).toEqual([
        ...[true, false],
      ])
      expect(await read('+12025550101', 9)).toEqual(['+12025550102'])
      const { agentId, ours } = aTextPair({ ours: '+12025550102' })
      const rest = aTextPair({ ...{ agentId, ours }, optedOut: true, version: 2 })
      expect(await visitors.removePair(aTextPair({ ours }), rest)).toBe(true)
      expect(await textPairs.find(ours, theirs)).toEqual(rest)
      expect(await visitors.removePair(aTextPair({ ours }), null)).toBe(false)
    })
  })
}
