import { describe, expect, it } from 'vitest'
import { aConversation, anAppend, anEvent } from '../../../conversation-fixtures.ts'
import { fillStore } from '../../../filled-store.ts'
import {
  ACCOUNT,
  AGENT,
  aCount,
  aDeployment,
  anAccount,
  anAgent,
  anAuditEntry,
  aTextPair,
  aVoice,
  START,
} from '../../../fixtures.ts'
import { tellOf } from '../told.ts'
import { openForTest, reopenForTest, type StoreFactory } from '../tools.ts'
import { describeAccess } from './access.ts'
import { describeAgents } from './agents.ts'
import { describeAlerts } from './alerts.ts'
import { describeAudioCache } from './audio-cache.ts'
import { describeAudit } from './audit.ts'
import { describeBranches } from './branches.ts'
import { describeCallsAndTexts } from './calls-and-texts.ts'
import { describeConversations } from './conversations.ts'
import { describeDeskQueues } from './desk-queues.ts'
import { describeDeskRosters } from './desk-rosters.ts'
import { describeDeskSeats } from './desk-seats.ts'
import { describeBelongings } from './every-group/belongings.ts'
import { describeLists } from './every-group/lists.ts'
import { describeRaces } from './every-group/races.ts'
import { describeValues } from './every-group/values.ts'
import { describeExternalEvents } from './external-events.ts'
import { describeFiles } from './files.ts'
import { describeIntervals } from './intervals.ts'
import { describeLogs } from './logs.ts'
import { describeNotes } from './notes.ts'
import { describeNumbers } from './numbers.ts'
import { describeRecordings } from './recordings.ts'
import { describeRemovals } from './removals.ts'
import { describeRevisions } from './revisions.ts'
import { describeRollouts } from './rollouts.ts'
import { describeSavedViews } from './saved-views.ts'
import { describeSharedReplies } from './shared-replies.ts'
import { describeSummaries } from './summaries.ts'
import { describeTestRuns } from './test-runs.ts'
import { describeTimers } from './timers.ts'
import { describeTurnVectors } from './turn-vectors.ts'
import { describeVisitors } from './visitors.ts'
import { describeWaitingLines } from './waiting-lines.ts'
import { describeWebhooks } from './webhooks.ts'

const GROUPS: readonly ((factory: StoreFactory) => void)[] = [
  ...[describeRaces, describeLists, describeValues, describeBelongings],
  ...[describeAgents, describeBranches, describeRevisions, describeRollouts, describeTestRuns],
  ...[describeConversations, describeLogs, describeIntervals, describeTimers, describeExternalEvents],
  ...[describeWaitingLines, describeRemovals, describeTurnVectors, describeCallsAndTexts],
  ...[describeAccess, describeNumbers, describeAudioCache, describeWebhooks, describeAlerts, describeAudit],
  ...[
    describeDeskRosters,
    describeDeskSeats,
    describeDeskQueues,
    describeNotes,
    describeFiles,
    describeRecordings,
    describeSharedReplies,
    describeSummaries,
  ],
  ...[describeSavedViews, describeVisitors],
]

function describeStore(factory: StoreFactory): void {
  it('ST1 two stores share nothing, and the parts of one are independent', async () => {
    const [one, two] = await Promise.all([openForTest(factory), openForTest(factory)])
    await fillStore(one)
    const empty = await tellOf(two)
    expect(await two.access.tokenKeys.secret('token', 'two')).toBe('two')
    expect(empty).toEqual(await tellOf(await openForTest(factory)))
    expect(await one.agents.delete(AGENT, START)).toBe(true)
    expect(await one.conversations.records.find(ACCOUNT, AGENT, 'AS-1')).not.toBeNull()
    expect(await one.access.accounts.find(ACCOUNT)).toEqual(anAccount())
  })

  it('ST3 after `close` every part rejects its calls', async () => {
    const store = await factory.open()
    await store.agents.create(anAgent())
    await store.close()
    const { access, agents, alerts, audit, conversations, webhooks } = store
    const calls = [
      ...[() => agents.find(AGENT), () => agents.create(anAgent('PROJECT-TWO'))],
      () => agents.deployments.create(aDeployment(1), null),
      ...[() => conversations.load('AS-1'), () => conversations.create(aConversation('AS-1'))],
      () => conversations.append(anAppend(aConversation('AS-1'), 1)),
      ...[() => conversations.timers.claimDue(1, 1, 2), () => conversations.textPairs.save(aTextPair(), 0)],
      ...[() => conversations.outboundCalls.due(START, 1), () => access.accounts.list({}, 100)],
      ...[() => access.accounts.create(anAccount()), () => access.tokenKeys.secret('token', 'late')],
      ...[() => access.phoneNumbers.find(['+1555']), () => access.numberPool.find('+1555')],
      ...[
        () => access.sharedReplies.list(ACCOUNT),
        () => access.deskQueues.list(ACCOUNT),
        () => access.queueAssignments.list(ACCOUNT),
        () => access.deskRosters.find(ACCOUNT),
        () => access.savedViews.list(ACCOUNT),
      ],
      ...[() => access.deskSeats.list(ACCOUNT, START, 1), () => conversations.notes.list('AS-1', 0, 1)],
      () => conversations.summaries.due(START, 1),
      () => conversations.visitors.pairs(ACCOUNT, '+1', null, 1),
      ...[() => access.voices.list(ACCOUNT), () => access.audioCache.use('1', START)],
      ...[() => webhooks.endpoints.list(ACCOUNT, {}, 100), () => webhooks.deliveries.dueEndpoints(START, 1)],
      ...[() => alerts.rules.list(ACCOUNT), () => alerts.counters.add([aCount('api_errors')])],
      ...[() => audit.list({}, 1), () => audit.append(anAuditEntry('AUDIT-1'))],
    ]
    for (const call of calls) {
      const pending = call()
      expect(pending).toBeInstanceOf(Promise)
      await expect(pending).rejects.toThrow(/./)
    }
  })

  it('ST3 `close` waits for writes under way: each resolves as it would have', async () => {
    const store = await factory.open()
    await store.access.voices.create(aVoice('V-1'), 9)
    const writes = [
      ...['AS-1', 'AS-2', 'AS-3'].map(id => store.conversations.create(aConversation(id))),
      store.agents.create(anAgent()),
      store.access.voices.update(1, aVoice('V-1', { version: 2 })),
      store.conversations.textPairs.save(aTextPair(), 0),
    ]
    await Promise.all([store.close(), store.close()])
    expect(await Promise.all<string>(writes)).toEqual([
      'created',
      'created',
      'created',
      'created',
      'written',
      'saved',
    ])
  })

  const { reopen } = factory
  if (reopen === undefined) return

  it('ST3 and ST9 a store that holds nothing can be opened again, and again, and then holds what was under way at `close`', async () => {
    const first = await factory.open()
    await first.close()
    const store = await reopen(first)
    expect(await store.access.accounts.list({}, 100)).toEqual([])
    const writes = [
      ...[store.conversations.create(aConversation('AS-1')), store.agents.create(anAgent())],
      store.access.accounts.create(anAccount()),
    ]
    const again = await reopenForTest(reopen, store)
    expect(await Promise.all(writes)).toEqual(['created', 'created', 'created'])
    expect(await again.conversations.load('AS-1')).toMatchObject({ version: 1 })
    expect(await again.agents.find(AGENT)).toEqual(anAgent().agent)
    expect(await again.access.accounts.list({}, 100)).toEqual([anAccount()])
  })

  it('ST9 all of it is there when the store is opened again, and what was decided before is still in force', async () => {
    const store = await factory.open()
    await fillStore(store)
    expect(await store.alerts.rules.claimAccounts(START, START + 10)).toEqual([ACCOUNT])
    expect(await store.conversations.handoffs.claimLines(START, START + 10)).toEqual([ACCOUNT])
    expect(await store.conversations.timers.claimDue(START + 60_000, 9, START + 90_000)).toHaveLength(3)
    const key = { key: 'k', conversationId: 'AS-1', at: START, freeUntil: 0 }
    await store.conversations.messageKeys.take(key)
    const before = await tellOf(store)
    const again = await reopenForTest(reopen, store)
    expect(await tellOf(again)).toEqual(before)
    const { access, agents, alerts, conversations } = again
    const rules = [
      await alerts.rules.claimAccounts(START + 9, START + 19),
      await alerts.rules.claimAccounts(START + 10, START + 20),
    ]
    expect(rules).toEqual([[], [ACCOUNT]])
    const lines = [9, 10].map(now => conversations.handoffs.claimLines(START + now, START + now + 10))
    expect(await Promise.all(lines)).toEqual([[], [ACCOUNT]])
    expect(await conversations.timers.claimDue(START + 89_999, 9, START + 99_000)).toEqual([])
    expect(await conversations.messageKeys.take({ ...key, conversationId: 'AS-2' })).toBe('held')
    expect([await agents.create(anAgent()), await conversations.create(aConversation('AS-1'))]).toEqual([
      'taken',
      'taken',
    ])
    expect(await access.accounts.create(anAccount('ws-three', { slug: anAccount().slug }))).toBe('taken')
    expect(await conversations.append(anAppend(aConversation('AS-3'), 1))).toEqual({ status: 'stale' })
    const repeated = anAppend(aConversation('AS-3'), 2, { events: [anEvent({ clientEventId: 'client-2' })] })
    expect(await conversations.append(repeated)).toEqual({ status: 'duplicate', sequence: 2 })
  })
}

/**
 * Declares core's rules over a database for one store: every group of methods, once. A database whose documents pass
 * `testDocuments` passes these, since core makes the store of them (`storeOver`). To be called at the top level of a
 * vitest file:
 *
 *     testStore('my store', { open: async () => createMyStore() })
 */
export function testStore(name: string, factory: StoreFactory): void {
  describe(`${name}: store`, () => describeStore(factory))
  for (const describeGroup of GROUPS) describe(name, () => describeGroup(factory))
}
