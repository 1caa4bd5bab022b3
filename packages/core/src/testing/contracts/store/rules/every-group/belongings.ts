import { describe, expect, it } from 'vitest'
import type { ConversationId } from '../../../../../domain/ids.ts'
import type { Store } from '../../../../../ports/store/store.ts'
import { aConversation, anAppend, anEvent, aTurn } from '../../../../conversation-fixtures.ts'
import {
  ACCOUNT,
  AGENT,
  aBranch,
  aCachedAudio,
  aCount,
  aDeployment,
  aFile,
  aNote,
  anAgent,
  anAlertRule,
  anEndpoint,
  anOutboundCall,
  aPhoneNumber,
  aPooledNumber,
  aRealTimeConfig,
  aRecording,
  aRollout,
  aSharedReply,
  aSummary,
  aTestResult,
  aTestRun,
  aTextPair,
  aWebhookEvent,
  START,
} from '../../../../fixtures.ts'
import { agentSnapshot, NO_AGENT } from '../../agent-snapshot.ts'
import { eventsOf } from '../../stored.ts'
import { openForTest, type StoreFactory } from '../../tools.ts'

/** A document that is removed with its owner. */
interface Belonging {
  readonly name: string
  add(store: Store, owner: string): Promise<unknown>
  /** Returns everything of that owner's that is left. */
  left(store: Store, owner: string): Promise<readonly unknown[]>
}

const there = (...found: readonly unknown[]): readonly unknown[] =>
  found.filter(one => one !== null && one !== undefined)
const numbersOf = (agentId: string) => [aTextPair().ours, `of ${agentId}`] as const

const OF_AGENTS: readonly Belonging[] = [
  {
    name: 'phone numbers',
    add: ({ access }, agentId) => access.phoneNumbers.add([aPhoneNumber(`+${agentId}`, { agentId })], 9),
    left: ({ access }, agentId) => access.phoneNumbers.find([`+${agentId}`]),
  },
  {
    name: 'pools of numbers',
    add: ({ access }, agentId) => access.numberPool.add([aPooledNumber(`+${agentId}`, { agentId })], 9),
    left: async ({ access }, agentId) => there(await access.numberPool.find(`+${agentId}`)),
  },
  {
    name: 'shared replies',
    add: ({ access }, agentId) =>
      access.sharedReplies.save(aSharedReply(`R-${agentId}`, { agentId, code: agentId }), 0, 9),
    left: async ({ access }, agentId) => there(await access.sharedReplies.find(ACCOUNT, `R-${agentId}`)),
  },
  {
    name: 'sounds',
    add: ({ access }, agentId) => access.audioCache.add(aCachedAudio(agentId, { agentId }), 9_000),
    left: async ({ access }, agentId) => there(await access.audioCache.use(agentId, START)),
  },
  {
    name: 'alert rules',
    add: ({ alerts }, agentId) => alerts.rules.create(anAlertRule(agentId, { agentId }), 9),
    left: async ({ alerts }, agentId) => there(await alerts.rules.find(ACCOUNT, agentId)),
  },
  {
    name: 'counters',
    add: ({ alerts }, agentId) =>
      alerts.counters.add([
        aCount('call_volume', { agentId }),
        aCount('turn_latency', { agentId, value: 7 }),
      ]),
    left: async ({ alerts }, agentId) => {
      const of = { accountId: ACCOUNT, agentId, from: 0 }
      const [one, other] = [{ ...of, name: 'call_volume' } as const, { ...of, name: 'turn_latency' } as const]
      return [...(await alerts.counters.sum(one)), ...(await alerts.counters.sum(other))]
    },
  },
  {
    name: 'pairs of numbers',
    add: ({ conversations }, agentId) =>
      conversations.textPairs.save(aTextPair({ agentId, theirs: numbersOf(agentId)[1] }), 0),
    left: async ({ conversations }, agentId) =>
      there(await conversations.textPairs.find(...numbersOf(agentId))),
  },
  {
    name: 'outbound calls',
    add: ({ conversations }, agentId) =>
      conversations.outboundCalls.save(anOutboundCall(agentId, { agentId }), 0),
    left: async ({ conversations }, agentId) => {
      const due = await conversations.outboundCalls.due(START + 90_000, 9)
      return [
        ...due.filter(call => call.agentId === agentId),
        ...there(await conversations.outboundCalls.find(agentId)),
      ]
    },
  },
  {
    name: 'branches, deployments, rollouts, configs and test runs',
    add: async ({ agents }, agentId) => {
      await agents.branches.create(aBranch('BRANCH-1', { agentId }))
      await agents.deployments.create(aDeployment(1, { agentId }), aTestRun(1, { agentId, writes: 1 }))
      await agents.rollouts.start(aRollout('R-1', { agentId }), 1)
      await agents.testRuns.save(1, { ...aTestRun(1, { agentId }), writes: 2 }, [aTestResult('C1')])
      await agents.testRuns.create(aTestRun(1, { agentId, id: 'REPLAY-1' }), ['C-1'])
      await agents.realTimeConfigs.write(0, aRealTimeConfig({ agentId }))
    },
    left: async ({ agents }, agentId) =>
      there(
        await agents.testRuns.find(agentId, aTestRun(1, { agentId }).id),
        ...(await agents.testRuns.conversationsOf(agentId, 'REPLAY-1')),
        ...(await agents.testRuns.claim(START + 99, 9, START + 100)).filter(run => run.agentId === agentId),
        await agents.branches.find(agentId, 'BRANCH-1'),
        ...(JSON.stringify(await agentSnapshot(agents, agentId)) === JSON.stringify(NO_AGENT)
          ? []
          : ['more']),
      ),
  },
]

const expected = (conversationId: string) => ({
  ...{ eventId: `of ${conversationId}`, conversationId, accountId: ACCOUNT, agentId: AGENT },
})
/** Returns a key of a message, which another conversation takes where it is free. */
const key = (id: string, conversationId: string) => ({
  ...{ key: `of ${id}`, conversationId, at: START, freeUntil: 0 },
})

const OF_CONVERSATIONS: readonly Belonging[] = [
  {
    name: 'log, turns, record and list',
    add: async ({ conversations }, id) => {
      const created = aConversation(id, { events: [], index: { finishedAt: START } })
      await conversations.append(
        anAppend(created, 1, { turns: [aTurn(id)], events: [anEvent({ id, clientEventId: 'late' })] }),
      )
    },
    left: async ({ conversations }, id) =>
      there(
        ...(await eventsOf(conversations, id, 0)),
        ...(await conversations.turns(id)),
        await conversations.load(id),
        await conversations.version(id),
        await conversations.clientEvent(id, ['late']),
        await conversations.records.find(ACCOUNT, AGENT, id),
      ),
  },
  {
    name: 'external events',
    add: async ({ conversations: { externalEvents } }, id) => {
      await externalEvents.expect(expected(id))
      await externalEvents.expect({ ...expected(id), eventId: `came for ${id}` })
      const arrival = { contentType: 'text/plain', body: Uint8Array.of(1), receivedAt: START }
      await externalEvents.accept({ ...expected(id), ...arrival, eventId: `came for ${id}` })
    },
    left: async ({ conversations: { externalEvents } }, id) => {
      const late = { ...expected(id), contentType: 'text/plain', body: Uint8Array.of(1), receivedAt: START }
      const { status } = await externalEvents.accept(late)
      return there(status === 'unknown' ? null : status, await externalEvents.find(`came for ${id}`))
    },
  },
  {
    name: 'keys of messages',
    add: ({ conversations }, id) => conversations.messageKeys.take(key(id, id)),
    left: async ({ conversations: { messageKeys } }, id) =>
      there(
        await messageKeys.holder(id, 0),
        (await messageKeys.take(key(id, 'AS-others'))) === 'taken' ? null : 'held',
      ),
  },
  {
    name: 'outbound call of the same id',
    add: ({ conversations }, id) => conversations.outboundCalls.save(anOutboundCall(id), 0),
    left: async ({ conversations }, id) => there(await conversations.outboundCalls.find(id)),
  },
  {
    name: 'notes',
    add: ({ conversations }, id) => conversations.notes.add(aNote('n', { conversationId: id }), 9),
    left: ({ conversations }, id) => conversations.notes.list(id, 0, 9),
  },
  {
    name: 'summaries for live agents',
    add: ({ conversations }, id) =>
      conversations.summaries.save(aSummary(`${id}.1`, { conversationId: id }), 0),
    left: async ({ conversations }, id) => there(await conversations.summaries.find(`${id}.1`)),
  },
  {
    name: 'files',
    add: async ({ conversations: { files } }, id) => {
      await files.expect(`file of ${id}`, START)
      await files.add(aFile(`file of ${id}`, { conversationId: id }), { files: 9, bytes: 999 })
    },
    left: async ({ conversations }, id) => there(await conversations.files.find(`file of ${id}`)),
  },
  {
    name: 'recordings of calls',
    add: ({ conversations }, id) =>
      conversations.recordings.begin(aRecording(`recording of ${id}`, { conversationId: id }), 9),
    left: ({ conversations }, id) => conversations.recordings.list(id),
  },
  {
    name: 'events for endpoints',
    add: async ({ access, webhooks }, id) => {
      await webhooks.endpoints.create(anEndpoint('W-1'), 9)
      await webhooks.deliveries.keepEvent(aWebhookEvent(id, { conversationId: id }), 'W-1')
      await access.tokenKeys.secret('unrelated', 'secret')
    },
    left: async ({ webhooks }, id) => {
      const claimed = await webhooks.deliveries.claim('W-1', START, 9, START)
      const ids = claimed.map(({ event }) => event.id).filter(one => one === id)
      return there(...ids, await webhooks.deliveries.find('W-1', id))
    },
  },
  {
    name: 'results of test runs',
    add: async ({ agents }, id) => {
      await agents.create(anAgent())
      await agents.deployments.create(aDeployment(1), aTestRun(1, { id: 'T-1' }))
      const found = await agents.testRuns.find(AGENT, 'T-1')
      if (found === null) return
      const { run } = found
      await agents.testRuns.save(run.writes, { ...run, writes: run.writes + 1 }, [
        aTestResult(id),
        aTestResult('C1'),
      ])
    },
    left: async ({ agents }, id) => {
      const results = (await agents.testRuns.find(AGENT, 'T-1'))?.results ?? []
      expect(results.map(({ testCaseId }) => testCaseId)).toContain('C1')
      return results.filter(({ testCaseId }) => testCaseId === id)
    },
  },
]

/** Rules SA6 and SC113: documents that are removed with an agent, and with a conversation. */
export function describeBelongings(factory: StoreFactory): void {
  describe('belongings', () => {
    for (const { add, left, name } of OF_AGENTS)
      it(`SA6 they go with their agent, and no others do: ${name}`, async () => {
        const store = await openForTest(factory)
        for (const agentId of ['P-1', 'P-2']) {
          await store.agents.create(anAgent(agentId))
          await add(store, agentId)
        }
        expect(await store.agents.delete('P-none', START)).toBe(false)
        expect(await store.agents.delete('P-1', START)).toBe(true)
        expect(await left(store, 'P-1')).toEqual([])
        expect(await left(store, 'P-2')).not.toEqual([])
        await store.agents.create(anAgent('P-1'))
        if (!name.startsWith('branches')) expect(await left(store, 'P-1')).toEqual([])
      })

    for (const { add, left, name } of OF_CONVERSATIONS)
      it(`SC113 they go with their conversation, one by one or by age, and no others do: ${name}`, async () => {
        const store = await openForTest(factory)
        const { conversations } = store
        await conversations.create(aConversation('AS-others'))
        const ids: readonly ConversationId[] = ['AS-1', 'AS-2', 'AS-3']
        for (const [at, id] of ids.entries()) {
          await conversations.create(aConversation(id, { events: [], index: { finishedAt: START + at } }))
          await add(store, id)
          const version = (await conversations.version(id)) ?? 0
          const index = { finishedAt: START + at }
          await conversations.append(
            anAppend(aConversation(id, { index }), version, { events: [], wakeAt: null }),
          )
        }
        expect(await conversations.removals.remove(ACCOUNT, AGENT, 'AS-1')).toBe('removed')
        const scope = { accountId: ACCOUNT, agentId: AGENT, environment: 'live' } as const
        expect(await conversations.removals.removeFinished(scope, START + 2, 9)).toMatchObject({ removed: 1 })
        for (const id of ['AS-1', 'AS-2']) {
          expect(await left(store, id)).toEqual([])
          expect(await conversations.create(aConversation(id, { events: [] }))).toBe('created')
          expect(await conversations.load(id)).toMatchObject({ version: 1, pendingExternalEvents: [] })
        }
        expect(await left(store, 'AS-3')).not.toEqual([])
      })
  })
}
