import { describe, expect, it } from 'vitest'
import type { ConversationId } from '../../../domain/ids.ts'
import type { ConversationStore } from '../../../ports/store/conversations.ts'
import {
  aConversation,
  anAppend,
  anEvent,
  aTurn,
  type ConversationFixture,
} from '../../conversation-fixtures.ts'
import { ACCOUNT, AGENT, START } from '../../fixtures.ts'
import { intervalRows } from '../interval-rows.ts'
import { conversationSnapshot } from './conversation-snapshot.ts'
import { pageTexts } from './json-texts.ts'
import { LIVE, recordIds } from './record-ids.ts'
import { eventsOf, wakesAt } from './stored.ts'
import { openForTest, RACERS, race, reopenForTest, type StoreFactory } from './tools.ts'

const ID = 'AS-1'
const OTHER_ACCOUNT = 'ws-other'
const OTHER_AGENT = 'PROJECT-OTHER'
const LATE = Number.MAX_SAFE_INTEGER

/** A conversation that finished this long after `START`, with a log of its own. */
const finished = (id: string, after = 1, values: ConversationFixture = {}) =>
  aConversation(id, {
    events: [anEvent({ id: `${id}-1`, clientEventId: 'first' }), anEvent({ id: `${id}-2` })],
    turns: [aTurn(`${id} one`), aTurn(`${id} two`)],
    ...values,
    index: { finishedAt: START + after, ...values.index },
  })

/** Removes all that is selected, and says how much that was in each step. */
async function removeAll(conversations: ConversationStore, before = LATE, limit = 100, scope = LIVE) {
  const steps: number[] = []
  let more = true
  while (more) {
    const step = await conversations.removals.removeFinished(scope, before, limit)
    steps.push(step.removed)
    more = step.more
  }
  return steps
}

/** Rules SC110 to SC124: removing conversations. */
export function describeRemovals(factory: StoreFactory): void {
  const open = async (...created: readonly Parameters<ConversationStore['create']>[0][]) => {
    const { conversations } = await openForTest(factory)
    for (const one of created) expect(await conversations.create(one)).toBe('created')
    return conversations
  }
  const there = async (conversations: ConversationStore, ids: readonly string[]) => {
    const loaded = await Promise.all(ids.map(id => conversations.load(id)))
    return ids.filter((_, index) => loaded[index] !== null)
  }

  describe('removals', () => {
    it('SC110 what finished before the moment goes, listed or not; what finished at it stays', async () => {
      const conversations = await open(
        finished('AS-before', 9),
        finished('AS-debug', 9, { index: { listed: false } }),
        finished('AS-at', 10),
        finished('AS-after', 11),
      )
      expect(await conversations.removals.removeFinished(LIVE, START + 10, 100)).toEqual({
        removed: 2,
        more: false,
      })
      const ids = ['AS-before', 'AS-debug', 'AS-at', 'AS-after']
      expect(await there(conversations, ids)).toEqual(['AS-at', 'AS-after'])
      expect(await conversations.removals.removeFinished(LIVE, START + 10, 100)).toEqual({
        removed: 0,
        more: false,
      })
    })

    it('SC111 only those of the account, the agent and the environment go', async () => {
      const others = [
        finished('AS-account', 1, { accountId: OTHER_ACCOUNT }),
        finished('AS-agent', 1, { agentId: OTHER_AGENT }),
        finished('AS-environment', 1, { environment: 'sandbox' }),
      ]
      const conversations = await open(finished('AS-mine'), ...others)
      expect(await removeAll(conversations)).toEqual([1])
      const ids = ['AS-mine', 'AS-account', 'AS-agent', 'AS-environment']
      expect(await there(conversations, ids)).toEqual(ids.slice(1))
      const unknown = { ...LIVE, agentId: 'PROJECT-NOBODY' }
      expect(await conversations.removals.removeFinished(unknown, LATE, 100)).toEqual({
        removed: 0,
        more: false,
      })
    })

    it('SC112 the longest finished go first, at most the limit; `more` says whether some are left', async () => {
      const order = [5, 3, 1, 4, 2]
      const conversations = await open(...order.map(after => finished(`AS-${after}`, after)))
      const ids = ['AS-1', 'AS-2', 'AS-3', 'AS-4', 'AS-5']
      expect(await conversations.removals.removeFinished(LIVE, START + 5, 2)).toEqual({
        removed: 2,
        more: true,
      })
      expect(await there(conversations, ids)).toEqual(ids.slice(2))
      expect(await conversations.removals.removeFinished(LIVE, START + 5, 2)).toEqual({
        removed: 2,
        more: false,
      })
      expect(await there(conversations, ids)).toEqual(['AS-5'])
    })

    it('SC113 of what was removed nothing is left, and its id begins a new conversation', async () => {
      const conversations = await open(aConversation('AS-other'))
      const before = await conversationSnapshot(conversations, ID)
      await conversations.create(finished(ID, 1, { events: [], turns: [] }))
      const append = anAppend(finished(ID), 1, {
        events: [anEvent({ id: 'late', clientEventId: 'late' })],
        turns: [aTurn('late')],
      })
      await conversations.append(append)
      expect(await conversations.removals.removeFinished(LIVE, LATE, 1)).toEqual({ removed: 1, more: false })
      expect(await conversationSnapshot(conversations, ID)).toEqual(before)
      expect(await wakesAt(conversations, null)).toBe(true)

      const again = finished(ID, 1, { turns: [aTurn('again')] })
      expect(await conversations.create(again)).toBe('created')
      expect(await conversations.load(ID)).toMatchObject({ version: 1 })
      expect((await eventsOf(conversations, ID, 0)).map(event => event.id)).toEqual([`${ID}-1`, `${ID}-2`])
      expect(await conversations.turns(ID)).toEqual([aTurn('again')])
      const late = anAppend(again, 1, { events: [anEvent({ clientEventId: 'late' })] })
      expect(await conversations.append(late)).toEqual({ status: 'appended' })
    })

    it('SC114 one in progress stays, and one that is still to be woken, whole', async () => {
      const started = finished('AS-open', 1, { index: { finishedAt: null }, wakeAt: START })
      const never = finished('AS-never', 1, { index: { finishedAt: null } })
      const busy = finished('AS-busy', 1, { wakeAt: START + 5 })
      const conversations = await open(started, never, busy)
      const snapshots = () =>
        Promise.all(
          [started, never, busy].map(one => conversationSnapshot(conversations, one.conversationId)),
        )
      const before = await snapshots()
      expect(await removeAll(conversations)).toEqual([0])
      expect(await snapshots()).toEqual(before)
      await conversations.timers.claimDue(START + 5, 100, START + 50)
      expect(await removeAll(conversations)).toEqual([0])
      await conversations.append(anAppend(busy, 1, { events: [], wakeAt: null }))
      await conversations.append(anAppend(never, 1, { index: { finishedAt: START + 2 } }))
      expect(await removeAll(conversations)).toEqual([2])
      expect(await there(conversations, ['AS-open', 'AS-never', 'AS-busy'])).toEqual(['AS-open'])
    })

    it('SC115 an append to what was removed is stale and writes nothing', async () => {
      const created = finished(ID)
      const conversations = await open(created)
      await removeAll(conversations)
      const gone = await conversationSnapshot(conversations, ID)
      for (const version of [0, 1, 2]) {
        const append = anAppend(created, version, {
          events: [anEvent({ clientEventId: 'first' })],
          wakeAt: 1,
        })
        expect(await conversations.append(append)).toEqual({ status: 'stale' })
      }
      expect(await conversationSnapshot(conversations, ID)).toEqual(gone)
      expect(await wakesAt(conversations, null)).toBe(true)
    })

    it('SC116 of an append and a removal the first wins, and what it leaves is whole', async () => {
      for (let round = 0; round < 10; round++) {
        const created = finished(ID)
        const conversations = await open(created)
        const append = anAppend(created, 1, { index: { finishedAt: null }, turns: [aTurn('more')] })
        const calls = [
          async () => (await conversations.append(append)).status,
          async () => (await conversations.removals.removeFinished(LIVE, LATE, 1)).removed,
        ]
        const first = round % 2
        const results = await Promise.all([calls[first], calls[1 - first]].map(call => call?.()))
        const [status, removed] = first === 0 ? results : [results[1], results[0]]
        expect([status, removed]).toEqual(removed === 1 ? ['stale', 1] : ['appended', 0])
        const left = await conversationSnapshot(conversations, ID)
        expect(left.stored?.version).toBe(removed === 1 ? undefined : 2)
        expect(left.events).toHaveLength(removed === 1 ? 0 : 3)
        expect(left.turns).toHaveLength(removed === 1 ? 0 : 3)
        expect(left.open).toEqual(removed === 1 ? [] : [ID])
      }
    })

    it('SC117 racing removals count each conversation once', async () => {
      const ids = Array.from({ length: 40 }, (_, index) => `AS-${index}`)
      const conversations = await open(...ids.map((id, index) => finished(id, index)))
      const counts = await race(async racer => {
        if (racer % 2 === 0) return (await removeAll(conversations, LATE, 3)).reduce((sum, n) => sum + n, 0)
        const results = []
        for (const id of ids) results.push(await conversations.removals.remove(ACCOUNT, AGENT, id))
        return results.filter(result => result === 'removed').length
      })
      expect(counts).toHaveLength(RACERS)
      expect(counts.reduce((sum, n) => sum + n, 0)).toBe(ids.length)
      expect(await there(conversations, ids)).toEqual([])
    })

    it('SC118 one is removed by its account, agent and id; listed or not, whatever its environment', async () => {
      const conversations = await open(
        finished('AS-1'),
        finished('AS-2', 1, { environment: 'sandbox', index: { listed: false } }),
        finished('AS-3'),
        aConversation('AS-open'),
        finished('AS-busy', 1, { wakeAt: START }),
      )
      const remove = (id: string, accountId = ACCOUNT, agentId = AGENT) =>
        conversations.removals.remove(accountId, agentId, id)
      expect(await remove('AS-1', OTHER_ACCOUNT)).toBe('missing')
      expect(await remove('AS-1', ACCOUNT, OTHER_AGENT)).toBe('missing')
      expect(await remove('AS-9')).toBe('missing')
      expect(await remove('AS-open')).toBe('in_progress')
      expect(await remove('AS-open', OTHER_ACCOUNT)).toBe('missing')
      expect(await remove('AS-busy')).toBe('in_progress')
      expect([await remove('AS-1'), await remove('AS-2')]).toEqual(['removed', 'removed'])
      expect([await remove('AS-1'), await remove('AS-2')]).toEqual(['missing', 'missing'])
      const left = ['AS-3', 'AS-open', 'AS-busy']
      expect(await there(conversations, ['AS-1', 'AS-2', ...left])).toEqual(left)
    })

    it('SC119 the lists and figures of the others are as if the removed ones had never been', async () => {
      const all = Array.from({ length: 30 }, (_, index) => ({
        id: `AS-${String(index).padStart(2, '0')}`,
        startedAt: START + Math.floor(index / 3) * 40_000,
        finishedAt: START + 2_000_000 + ((index * 7) % 30) * 1_000,
      }))
      const make = ({ id, startedAt, finishedAt }: (typeof all)[number]) =>
        finished(id, 1, { startedAt, index: { finishedAt, variantId: id } })
      const before = START + 2_000_000 + 15_000
      const kept = all.filter(one => one.finishedAt >= before)
      const conversations = await open(...all.map(make))
      const fresh = await open(...kept.map(make))
      expect(await removeAll(conversations, before, 4)).toEqual([4, 4, 4, 3])
      const whole = { ...LIVE, from: START, to: LATE }
      const [found, expected] = [await conversations.intervals.list(whole), await fresh.intervals.list(whole)]
      expect(intervalRows(found, whole)).toEqual(intervalRows(expected, whole))
      for (let offset = 0; offset <= kept.length; offset++) {
        const page = await conversations.records.list(LIVE, { offset }, 4)
        expect(pageTexts(page)).toEqual(pageTexts(await fresh.records.list(LIVE, { offset }, 4)))
      }
      expect(await recordIds(conversations)).toEqual(kept.map(({ id }) => id))
    })

    it('SC120 external events go with their conversation: what comes for them is unknown, their ids are free', async () => {
      const conversations = await open(
        finished(ID, 1, { index: { finishedAt: null } }),
        aConversation('AS-2'),
      )
      const reserve = (eventId: string, conversationId: ConversationId) =>
        conversations.externalEvents.expect({ eventId, conversationId, accountId: ACCOUNT, agentId: AGENT })
      const arrive = (eventId: string) =>
        conversations.externalEvents.accept({
          eventId,
          accountId: ACCOUNT,
          agentId: AGENT,
          contentType: 'text/plain',
          body: new TextEncoder().encode(eventId),
          receivedAt: START,
        })
      for (const eventId of ['came', 'pending', 'awaited']) await reserve(eventId, ID)
      await reserve('other', 'AS-2')
      for (const eventId of ['came', 'pending', 'other']) await arrive(eventId)
      const end = anAppend(aConversation(ID), 3, {
        ...{ deliveredExternalEvents: ['came'], wakeAt: null, index: finished(ID).index },
      })
      expect(await conversations.append(end)).toEqual({ status: 'appended' })
      expect(await conversations.removals.remove(ACCOUNT, AGENT, ID)).toBe('removed')
      for (const eventId of ['came', 'pending', 'awaited']) {
        expect(await conversations.externalEvents.find(eventId)).toBeNull()
        expect(await arrive(eventId)).toEqual({ status: 'unknown' })
      }
      expect(await conversations.externalEvents.find('other')).toMatchObject({ conversationId: 'AS-2' })
      expect(await conversations.create(finished(ID))).toBe('created')
      expect(await conversations.load(ID)).toMatchObject({ version: 1, pendingExternalEvents: [] })
      expect(await reserve('came', ID)).toBe('expected')
    })

    it('SC121 an event id is reserved only for a conversation that is there; a reserved one is taken all the same', async () => {
      const conversations = await open(finished(ID))
      const reserve = (conversationId: string) =>
        conversations.externalEvents.expect({
          eventId: 'x',
          conversationId: conversationId,
          accountId: ACCOUNT,
          agentId: AGENT,
        })
      expect(await reserve('AS-2')).toBe('missing')
      expect(await reserve(ID)).toBe('expected')
      expect(await reserve('AS-2')).toBe('taken')
      await removeAll(conversations)
      expect(await reserve(ID)).toBe('missing')
    })

    it('SC122 the scopes are those of all conversations, each once', async () => {
      const conversations = await open(
        finished('AS-1'),
        aConversation('AS-2'),
        finished('AS-3', 1, { environment: 'sandbox', index: { listed: false } }),
        finished('AS-4', 1, { accountId: OTHER_ACCOUNT, agentId: OTHER_AGENT }),
      )
      const named = async () => {
        const scopes = await conversations.removals.scopes()
        return scopes.map(scope => `${scope.accountId} ${scope.agentId} ${scope.environment}`).sort()
      }
      expect(await named()).toEqual(
        [
          `${ACCOUNT} ${AGENT} live`,
          `${ACCOUNT} ${AGENT} sandbox`,
          `${OTHER_ACCOUNT} ${OTHER_AGENT} live`,
        ].sort(),
      )
      await removeAll(conversations)
      expect(await named()).toContain(`${ACCOUNT} ${AGENT} live`)
    })

    const { reopen } = factory
    if (reopen !== undefined) {
      it('SC124 what was removed is gone when the store is opened again', async () => {
        const store = await openForTest(factory)
        for (const id of ['AS-1', 'AS-2', 'AS-3']) await store.conversations.create(finished(id, 1))
        await store.conversations.removals.remove(ACCOUNT, AGENT, 'AS-2')
        const { conversations } = await reopenForTest(reopen, store)
        expect(await recordIds(conversations)).toEqual(['AS-1', 'AS-3'])
        expect(await conversations.turns('AS-3')).toEqual([aTurn('AS-3 one'), aTurn('AS-3 two')])
        expect(await removeAll(conversations)).toEqual([2])
      })
    }
  })
}
