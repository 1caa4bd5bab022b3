import { describe, expect, it } from 'vitest'
import type { AccountId } from '../../../domain/ids.ts'
import type { ConversationStore } from '../../../ports/store/conversations.ts'
import { aConversation, anAppend } from '../../conversation-fixtures.ts'
import { ACCOUNT, START } from '../../fixtures.ts'
import { HARD_STRINGS, openForTest, race, reopenForTest, type StoreFactory, scribbling } from './tools.ts'

const OTHER = 'ws-other'
const waiting = { id: 'h', status: 'waiting', queueName: 'reception', since: START } as const

/** A wait that nothing makes forget. */
const aWait = (joinedAt: number, waited = 1_000, queueName = 'reception', keepSince = 0) => ({
  ...{ accountId: ACCOUNT, queueName, joinedAt, waited, keepSince },
})

/** Writes conversations one after the other, each with the wait of its handoff. */
async function joined(
  conversations: ConversationStore,
  waits: readonly ReturnType<typeof aWait>[],
  accountId = ACCOUNT,
): Promise<void> {
  for (const wait of waits) {
    const joinedWait = { ...wait, accountId }
    const created = aConversation(`AS-${accountId}-${joinedWait.queueName}-${joinedWait.joinedAt}`, {
      accountId,
    })
    await conversations.create(created)
    expect(await conversations.append(anAppend(created, 1, { joinedWait }))).toEqual({ status: 'appended' })
  }
}

/** Rules SC65 to SC69 and SC231: waits of joined handoffs, and who announces which line. */
export function describeWaitingLines(factory: StoreFactory): void {
  const open = async () => (await openForTest(factory)).conversations

  describe('waiting lines', () => {
    it('SC65 waits come newest first, since a moment, at most the limit, of one account and queue', async () => {
      const conversations = await open()
      expect(await conversations.handoffs.joinedWaits(ACCOUNT, 'reception', 0, 9)).toEqual([])
      await joined(conversations, [aWait(200, 20), aWait(100, 10), aWait(300, 0), aWait(400, 40, 'sales')])
      await joined(conversations, [aWait(500, 50)], OTHER)
      const waits = (since: number, limit: number) =>
        conversations.handoffs.joinedWaits(ACCOUNT, 'reception', since, limit)
      expect(await waits(0, 9)).toEqual([
        { joinedAt: 300, waited: 0 },
        { joinedAt: 200, waited: 20 },
        { joinedAt: 100, waited: 10 },
      ])
      expect((await waits(200, 9)).map(({ joinedAt }) => joinedAt)).toEqual([300, 200])
      expect((await waits(0, 1)).map(({ joinedAt }) => joinedAt)).toEqual([300])
      expect(await conversations.handoffs.joinedWaits(ACCOUNT, 'Reception', 0, 9)).toEqual([])
      expect(await conversations.handoffs.joinedWaits(OTHER, 'reception', 0, 9)).toEqual([
        { joinedAt: 500, waited: 50 },
      ])
    })

    it('SC65 names of queues are kept as they are, and values copied', async () => {
      const conversations = await open()
      for (const name of HARD_STRINGS) {
        const created = aConversation(`AS-${name}`)
        await conversations.create(created)
        const write = anAppend(created, 1, { joinedWait: aWait(START, 7, name) })
        await scribbling(write, value => conversations.append(value))
      }
      for (const name of HARD_STRINGS)
        expect(await conversations.handoffs.joinedWaits(ACCOUNT, name, 0, 9)).toEqual([
          { joinedAt: START, waited: 7 },
        ])
    })

    it('SC66 a wait that is kept makes those of its queue from before a moment forgotten, and no others', async () => {
      const conversations = await open()
      await joined(conversations, [aWait(100), aWait(200), aWait(100, 1, 'sales')])
      await joined(conversations, [aWait(100)], OTHER)
      await joined(conversations, [aWait(300, 5, 'reception', 200)])
      const moments = async (account: AccountId, queue: string) =>
        (await conversations.handoffs.joinedWaits(account, queue, 0, 9)).map(({ joinedAt }) => joinedAt)
      expect(await moments(ACCOUNT, 'reception')).toEqual([300, 200])
      expect(await moments(ACCOUNT, 'sales')).toEqual([100])
      expect(await moments(OTHER, 'reception')).toEqual([100])
    })

    it('SC66 a write that is not taken keeps no wait and forgets none', async () => {
      const conversations = await open()
      await joined(conversations, [aWait(100)])
      const created = aConversation('AS-1')
      await conversations.create(created)
      const stale = anAppend(created, 7, { joinedWait: aWait(900, 1, 'reception', 800) })
      expect(await conversations.append(stale)).toEqual({ status: 'stale' })
      expect(await conversations.handoffs.joinedWaits(ACCOUNT, 'reception', 0, 9)).toHaveLength(1)
    })

    it('SC67 a line is claimed by one of several callers, until the claim ends', async () => {
      const conversations = await open()
      const created = aConversation('AS-1', { index: { handoff: waiting } })
      await conversations.create(created)
      await conversations.create(aConversation('AS-2', { index: { handoff: waiting } }))
      await conversations.create(aConversation('AS-3', { accountId: OTHER, index: { handoff: waiting } }))
      const before = await conversations.load(created.conversationId)
      const claims = await race(() => conversations.handoffs.claimLines(START, START + 12))
      expect(claims.flat().sort()).toEqual([ACCOUNT, OTHER].sort())
      expect(await conversations.handoffs.claimLines(START + 11, START + 20)).toEqual([])
      expect([...(await conversations.handoffs.claimLines(START + 12, START + 20))].sort()).toEqual(
        [ACCOUNT, OTHER].sort(),
      )
      expect(await conversations.load(created.conversationId)).toEqual(before)
    })

    it('SC231 tells when the next line may be claimed, while somebody waits', async () => {
      const conversations = await open()
      const { handoffs } = conversations
      const created = aConversation('AS-1', { index: { handoff: waiting } })
      expect(await handoffs.nextLine()).toBeNull()
      await conversations.create(created)
      expect(await handoffs.nextLine()).toBe(0)
      await handoffs.claimLines(START, START + 10)
      expect(await handoffs.nextLine()).toBe(START + 10)
      await conversations.create(aConversation('AS-2', { accountId: OTHER, index: { handoff: waiting } }))
      expect(await handoffs.nextLine()).toBe(0)
      await handoffs.claimLines(START + 5, START + 15)
      expect(await handoffs.nextLine()).toBe(START + 10)
      await conversations.append(
        anAppend(created, 1, { index: { handoff: { ...waiting, status: 'active' } } }),
      )
      expect(await handoffs.nextLine()).toBe(START + 15)
    })

    it('SC67 an account without waiting visitors has no line, and the claim of another account stays', async () => {
      const conversations = await open()
      const created = aConversation('AS-1', { index: { handoff: waiting } })
      await conversations.create(created)
      await conversations.create(
        aConversation('AS-2', { accountId: OTHER, index: { handoff: { ...waiting, status: 'active' } } }),
      )
      await conversations.create(aConversation('AS-3', { accountId: OTHER }))
      expect(await conversations.handoffs.claimLines(START, START + 10)).toEqual([ACCOUNT])
      await conversations.append(anAppend(created, 1, { index: { handoff: null } }))
      expect(await conversations.handoffs.claimLines(START + 10, START + 20)).toEqual([])
      await conversations.create(
        aConversation('AS-4', { accountId: OTHER, index: { handoff: { ...waiting, id: 'late' } } }),
      )
      expect(await conversations.handoffs.claimLines(START, START + 10)).toEqual([OTHER])
    })

    it('TM7 a line is free when its claim reaches further than two made now', async () => {
      const conversations = await open()
      await conversations.create(aConversation('AS-1', { index: { handoff: waiting } }))
      expect(await conversations.handoffs.claimLines(START + 1_000, START + 1_010)).toEqual([ACCOUNT])
      expect(await conversations.handoffs.claimLines(START + 990, START + 1_000)).toEqual([])
      expect(await conversations.handoffs.claimLines(START + 989, START + 999)).toEqual([ACCOUNT])
    })

    const { reopen } = factory
    if (reopen !== undefined) {
      it('SC65, SC67 waits and claims are there when the store is opened again', async () => {
        const store = await factory.open()
        await joined(store.conversations, [aWait(100)])
        await store.conversations.create(aConversation('AS-1', { index: { handoff: waiting } }))
        await store.conversations.handoffs.claimLines(START, START + 10)
        const { conversations } = await reopenForTest(reopen, store)
        expect(await conversations.handoffs.joinedWaits(ACCOUNT, 'reception', 0, 9)).toHaveLength(1)
        expect(await conversations.handoffs.claimLines(START + 9, START + 20)).toEqual([])
        expect(await conversations.handoffs.claimLines(START + 10, START + 20)).toEqual([ACCOUNT])
      })
    }
  })
}
