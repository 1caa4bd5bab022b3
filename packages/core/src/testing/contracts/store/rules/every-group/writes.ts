import type { Outbox } from '../../../../../ports/store/outbox.ts'
import type { Store } from '../../../../../ports/store/store.ts'
import { aConversation, anAppend, anEvent } from '../../../../conversation-fixtures.ts'
import {
  ACCOUNT,
  AGENT,
  aBranch,
  aCachedAudio,
  aCommit,
  aConnector,
  aDeployment,
  aDeskQueue,
  anAccount,
  anAgent,
  anAlertRule,
  anApiKey,
  anEndpoint,
  anOutboundCall,
  aPhoneNumber,
  aPooledNumber,
  aQueueAssignment,
  aRealTimeConfig,
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
  START,
} from '../../../../fixtures.ts'
import { frozen, RACERS, scribbling } from '../../tools.ts'

// Long: data alone, of every write for which callers race.

/** A write that changes something when it is made for the first time, and nothing when it is made again. */
export interface Write {
  readonly name: string
  /** Writes the data that must exist before. */
  prepare?(store: Store): Promise<unknown>
  make(store: Store, racer: number, outbox: Outbox): Promise<unknown>
  /** The result of the winning write. @default all writes have the same result */
  readonly won?: unknown
  /** Returns the value that is read afterwards if it was that racer's write. */
  of?(racer: number): unknown
  read?(store: Store): Promise<unknown>
}

/**
 * Returns a write of a value that is read as it was written. It is copied when the call is made, and never written to.
 */
function keeping<T>({
  make,
  ...rest
}: Omit<Write, 'make' | 'of'> & {
  of(racer: number): T
  make(store: Store, value: T, outbox: Outbox): Promise<unknown>
}): Write {
  return {
    ...rest,
    make: (store, racer, outbox) =>
      racer % 2 === 0
        ? make(store, frozen(rest.of(racer)), outbox)
        : scribbling(rest.of(racer), value => make(store, value, outbox)),
  }
}

const agentIsThere = ({ agents }: Store) => agents.create(anAgent())
async function branchIsThere(store: Store): Promise<void> {
  await agentIsThere(store)
  await store.agents.branches.create(aBranch('BRANCH-1'))
}
async function runIsThere(store: Store): Promise<void> {
  await agentIsThere(store)
  await store.agents.deployments.create(aDeployment(1), aTestRun(1))
}
const endpointIsThere = ({ webhooks }: Store) => webhooks.endpoints.create(anEndpoint('W-1'), 2)
const ruleIsThere = ({ alerts }: Store) => alerts.rules.create(anAlertRule('ar_1'), 2)
async function numberIsThere({ access }: Store): Promise<void> {
  for (let racer = 0; racer <= RACERS; racer++)
    await access.connectors.create(aTelephonyConnector(`T-${racer}`))
  await access.phoneNumbers.add([aPhoneNumber('+1555')], 9)
}
async function conversationsAreThere({ conversations }: Store): Promise<void> {
  for (let racer = 0; racer <= RACERS; racer++)
    await conversations.create(aConversation(`AS-${racer}`, { index: { finishedAt: START } }))
}

const merge = (racer: number) =>
  aCommit(aBranch('BRANCH-1'), { revision: 1, deployment: 0 }, [aTopic('a', { content: `${racer}` })])
const content = (racer: number) => [
  aTopic('a', { content: `${racer}` }),
  aTopic('b', { content: `${racer}` }),
]
const appended = (racer: number) =>
  anAppend(aConversation('AS-1'), 1, {
    events: [anEvent({ id: `a ${racer}` }), anEvent({ id: `b ${racer}` })],
    state: { agentName: `${racer}` },
  })
/** Returns the agent's name in a conversation, and the ids of its events from that place on. */
const readConversation = async ({ conversations }: Store, after: number) => {
  const { events } = await conversations.eventPage('AS-1', after, { count: 9, bytes: 9_000 })
  return [(await conversations.load('AS-1'))?.state.agentName, ...events.map(({ id }) => id)]
}

/** Every method of every group that takes an outbox. */
export const TOLD_WRITES: readonly Write[] = [
  keeping({
    ...{ name: 'accounts.create', won: 'created', of: racer => anAccount(`ws-${racer}`, { slug: 'same' }) },
    make: ({ access }, value, outbox) => access.accounts.create(value, outbox),
    read: ({ access }) => access.accounts.find('same'),
  }),
  keeping({
    ...{ name: 'apiKeys.create', won: 'created', of: racer => anApiKey(`KEY-${racer}`, { hash: 'same' }) },
    make: ({ access }, value, outbox) => access.apiKeys.create(value, outbox),
    read: ({ access }) => access.apiKeys.findByHash('same'),
  }),
  {
    ...{ name: 'apiKeys.revoke', prepare: ({ access }) => access.apiKeys.create(anApiKey('KEY-1')) },
    make: ({ access }, _, outbox) => access.apiKeys.revoke('KEY-1', START, outbox),
  },
  keeping({
    ...{ name: 'connectors.create', won: 'created' },
    of: racer => aConnector(`C-${racer}`, { tokenHash: 'same' }),
    make: ({ access }, value, outbox) => access.connectors.create(value, outbox),
    read: ({ access }) => access.connectors.findByTokenHash('same'),
  }),
  keeping({
    ...{ name: 'connectors.update', won: 'written', of: racer => aConnector('C-1', { name: `${racer}` }) },
    prepare: ({ access }) => access.connectors.create(aConnector('C-1')),
    make: ({ access }, value, outbox) => access.connectors.update(aConnector('C-1'), value, outbox),
    read: ({ access }) => access.connectors.find('C-1'),
  }),
  {
    ...{ name: 'connectors.revoke', prepare: ({ access }) => access.connectors.create(aConnector('C-1')) },
    make: ({ access }, _, outbox) => access.connectors.revoke('C-1', START, outbox),
  },
  {
    name: 'connectors.revokeTelephony',
    prepare: ({ access }) => access.connectors.create(aTelephonyConnector('C-1')),
    make: ({ access }, _, outbox) => access.connectors.revokeTelephony('C-1', START, outbox),
  },
  keeping({
    ...{ name: 'phoneNumbers.add', won: 'added' },
    of: racer => [aPhoneNumber('+1555', { agentId: `P-${racer}` })],
    make: async ({ access }, value, outbox) => (await access.phoneNumbers.add(value, 9, outbox)).outcome,
    read: ({ access }) => access.phoneNumbers.find(['+1555']),
  }),
  keeping({
    ...{ name: 'phoneNumbers.update', won: 'written', prepare: numberIsThere },
    of: racer => aPhoneNumber('+1555', { connectorId: `T-${racer}` }),
    make: ({ access }, value, outbox) => access.phoneNumbers.update(aPhoneNumber('+1555'), value, outbox),
    read: async ({ access }) => (await access.phoneNumbers.find(['+1555']))[0],
  }),
  {
    ...{ name: 'phoneNumbers.remove', won: true, prepare: numberIsThere },
    make: ({ access }, _, outbox) => access.phoneNumbers.remove(AGENT, '+1555', outbox),
  },
  keeping({
    ...{ name: 'numberPool.add', won: 'added' },
    of: racer => aPooledNumber('+1555', { agentId: `P-${racer}` }),
    make: async ({ access }, value, outbox) => (await access.numberPool.add([value], 9, outbox)).outcome,
    read: ({ access }) => access.numberPool.find('+1555'),
  }),
  {
    ...{ name: 'numberPool.remove', won: true },
    prepare: ({ access }) => access.numberPool.add([aPooledNumber('+1555')], 9),
    make: ({ access }, _, outbox) => access.numberPool.remove(AGENT, '+1555', outbox),
  },
  keeping({
    ...{ name: 'voices.create', won: 'created', of: racer => aVoice('V-1', { name: `${racer}` }) },
    make: ({ access }, value, outbox) => access.voices.create(value, 9, outbox),
    read: ({ access }) => access.voices.find(ACCOUNT, 'V-1'),
  }),
  keeping({
    ...{
      name: 'voices.update',
      won: 'written',
      of: racer => aVoice('V-1', { name: `${racer}`, version: 2 }),
    },
    prepare: ({ access }) => access.voices.create(aVoice('V-1'), 9),
    make: ({ access }, value, outbox) => access.voices.update(1, value, outbox),
    read: ({ access }) => access.voices.find(ACCOUNT, 'V-1'),
  }),
  keeping({
    ...{ name: 'deskQueues.save', won: 'saved' },
    of: racer => aDeskQueue('billing', { holidays: [`200${racer}-01-01`] }),
    make: ({ access }, value, outbox) => access.deskQueues.save(value, 0, 9, outbox),
    read: ({ access }) => access.deskQueues.find(ACCOUNT, 'billing'),
  }),
  {
    ...{ name: 'deskQueues.remove', won: true },
    prepare: ({ access }) => access.deskQueues.save(aDeskQueue('billing'), 0, 9),
    make: ({ access }, _, outbox) => access.deskQueues.remove(ACCOUNT, 'billing', outbox),
  },
  keeping({
    ...{ name: 'savedViews.save', won: 'saved' },
    of: racer => aSavedView('Open', { filters: { find: `${racer}` } }),
    make: ({ access }, value, outbox) => access.savedViews.save(value, 0, 9, outbox),
    read: ({ access }) => access.savedViews.find(ACCOUNT, 'Open'),
  }),
  {
    ...{ name: 'savedViews.remove', won: true },
    prepare: ({ access }) => access.savedViews.save(aSavedView('Open'), 0, 9),
    make: ({ access }, _, outbox) => access.savedViews.remove(ACCOUNT, 'Open', outbox),
  },
  keeping({
    ...{ name: 'queueAssignments.save', won: 'saved' },
    of: racer => aQueueAssignment('billing', { skills: [`skill ${racer}`] }),
    make: ({ access }, value, outbox) => access.queueAssignments.save(value, 0, 9, outbox),
    read: ({ access }) => access.queueAssignments.find(ACCOUNT, 'billing'),
  }),
  {
    ...{ name: 'queueAssignments.remove', won: true },
    prepare: ({ access }) => access.queueAssignments.save(aQueueAssignment('billing'), 0, 9),
    make: ({ access }, _, outbox) => access.queueAssignments.remove(ACCOUNT, 'billing', outbox),
  },
  keeping({
    ...{ name: 'sharedReplies.save', won: 'saved', of: racer => aSharedReply('R-1', { text: `${racer}` }) },
    make: ({ access }, value, outbox) => access.sharedReplies.save(value, 0, 9, outbox),
    read: ({ access }) => access.sharedReplies.find(ACCOUNT, 'R-1'),
  }),
  {
    ...{ name: 'sharedReplies.remove', won: true },
    prepare: ({ access }) => access.sharedReplies.save(aSharedReply('R-1'), 0, 9),
    make: ({ access }, _, outbox) => access.sharedReplies.remove(ACCOUNT, 'R-1', outbox),
  },
  keeping({
    ...{ name: 'audioCache.replace', won: 'written' },
    of: racer => aCachedAudio('1', { version: 2 }, new Uint8Array([racer])),
    prepare: ({ access }) => access.audioCache.add(aCachedAudio('1'), 900),
    make: ({ access }, value, outbox) => access.audioCache.replace(1, value, 900, outbox),
    read: ({ access }) => access.audioCache.read(AGENT, '1'),
  }),
  {
    ...{ name: 'audioCache.remove', won: true },
    prepare: ({ access }) => access.audioCache.add(aCachedAudio('1'), 900),
    make: ({ access }, _, outbox) => access.audioCache.remove(AGENT, '1', outbox),
  },
  keeping({
    ...{ name: 'tokenKeys.add', won: 'added', of: racer => aTokenKey(1, { id: `K-${racer}` }) },
    make: ({ access }, value, outbox) => access.tokenKeys.add(value, START, outbox),
    read: async ({ access }) => (await access.tokenKeys.list())[0],
  }),
  {
    ...{ name: 'agents.create', won: 'created', of: racer => [`${racer}`, content(racer)] },
    make: ({ agents }, racer, outbox) =>
      agents.create(anAgent(AGENT, { name: `${racer}`, changes: content(racer) }), outbox),
    read: async ({ agents }) => [
      (await agents.find(AGENT))?.name,
      await agents.revisions.resourcesAt(AGENT, 1),
    ],
  },
  {
    ...{ name: 'agents.rename', won: true, prepare: agentIsThere, of: racer => `${racer}` },
    make: ({ agents }, racer, outbox) =>
      agents.rename(AGENT, { before: anAgent().agent.name, after: `${racer}` }, START, outbox),
    read: async ({ agents }) => (await agents.find(AGENT))?.name,
  },
  {
    ...{ name: 'agents.delete', won: true, prepare: agentIsThere },
    make: ({ agents }, _, outbox) => agents.delete(AGENT, START, outbox),
  },
  {
    ...{ name: 'branches.delete', won: true, prepare: branchIsThere },
    make: ({ agents }, _, outbox) => agents.branches.delete(AGENT, 'BRANCH-1', outbox),
  },
  {
    ...{ name: 'revisions.commit', won: 'committed', prepare: branchIsThere },
    make: ({ agents }, racer, outbox) => agents.revisions.commit(merge(racer), outbox),
    of: racer => [...merge(racer).changes, merge(racer).branch.next, merge(racer).deployment],
    read: async ({ agents }) => [
      ...(await agents.revisions.changesBetween(AGENT, 1, 2)),
      await agents.branches.find(AGENT, 'BRANCH-1'),
      ...(await agents.deployments.active(AGENT)),
    ],
  },
  keeping({
    ...{ name: 'deployments.create', won: 'deployed', prepare: agentIsThere },
    of: racer => aDeployment(1, { id: `D-${racer}`, environment: racer % 2 === 0 ? 'live' : 'sandbox' }),
    make: ({ agents }, value, outbox) => agents.deployments.create(value, null, outbox),
    read: async ({ agents }) => (await agents.deployments.active(AGENT))[0],
  }),
  keeping({
    ...{ name: 'testRuns.create', won: 'created', prepare: runIsThere },
    of: racer => aTestRun(1, { id: 'T-next', error: `${racer}` }),
    make: ({ agents }, value, outbox) => agents.testRuns.create(value, [], outbox),
    read: ({ agents }) => agents.testRuns.run(AGENT, 'T-next'),
  }),
  keeping({
    ...{ name: 'testRuns.save', won: 'written', prepare: runIsThere },
    of: racer => ({
      run: { ...aTestRun(1), error: `${racer}`, writes: 2 },
      results: [aTestResult(`${racer}`)],
    }),
    make: ({ agents }, { results, run }, outbox) => agents.testRuns.save(1, run, results, outbox),
    read: ({ agents }) => agents.testRuns.find(AGENT, aTestRun(1).id),
  }),
  keeping({
    ...{ name: 'rollouts.start', won: 'started', prepare: agentIsThere },
    of: racer => aRollout(`R-${racer}`),
    make: ({ agents }, value, outbox) => agents.rollouts.start(value, 0, outbox),
    read: async ({ agents }) => (await agents.rollouts.running(AGENT))[0],
  }),
  keeping({
    ...{ name: 'rollouts.change', won: 'changed' },
    async prepare({ agents }) {
      await agents.create(anAgent())
      await agents.rollouts.start(aRollout('R-1'), 0)
    },
    of: racer => aRollout('R-1', { salt: `${racer}` }),
    make: ({ agents }, after, outbox) => agents.rollouts.change({ before: aRollout('R-1'), after }, outbox),
    read: ({ agents }) => agents.rollouts.find(AGENT, 'R-1'),
  }),
  keeping({
    ...{ name: 'realTimeConfigs.write', won: 'written', prepare: agentIsThere },
    of: racer => aRealTimeConfig({ variables: { racer } }),
    make: ({ agents }, value, outbox) => agents.realTimeConfigs.write(0, value, outbox),
    read: ({ agents }) => agents.realTimeConfigs.find(AGENT, 'sandbox'),
  }),
  keeping({
    ...{ name: 'endpoints.create', won: 'created', of: racer => anEndpoint('W-1', { name: `${racer}` }) },
    make: ({ webhooks }, value, outbox) => webhooks.endpoints.create(value, 2, outbox),
    read: ({ webhooks }) => webhooks.endpoints.find(ACCOUNT, 'W-1'),
  }),
  keeping({
    ...{ name: 'endpoints.update', won: 'written', prepare: endpointIsThere },
    of: racer => anEndpoint('W-1', { name: `${racer}`, version: 2 }),
    make: ({ webhooks }, value, outbox) => webhooks.endpoints.update(1, value, outbox),
    read: ({ webhooks }) => webhooks.endpoints.find(ACCOUNT, 'W-1'),
  }),
  {
    ...{ name: 'endpoints.delete', won: true, prepare: endpointIsThere },
    make: ({ webhooks }, _, outbox) => webhooks.endpoints.delete(ACCOUNT, 'W-1', outbox),
  },
  keeping({
    ...{ name: 'rules.create', won: 'created', of: racer => anAlertRule('ar_1', { name: `${racer}` }) },
    make: ({ alerts }, value, outbox) => alerts.rules.create(value, 2, outbox),
    read: ({ alerts }) => alerts.rules.find(ACCOUNT, 'ar_1'),
  }),
  keeping({
    ...{ name: 'rules.update', won: 'written', prepare: ruleIsThere },
    of: racer => anAlertRule('ar_1', { name: `${racer}`, version: 2 }),
    make: ({ alerts }, value, outbox) => alerts.rules.update(1, value, outbox),
    read: ({ alerts }) => alerts.rules.find(ACCOUNT, 'ar_1'),
  }),
  {
    ...{ name: 'rules.delete', won: 'deleted', prepare: ruleIsThere },
    make: ({ alerts }, _, outbox) => alerts.rules.delete(ACCOUNT, 'ar_1', 1, outbox),
  },
  {
    ...{ name: 'removals.remove', won: 'removed', prepare: conversationsAreThere },
    make: ({ conversations }, _, outbox) => conversations.removals.remove(ACCOUNT, AGENT, 'AS-1', outbox),
  },
  {
    ...{ name: 'conversations.create', won: 'created', of: racer => [`${racer}`, `e ${racer}`] },
    make: ({ conversations }, racer, outbox) => {
      const events = [anEvent({ id: `e ${racer}` })]
      return conversations.create(aConversation('AS-1', { events, state: { agentName: `${racer}` }, outbox }))
    },
    read: store => readConversation(store, 0),
  },
  {
    ...{
      name: 'conversations.append',
      won: 'appended',
      of: racer => [`${racer}`, `a ${racer}`, `b ${racer}`],
    },
    prepare: ({ conversations }) => conversations.create(aConversation('AS-1')),
    make: async ({ conversations }, racer, outbox) =>
      (await conversations.append({ ...appended(racer), outbox })).status,
    read: store => readConversation(store, 1),
  },
]

/** The others for which callers race. */
export const OTHER_WRITES: readonly Write[] = [
  {
    ...{ name: 'tokenKeys.secret', of: racer => `candidate ${racer}` },
    make: ({ access }, racer) => access.tokenKeys.secret('token', `candidate ${racer}`),
    read: ({ access }) => access.tokenKeys.secret('token', 'late'),
  },
  keeping({
    ...{ name: 'audioCache.add', won: 'added', of: racer => aCachedAudio('1', { transcript: `${racer}` }) },
    make: ({ access }, value) => access.audioCache.add(value, 900),
    read: ({ access }) => access.audioCache.read(AGENT, '1'),
  }),
  keeping({
    ...{ name: 'branches.create', won: 'created', prepare: agentIsThere },
    of: racer => aBranch('BRANCH-1', { name: `${racer}` }),
    make: ({ agents }, value) => agents.branches.create(value),
    read: ({ agents }) => agents.branches.find(AGENT, 'BRANCH-1'),
  }),
  {
    ...{ name: 'branches.edit', won: 'written', prepare: branchIsThere, of: content },
    make: ({ agents }, racer) => agents.branches.edit(1, aBranch('BRANCH-1', { version: 2 }), content(racer)),
    read: ({ agents }) => agents.branches.changes(AGENT, 'BRANCH-1'),
  },
  keeping({
    ...{ name: 'textPairs.save', won: 'saved', of: racer => aTextPair({ conversationId: `AS-${racer}` }) },
    make: ({ conversations }, value) => conversations.textPairs.save(value, 0),
    read: ({ conversations }) => conversations.textPairs.find(aTextPair().ours, aTextPair().theirs),
  }),
  keeping({
    ...{ name: 'summaries.save', won: 'saved' },
    of: racer => aSummary('AS-1.1', { text: `${racer}`, version: 2 }),
    prepare: async ({ conversations }) => {
      await conversations.create(aConversation('AS-1'))
      await conversations.summaries.save(aSummary('AS-1.1'), 0)
    },
    make: ({ conversations }, value) => conversations.summaries.save(value, 1),
    read: ({ conversations }) => conversations.summaries.find('AS-1.1'),
  }),
  keeping({
    ...{ name: 'outboundCalls.save', won: 'saved' },
    of: racer => anOutboundCall('OUT-1', { reason: `${racer}`, version: 2 }),
    prepare: ({ conversations }) => conversations.outboundCalls.save(anOutboundCall('OUT-1'), 0),
    make: ({ conversations }, value) => conversations.outboundCalls.save(value, 1),
    read: ({ conversations }) => conversations.outboundCalls.find('OUT-1'),
  }),
  {
    ...{ name: 'outboundCalls.remove', won: true },
    prepare: ({ conversations }) => conversations.outboundCalls.save(anOutboundCall('OUT-1'), 0),
    make: ({ conversations }) => conversations.outboundCalls.remove('OUT-1', 1),
  },
  {
    ...{ name: 'messageKeys.take', won: 'taken', prepare: conversationsAreThere },
    make: ({ conversations }, racer) =>
      conversations.messageKeys.take({ key: 'k', conversationId: `AS-${racer}`, at: START, freeUntil: 0 }),
  },
  {
    ...{ name: 'externalEvents.accept', won: 'accepted', of: racer => Uint8Array.of(racer) },
    prepare: async ({ conversations }) => {
      await conversations.create(aConversation('AS-1'))
      const whose = { accountId: ACCOUNT, agentId: AGENT }
      await conversations.externalEvents.expect({ eventId: 'x', conversationId: 'AS-1', ...whose })
    },
    make: async ({ conversations }, racer) => {
      const whose = { accountId: ACCOUNT, agentId: AGENT, contentType: 'text/plain', receivedAt: START }
      const event = { eventId: 'x', ...whose, body: Uint8Array.of(racer) }
      return (await conversations.externalEvents.accept(event)).status
    },
    read: async ({ conversations }) =>
      Uint8Array.from((await conversations.externalEvents.find('x'))?.body ?? []),
  },
  {
    ...{ name: 'deliveries.update', won: 'written', of: racer => `${racer}` },
    prepare: async store => {
      await endpointIsThere(store)
      await store.webhooks.deliveries.keepEvent(aWebhookEvent('E-1'), 'W-1')
    },
    make: async ({ webhooks }, racer) => {
      const found = await webhooks.deliveries.find('W-1', 'E-1')
      if (found === null) return 'missing'
      return webhooks.deliveries.update(1, { ...found.delivery, lastError: `${racer}`, version: 2 })
    },
    read: async ({ webhooks }) => (await webhooks.deliveries.find('W-1', 'E-1'))?.delivery.lastError,
  },
]
