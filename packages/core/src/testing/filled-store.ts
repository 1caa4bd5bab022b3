import { expect } from 'vitest'
import type { DeskOutcome } from '../domain/conversation/desk-outcome.ts'
import { projectIndex } from '../domain/conversation/project-record.ts'
import type { ConversationState } from '../domain/conversation/state.ts'
import type { ConversationId } from '../domain/ids.ts'
import type { Store } from '../ports/store/store.ts'
import { aConversation, anAppend, anEvent, aTurn } from './conversation-fixtures.ts'
import {
  ACCOUNT,
  AGENT,
  aBranch,
  aCachedAudio,
  aCommit,
  aConnector,
  aCount,
  aDeployment,
  aDeskOutcome,
  aDeskQueue,
  aDeskRoster,
  aDeskSeat,
  aFile,
  aNote,
  anAccount,
  anAgent,
  anAlertRule,
  anApiKey,
  anAuditEntry,
  anEndpoint,
  anOutboundCall,
  aPhoneNumber,
  aPooledNumber,
  aQueueAssignment,
  aRealTimeConfig,
  aRecording,
  aRollout,
  aSavedView,
  aSharedReply,
  aSummary,
  aTelephonyConnector,
  aTestResult,
  aTestRun,
  aTextPair,
  aTokenKey,
  aTopic,
  aVoice,
  aWebhookEvent,
  REPLAY_PLAN,
  START,
} from './fixtures.ts'

/** An id of an integrator's, of the conversation `AS-2`. */
export const SHARED_ID = 'shared-1'

/** The conversations of a filled store. */
export const CONVERSATIONS = ['AS-1', 'AS-2', 'AS-3', 'AS-4'] as const

/** Returns a handoff that waits in a queue. */
export const handoffOf = (queueName: string): NonNullable<ConversationState['handoff']> => ({
  ...{ id: `HANDOFF-${queueName}`, status: 'waiting', queueName, reason: '', destination: '' },
  ...{
    requestedAt: START,
    timeoutAt: START + 300_000,
    liveAgent: null,
    acceptedBy: null,
    attendedUntil: null,
  },
})

/** Begins a conversation. */
export async function begin(
  { conversations }: Store,
  id: ConversationId,
  startedAt: number = START,
): Promise<void> {
  const conversation = aConversation(id, { startedAt, wakeAt: START + 60_000 })
  await conversations.create({ ...conversation, index: projectIndex(conversation.state) })
}

/** A visitor's text, and the changes that come with it. */
interface Said {
  readonly text: string
  readonly change?: Partial<ConversationState>
  readonly wakeAt?: number
  readonly deskOutcomes?: readonly DeskOutcome[]
}

/** Writes on in a conversation as a platform does. */
export async function writeOn(
  { conversations }: Store,
  id: ConversationId,
  { text, change = {}, wakeAt = START + 60_000, deskOutcomes = [] }: Said,
): Promise<void> {
  const stored = await conversations.load(id)
  if (stored === null) return
  const { state } = stored
  const next = { ...state, ...change, sequence: state.sequence + 1 }
  const append = anAppend(
    { conversationId: id, index: projectIndex(state), wakeAt: START + 60_000, state },
    stored.version,
    {
      state: next,
      events: [anEvent({ id: `${id}-${next.sequence}`, clientEventId: `client-${next.sequence}` })],
      turns: [aTurn(text)],
      wakeAt: change.endedAt === undefined ? wakeAt : null,
      deskOutcomes,
    },
  )
  const written = await conversations.append({ ...append, index: projectIndex(next) })
  expect(written.status).toBe('appended')
}

async function fillAccess({ access, audit }: Store): Promise<void> {
  await access.accounts.create(anAccount(), { audit: anAuditEntry('AUDIT-1') })
  await access.accounts.create(anAccount('ws-two'))
  await access.apiKeys.create(anApiKey('KEY-1'))
  await access.apiKeys.create(anApiKey('KEY-2'))
  await access.apiKeys.revoke('KEY-2', START + 5)
  await access.apiKeys.touch('KEY-1', START + 9, 1)
  await access.connectors.create(aConnector('CONNECTOR-1'))
  await access.connectors.create(aTelephonyConnector('CONNECTOR-2'))
  const answered = aPhoneNumber('+15550000001', { connectorId: 'CONNECTOR-2' })
  await access.phoneNumbers.add([answered, aPhoneNumber('+15550000002')], 9)
  await access.numberPool.add([aPooledNumber('+15550000003'), aPooledNumber('+15550000004')], 9)
  await access.voices.create(aVoice('VOICE-1'), 9)
  await access.deskQueues.save(aDeskQueue('billing'), 0, 9)
  await access.savedViews.save(aSavedView('Open'), 0, 9)
  await access.sharedReplies.save(aSharedReply('REPLY-1', { language: 'en' }), 0, 9)
  await access.deskRosters.save(aDeskRoster(), 0)
  await access.queueAssignments.save(aQueueAssignment('billing'), 0, 9)
  await access.deskSeats.keep(aDeskSeat('SEAT-1', { queues: ['billing'] }), START)
  await access.audioCache.add(aCachedAudio('1', { hitCount: 4, usedAt: START + 9 }), 900)
  await access.audioCache.add(aCachedAudio('2', {}, new Uint8Array([0, 255, 128, 10])), 900)
  await access.voices.create(aVoice('VOICE-2', { metadata: { language: 'de-DE' }, version: 3 }), 9)
  await access.numberPool.reserve(AGENT, { attributes: { order: 7 }, at: START, until: START + 600 })
  await access.tokenKeys.secret('cursor', 'a secret')
  await access.tokenKeys.add(aTokenKey(1), START)
  await access.tokenKeys.add(aTokenKey(2), START + 100)
  await audit.append(anAuditEntry('AUDIT-2', { at: START + 1 }))
}

/** Fills a store with agents. */
export async function fillAgents({ agents }: Store): Promise<void> {
  await agents.create(anAgent())
  await agents.create(anAgent('PROJECT-GONE'))
  await agents.delete('PROJECT-GONE', START + 3)
  const branch = aBranch('BRANCH-1', { agentId: AGENT })
  await agents.branches.create(branch)
  const edited = { ...branch, version: 2, updatedAt: START + 4 }
  await agents.branches.edit(1, edited, [aTopic('one'), aTopic('two')])
  await agents.revisions.commit(
    aCommit(edited, { revision: 1, deployment: 0 }, [aTopic('one'), aTopic('two')]),
  )
  await agents.branches.create(aBranch('BRANCH-2', { agentId: AGENT, baseRevision: 2 }))
  await agents.branches.edit(1, aBranch('BRANCH-2', { agentId: AGENT, baseRevision: 2, version: 2 }), [
    { kind: 'topics', id: 'one', value: null },
  ])
  await agents.deployments.create(
    aDeployment(2, { environment: 'live', revision: 2, type: 'promotion' }),
    aTestRun(2),
  )
  await agents.testRuns.save(1, { ...aTestRun(2), writes: 2 }, [aTestResult('one'), aTestResult('two')])
  // A run outlives its branch.
  await agents.branches.create(aBranch('BRANCH-3', { agentId: AGENT }))
  const tested = { id: 'BRANCH-3', version: 1, testCaseIds: ['one'] }
  await agents.testRuns.create(
    aTestRun(2, { id: 'T-branch', deploymentId: 'BRANCH-3', version: '', branch: tested }),
  )
  await agents.branches.delete(AGENT, 'BRANCH-3')
  await agents.testRuns.create(aTestRun(2, { id: 'REPLAY-1', replay: REPLAY_PLAN }), ['AS-1', 'AS-2'])
  await agents.rollouts.start(aRollout('ROLLOUT-1', { environment: 'pre-release' }), 2)
  await agents.realTimeConfigs.write(0, aRealTimeConfig())
}

async function fillConversations(store: Store): Promise<void> {
  const { externalEvents } = store.conversations
  for (const id of CONVERSATIONS) await begin(store, id)
  await writeOn(store, 'AS-1', { text: 'Where is my parcel?', deskOutcomes: [aDeskOutcome('OUTCOME-1')] })
  await writeOn(store, 'AS-1', {
    text: 'Thank you',
    change: { endedAt: START + 9_000, endReason: 'REASON_USER_END' },
  })
  // The handoffs do not come in the order of their conversations.
  await writeOn(store, 'AS-3', {
    text: 'A human, please',
    change: { handoff: handoffOf('sales'), owner: 'queue' },
  })
  await writeOn(store, 'AS-2', {
    text: 'Somebody?',
    change: {
      handoff: handoffOf('reception'),
      handedOff: { data: { ticket: 7 }, sharedId: SHARED_ID, at: START + 1 },
      owner: 'queue',
    },
  })
  for (const id of ['N-1', 'N-2']) await store.conversations.notes.add(aNote(id), 9)
  await store.conversations.summaries.save(aSummary('AS-1.1'), 0)
  for (const id of ['FILE-1', 'FILE-2']) {
    await store.conversations.files.expect(id, START + 60_000)
    await store.conversations.files.add(aFile(id), { files: 9, bytes: 999 })
  }
  await store.conversations.files.name('AS-1', 'visitor', ['FILE-1'])
  await store.conversations.recordings.begin(aRecording('RECORDING-1'), 9)
  for (const eventId of ['event-1', 'event-2', 'event-3']) {
    const whose = { accountId: ACCOUNT, agentId: AGENT }
    await externalEvents.expect({ eventId, conversationId: 'AS-4', ...whose })
    const body = new TextEncoder().encode(`{"id":"${eventId}"}`)
    if (eventId !== 'event-3')
      await externalEvents.accept({
        eventId,
        ...whose,
        contentType: 'application/json',
        body,
        receivedAt: START,
      })
  }
}

async function fillWebhooks({ webhooks }: Store): Promise<void> {
  await webhooks.endpoints.create(anEndpoint('ENDPOINT-1'), 10)
  await webhooks.deliveries.keepEvent(aWebhookEvent('EVENT-1'), 'ENDPOINT-1')
  await webhooks.deliveries.keepEvent(aWebhookEvent('EVENT-2', { conversationId: null }), 'ENDPOINT-1')
  const [claimed] = await webhooks.deliveries.claim('ENDPOINT-1', START + 1, 1, START + 60_000)
  if (claimed === undefined) throw new Error('Nothing was claimed.')
  const { delivery } = claimed
  const next = { ...delivery, status: 'delivered' as const, dueAt: null, inFlight: false }
  const answered = { contentType: 'text/plain', bytes: 2, text: 'é', isCut: false }
  const exchange = { url: 'https://hooks.example.com/in', sentAt: START, body: answered }
  const sent = { ...next, attempts: 1, version: delivery.version + 1 }
  await webhooks.deliveries.update(delivery.version, sent, exchange)
}

async function fillAlerts({ alerts }: Store): Promise<void> {
  await alerts.rules.create(anAlertRule('ar_1', { agentId: AGENT, state: 'alert', since: START + 1 }), 10)
  await alerts.rules.create(anAlertRule('ar_2', { enabled: false }), 10)
  await alerts.counters.add([
    ...[aCount('turn_latency', { value: 900, count: 3 }), aCount('turn_latency', { value: 1_800 })],
    ...[aCount('api_errors', { agentId: null }), aCount('api_errors', { minute: START + 60_000 })],
  ])
}

async function fillTexts({ conversations: { textPairs } }: Store): Promise<void> {
  await textPairs.save(aTextPair({ recent: [{ id: 'SM-1', conversationId: 'AS-1' }] }), 0)
  await textPairs.save(aTextPair({ theirs: '+12025550112', optedOut: true }), 0)
}

async function fillCalls({ conversations: { outboundCalls } }: Store): Promise<void> {
  await outboundCalls.save(anOutboundCall('OUT-1', { metadata: { order: '12' } }), 0)
  await outboundCalls.save(
    anOutboundCall('OUT-2', { phase: 'succeeded', endedAt: START, dueAt: START + 7 }),
    0,
  )
}

/** Fills a store with documents of every kind, and with conversations. */
export async function fillStore(store: Store): Promise<void> {
  await fillAccess(store)
  await fillAgents(store)
  await fillConversations(store)
  await fillWebhooks(store)
  await fillAlerts(store)
  await fillTexts(store)
  await fillCalls(store)
}

/** Writes each of the texts, which differ, wherever a caller's text or a key can be. */
export async function fillWithTexts(store: Store, texts: readonly string[]): Promise<void> {
  await begin(store, 'AS-1')
  for (const [at, text] of texts.entries()) {
    const id = `ODD-${at}`
    await store.access.accounts.create(anAccount(`ws-${at}`, { name: text, slug: `${at}${text}` }))
    await store.access.apiKeys.create(anApiKey(`KEY${text}`, { name: text, hash: `${at}` }))
    await store.access.tokenKeys.secret(`${at}${text}`, text)
    await store.audit.append(anAuditEntry(id, { actor: { type: 'library', id: text, name: text } }))
    await writeOn(store, 'AS-1', { text })
    await begin(store, `${text}${id}`)
    await store.conversations.externalEvents.expect({
      ...{ eventId: `${text}event`, conversationId: `${text}${id}`, accountId: ACCOUNT, agentId: AGENT },
    })
  }
}
