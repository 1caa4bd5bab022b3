import { describe, expect, it } from 'vitest'
import { aConversation, anAppend } from '../../../conversation-fixtures.ts'
import { ACCOUNT, aDeskOutcome, START } from '../../../fixtures.ts'
import { openForTest, race, type StoreFactory } from '../tools.ts'

const OTHER = 'ws-other'
const waiting = {
  id: 'h',
  status: 'waiting',
  queueName: 'reception',
  since: START,
  liveAgentId: null,
} as const

/** Tests of waits of joined handoffs, and who announces which queue (SC30 and TM4). */
export function describeWaitingLines(factory: StoreFactory): void {
  const open = async () => {
    const { conversations } = await openForTest(factory)
    const { handoffs } = conversations
    /** Writes a conversation with the wait of its handoff. */
    const join = async (
      joinedAt: number,
      waited: number,
      values: { accountId?: string; queueName?: string; keepSince?: number; version?: number } = {},
    ) => {
      const { version = 1, ...rest } = values
      const joinedWait = {
        ...{ accountId: ACCOUNT, queueName: 'reception', joinedAt, waited, keepSince: 0 },
        ...rest,
      }
      const created = aConversation(`AS-${joinedWait.accountId} ${joinedWait.queueName} ${joinedAt}`)
      await conversations.create(created)
      return (await conversations.append(anAppend(created, version, { joinedWait }))).status
    }
    const wait = (id: string, accountId = ACCOUNT, status: 'waiting' | 'active' = 'waiting') =>
      conversations.create(aConversation(id, { accountId, index: { handoff: { ...waiting, status } } }))
    /** Gives a new conversation to a live agent who may have at most so many before. */
    const give = async (id: string, liveAgentId: string, atMost: number, accountId = ACCOUNT) => {
      const created = aConversation(id, { accountId })
      await conversations.create(created)
      const handoff = { ...waiting, status: 'active', liveAgentId } as const
      const talkRoom = { liveAgentId, atMost }
      return (await conversations.append(anAppend(created, 1, { index: { handoff }, talkRoom }))).status
    }
    const claim = async (now: number) => (await handoffs.claimLines(START + now, START + now + 10)).toSorted()
    return { conversations, handoffs, join, wait, give, claim }
  }

  describe('room for a visitor', () => {
    it('DK604 a live agent gets a visitor while they have no more than that, of their own account alone', async () => {
      const { conversations, give, handoffs } = await open()
      expect([await give('AS-1', 'ada', 0), await give('AS-2', 'ada', 0)]).toEqual(['appended', 'full'])
      expect(await give('AS-3', 'Ada', 0)).toBe('appended')
      expect(await give('AS-4', 'ada', 0, OTHER)).toBe('appended')
      expect(await give('AS-5', 'ada', 1)).toBe('appended')
      expect((await conversations.load('AS-2'))?.version).toBe(1)
      expect((await handoffs.list(ACCOUNT, 'active')).map(({ liveAgentId }) => liveAgentId)).toEqual([
        ...['ada', 'Ada', 'ada'],
      ])
      const first = await conversations.load('AS-1')
      if (first === null) throw new Error('It was created.')
      const over = aConversation('AS-1', { index: { handoff: null } })
      await conversations.append(anAppend(over, first.version, { index: { handoff: null } }))
      expect([await give('AS-6', 'ada', 0), await give('AS-7', 'ada', 1)]).toEqual(['full', 'appended'])
    })

    it('DK604 of many visitors given to one live agent at once, as many are as there is room', async () => {
      const { give, handoffs } = await open()
      const given = await race(racer => give(`AS-${racer}`, 'ada', 1))
      expect(given.filter(one => one === 'appended')).toHaveLength(2)
      expect(given.filter(one => one === 'full')).toHaveLength(given.length - 2)
      expect(await handoffs.list(ACCOUNT, 'active')).toHaveLength(2)
    })
  })

  describe('outcomes at desks', () => {
    const outcome = (id: string, at: number, accountId = ACCOUNT) =>
      aDeskOutcome(id, { at: START + at, accountId })

    it('DK620 outcomes of a write are listed newest first within a span, and go with their conversation', async () => {
      const store = await openForTest(factory)
      const { conversations } = store
      const created = aConversation('AS-1')
      await conversations.create(created)
      const [a, b, c] = [outcome('a', 1), outcome('b', 3), outcome('c', 2)]
      const other = outcome('d', 2, OTHER)
      await conversations.append(anAppend(created, 1, { deskOutcomes: [a, b] }))
      await conversations.append(anAppend(created, 2, { events: [], deskOutcomes: [c, other] }))
      const list = (from: number, through: number, limit = 9, accountId = ACCOUNT) =>
        conversations.handoffs.outcomes(accountId, { from: START + from, through: START + through }, limit)
      expect(await list(0, 9)).toEqual([b, c, a])
      expect([await list(2, 2), await list(0, 9, 1), await list(0, 9, 9, OTHER)]).toEqual([[c], [b], [other]])
      const { accountId, agentId } = created.index
      const over = { wakeAt: null, index: { finishedAt: START } }
      expect((await conversations.append(anAppend(created, 3, over))).status).toBe('appended')
      expect(await conversations.removals.remove(accountId, agentId, 'AS-1')).toBe('removed')
      expect([await list(0, 9), await list(0, 9, 9, OTHER)]).toEqual([[], []])
    })
  })

  describe('waiting lines', () => {
    it('waits come newest first, since a moment, at most the limit, of one account and queue, until one that is kept makes them forgotten', async () => {
      const { handoffs, join } = await open()
      const waits = async (since = 0, limit = 9, queue = 'reception', accountId = ACCOUNT) =>
        (await handoffs.joinedWaits(accountId, queue, since, limit)).map(({ joinedAt, waited }) => [
          joinedAt,
          waited,
        ])
      expect(await waits()).toEqual([])
      for (const [joinedAt, waited] of [
        [200, 20],
        [100, 10],
        [300, 0],
      ] as const)
        await join(joinedAt, waited)
      await join(100, 1, { queueName: 'sales' })
      await join(100, 5, { accountId: OTHER })
      expect(await waits()).toEqual([
        [300, 0],
        [200, 20],
        [100, 10],
      ])
      expect([await waits(200), await waits(0, 1), await waits(0, 9, 'Reception')]).toEqual([
        [
          [300, 0],
          [200, 20],
        ],
        [[300, 0]],
        [],
      ])
      expect(await join(900, 1, { keepSince: 800, version: 7 })).toBe('stale')
      expect(await waits()).toHaveLength(3)
      expect(await join(400, 7, { keepSince: 200 })).toBe('appended')
      expect(await waits()).toEqual([
        [400, 7],
        [300, 0],
        [200, 20],
      ])
      expect([await waits(0, 9, 'sales'), await waits(0, 9, 'reception', OTHER)]).toEqual([
        [[100, 1]],
        [[100, 5]],
      ])
    })

    it('SC30 a line with somebody who waits is claimed by one of several callers, until the claim ends; the store tells when the next one may be', async () => {
      const { claim, conversations, handoffs, wait } = await open()
      expect([await handoffs.nextLine(), await claim(0)]).toEqual([null, []])
      for (const id of ['AS-1', 'AS-2']) await wait(id)
      await wait('AS-3', OTHER, 'active')
      expect(await handoffs.nextLine()).toBe(0)
      const before = await conversations.load('AS-1')
      expect((await race(() => claim(0))).flat()).toEqual([ACCOUNT])
      expect([await handoffs.nextLine(), await claim(9)]).toEqual([START + 10, []])
      await wait('AS-4', OTHER)
      expect([await handoffs.nextLine(), await claim(5)]).toEqual([0, [OTHER]])
      expect(await handoffs.nextLine()).toBe(START + 10)
      expect(await conversations.load('AS-1')).toEqual(before)
      expect(await claim(15)).toEqual([ACCOUNT, OTHER].toSorted())
      for (const id of ['AS-1', 'AS-2'])
        await conversations.append(anAppend(aConversation(id), 1, { index: { handoff: null } }))
      expect(await claim(30)).toEqual([OTHER])
    })

    it('TM4 a line is free when its claim reaches further than two made now', async () => {
      const { claim, wait } = await open()
      await wait('AS-1')
      expect([await claim(1_000), await claim(990), await claim(989)]).toEqual([[ACCOUNT], [], [ACCOUNT]])
    })
  })
}
