import { describe, expect, it } from 'vitest'
import type { ConversationIndex } from '../../../domain/conversation/record.ts'
import type { AccountId, ConversationId } from '../../../domain/ids.ts'
import { aConversation, anAppend } from '../../conversation-fixtures.ts'
import { ACCOUNT, AGENT, START } from '../../fixtures.ts'
import { HARD_STRINGS, openForTest, type StoreFactory } from './tools.ts'

const handoff = (
  status: 'waiting' | 'active',
  since: number,
  id = 'handoff-1',
): NonNullable<ConversationIndex['handoff']> => ({ id, status, queueName: `it's a "queue"`, since })

/** Rules SC60 to SC69: handoffs and open conversations. */
export function describeIndexes(factory: StoreFactory): void {
  const open = async () => (await openForTest(factory)).conversations

  describe('handoffs and open conversations', () => {
    it('SC60 a handoff is listed with its conversation, under its status alone', async () => {
      const conversations = await open()
      await conversations.create(aConversation('AS-1', { index: { handoff: handoff('waiting', START) } }))
      await conversations.create(aConversation('AS-2'))
      expect(await conversations.handoffs.list(ACCOUNT, 'waiting')).toEqual([
        {
          conversationId: 'AS-1',
          handoffId: 'handoff-1',
          status: 'waiting',
          queueName: `it's a "queue"`,
          since: START,
        },
      ])
      expect(await conversations.handoffs.list(ACCOUNT, 'active')).toEqual([])
    })

    it('SC61 handoffs come in the order in which they came, whatever their times and ids', async () => {
      const conversations = await open()
      const created = { 'C-late': 500, 'C-b': 100, 'C-a': 100, 'C-first': 90 }
      const ids = async (status: 'waiting' | 'active') =>
        (await conversations.handoffs.list(ACCOUNT, status)).map(entry => entry.conversationId)
      for (const [id, at] of Object.entries(created)) {
        const index = { handoff: handoff('waiting', at, `${id}.1`) }
        await conversations.create(aConversation(id, { index }))
      }
      expect(await ids('waiting')).toEqual(['C-late', 'C-b', 'C-a', 'C-first'])
      const move = (id: string, status: 'waiting' | 'active', version: number, name = `${id}.1`) =>
        conversations.append(
          anAppend(aConversation(id), version, { index: { handoff: handoff(status, 50, name) } }),
        )
      // A handoff keeps its place with every write, the next one of the same conversation is a new one.
      for (const id of ['C-first', 'C-late', 'C-a']) await move(id, 'active', 1)
      expect(await ids('active')).toEqual(['C-late', 'C-a', 'C-first'])
      await move('C-late', 'waiting', 2, 'C-late.2')
      await move('C-first', 'waiting', 2)
      expect([await ids('waiting'), await ids('active')]).toEqual([['C-b', 'C-first', 'C-late'], ['C-a']])
    })

    it('SC62 a handoff moves with every write of the conversation, and goes when it is over', async () => {
      const conversations = await open()
      const created = aConversation('AS-1')
      await conversations.create(created)
      const ids = async (status: 'waiting' | 'active') =>
        (await conversations.handoffs.list(ACCOUNT, status)).map(entry => `${entry.handoffId} ${entry.since}`)
      const waiting = anAppend(created, 1, { index: { handoff: handoff('waiting', 100, 'h1') } })
      await conversations.append(waiting)
      expect([await ids('waiting'), await ids('active')]).toEqual([['h1 100'], []])
      const active = anAppend(waiting, 2, { index: { handoff: handoff('active', 200, 'h1') } })
      await conversations.append(active)
      expect([await ids('waiting'), await ids('active')]).toEqual([[], ['h1 200']])
      await conversations.append({ ...anAppend(active, 3), index: null })
      expect([await ids('waiting'), await ids('active')]).toEqual([[], ['h1 200']])
      await conversations.append(anAppend(active, 4, { index: { handoff: null } }))
      expect([await ids('waiting'), await ids('active')]).toEqual([[], []])
    })

    it('SC68 a conversation is found by the id that the integrator gave it, of several the one that was handed off last', async () => {
      const conversations = await open()
      const find = (id: string, agentId = AGENT, accountId = ACCOUNT) =>
        conversations.handoffs.findShared(accountId, agentId, id)
      const put = (id: string, shared: ConversationIndex['shared'], of: Partial<ConversationIndex> = {}) =>
        conversations.create(aConversation(id, { index: { ...of, shared } }))
      expect(await find('S-1')).toBeNull()
      await put('C-none', null)
      await put('C-late', { id: 'S-1', at: START + 500 })
      await put('C-early', { id: 'S-1', at: START + 100 }, { environment: 'sandbox' })
      await put('C-other', { id: 's-1', at: START + 900 })
      await put('C-agent', { id: 'S-1', at: START + 900 }, { agentId: 'PROJECT-TWO' })
      await put('C-account', { id: 'S-1', at: START + 900 }, { accountId: 'ws-other' })
      await put('C-hard', { id: HARD_STRINGS.join('|'), at: START })
      expect(await find('S-1')).toBe('C-late')
      expect(await find('s-1')).toBe('C-other')
      expect(await find('S-1', 'PROJECT-TWO')).toBe('C-agent')
      expect(await find('S-1', AGENT, 'ws-other')).toBe('C-account')
      expect(await find('S-1', 'PROJECT-TWO', 'ws-other')).toBeNull()
      expect(await find(HARD_STRINGS.join('|'))).toBe('C-hard')
      for (const unknown of ['S', 'S-10', '', '%']) expect(await find(unknown)).toBeNull()
    })

    it('SC68 the id moves with the writes of the conversation, and stays through those without an index', async () => {
      const conversations = await open()
      const find = (id: string) => conversations.handoffs.findShared(ACCOUNT, AGENT, id)
      const created = aConversation('C-1')
      await conversations.create(created)
      await conversations.create(aConversation('C-2', { index: { shared: { id: 'S', at: START + 50 } } }))
      const first = anAppend(created, 1, { index: { shared: { id: 'S', at: START + 100 } } })
      await conversations.append(first)
      expect(await find('S')).toBe('C-1')
      await conversations.append({ ...anAppend(first, 2), index: null })
      expect(await find('S')).toBe('C-1')
      expect((await conversations.append(anAppend(first, 2, { index: { shared: null } }))).status).toBe(
        'stale',
      )
      expect(await find('S')).toBe('C-1')
      const second = anAppend(first, 3, { index: { shared: { id: 'T', at: START + 200 } } })
      await conversations.append(second)
      expect([await find('S'), await find('T')]).toEqual(['C-2', 'C-1'])
      const ended = { finishedAt: START + 300, shared: { id: 'T', at: START + 200 } }
      await conversations.append(anAppend(second, 4, { index: ended, wakeAt: null }))
      expect(await find('T')).toBe('C-1')
      expect(await conversations.removals.remove(ACCOUNT, AGENT, 'C-1')).toBe('removed')
      expect(await find('T')).toBeNull()
    })

    it('SC63 an account sees its own handoffs only, those of all its agents', async () => {
      const conversations = await open()
      const index = { handoff: handoff('waiting', START) }
      const other = 'ws-other'
      const agentId = 'PROJECT-TWO'
      await conversations.create(aConversation('AS-1', { index }))
      await conversations.create(aConversation('AS-2', { index, agentId }))
      await conversations.create(aConversation('AS-3', { index, accountId: other }))
      const ids = async (account: AccountId) =>
        (await conversations.handoffs.list(account, 'waiting')).map(entry => entry.conversationId)
      expect(await ids(ACCOUNT)).toEqual(['AS-1', 'AS-2'])
      expect(await ids(other)).toEqual(['AS-3'])
      expect(await ids('ws-%')).toEqual([])
    })

    it('SC64 open conversations are an agent’s unfinished ones, debug ones included', async () => {
      const conversations = await open()
      const created = aConversation('AS-open')
      await conversations.create(created)
      await conversations.create(
        aConversation('AS-debug', { index: { listed: false }, state: { kind: 'debug' } }),
      )
      await conversations.create(aConversation('AS-other', { agentId: 'PROJECT-TWO' }))
      await conversations.create(aConversation('AS-sandbox', { environment: 'sandbox' }))
      await conversations.create(aConversation('AS-done', { index: { finishedAt: START } }))
      await conversations.create(aConversation('AS-done-at-0', { startedAt: 0, index: { finishedAt: 0 } }))
      const ids = async (): Promise<ConversationId[]> => [...(await conversations.listOpen(AGENT))].sort()
      expect(await ids()).toEqual(['AS-debug', 'AS-open', 'AS-sandbox'])
      await conversations.append(anAppend(created, 1, { index: { finishedAt: START + 5 } }))
      expect(await ids()).toEqual(['AS-debug', 'AS-sandbox'])
      expect(await conversations.listOpen('PROJECT-NONE')).toEqual([])
    })
  })
}
