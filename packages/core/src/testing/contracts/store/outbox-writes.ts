import type { Outbox } from '../../../ports/store/outbox.ts'
import type { Store } from '../../../ports/store/store.ts'
import { aConversation, anAppend } from '../../conversation-fixtures.ts'
import {
  ACCOUNT,
  AGENT,
  aBranch,
  aCachedAudio,
  aCommit,
  aConnector,
  aDeployment,
  anAccount,
  anAgent,
  anAlertRule,
  anApiKey,
  anEndpoint,
  aPhoneNumber,
  aPooledNumber,
  aRealTimeConfig,
  aTelephonyConnector,
  aTokenKey,
  aVoice,
  START,
} from '../../fixtures.ts'

/**
 * A write that takes an outbox. It changes something when it is made for the first time, and nothing when it is made
 * again.
 */
export interface OutboxWrite {
  readonly name: string
  /** What has to be there before. */
  prepare?(store: Store): Promise<unknown>
  make(store: Store, outbox: Outbox): Promise<unknown>
}

const anAgentIsThere = ({ agents }: Store) => agents.create(anAgent())
const aBranchIsThere = async (store: Store) => {
  await anAgentIsThere(store)
  await store.agents.branches.create(aBranch('BRANCH-1'))
}

/** Every method of every port that takes an outbox. */
export const OUTBOX_WRITES: readonly OutboxWrite[] = [
  { name: 'createAccount', make: ({ access }, outbox) => access.accounts.create(anAccount(), outbox) },
  { name: 'createApiKey', make: ({ access }, outbox) => access.apiKeys.create(anApiKey('KEY-1'), outbox) },
  {
    name: 'revokeApiKey',
    prepare: ({ access }) => access.apiKeys.create(anApiKey('KEY-1')),
    make: ({ access }, outbox) => access.apiKeys.revoke('KEY-1', START, outbox),
  },
  {
    name: 'createConnector',
    make: ({ access }, outbox) => access.connectors.create(aConnector('C-1'), outbox),
  },
  {
    name: 'revokeConnector',
    prepare: ({ access }) => access.connectors.create(aConnector('C-1')),
    make: ({ access }, outbox) => access.connectors.revoke('C-1', START, outbox),
  },
  {
    name: 'revokeTelephonyConnector',
    prepare: ({ access }) => access.connectors.create(aTelephonyConnector('C-1')),
    make: ({ access }, outbox) => access.connectors.revokeTelephony('C-1', START, outbox),
  },
  {
    name: 'addPhoneNumbers',
    make: ({ access }, outbox) =>
      access.phoneNumbers.add([aPhoneNumber('+1555'), aPhoneNumber('+1556')], 9, outbox),
  },
  {
    name: 'updatePhoneNumber',
    prepare: async ({ access }) => {
      await access.connectors.create(aTelephonyConnector('C-1'))
      await access.phoneNumbers.add([aPhoneNumber('+1555')], 9)
    },
    make: ({ access }, outbox) =>
      access.phoneNumbers.update(
        aPhoneNumber('+1555'),
        aPhoneNumber('+1555', { connectorId: 'C-1' }),
        outbox,
      ),
  },
  {
    name: 'removePhoneNumber',
    prepare: ({ access }) => access.phoneNumbers.add([aPhoneNumber('+1555')], 9),
    make: ({ access }, outbox) => access.phoneNumbers.remove(AGENT, '+1555', outbox),
  },
  {
    name: 'addPooledNumbers',
    make: ({ access }, outbox) =>
      access.numberPool.add([aPooledNumber('+1555'), aPooledNumber('+1556')], 9, outbox),
  },
  {
    name: 'removePooledNumber',
    prepare: ({ access }) => access.numberPool.add([aPooledNumber('+1555')], 9),
    make: ({ access }, outbox) => access.numberPool.remove(AGENT, '+1555', outbox),
  },
  { name: 'createVoice', make: ({ access }, outbox) => access.voices.create(aVoice('V-1'), 9, outbox) },
  {
    name: 'updateVoice',
    prepare: ({ access }) => access.voices.create(aVoice('V-1'), 9),
    make: ({ access }, outbox) => access.voices.update(1, aVoice('V-1', { version: 2 }), outbox),
  },
  {
    name: 'replaceCachedAudio',
    prepare: ({ access }) => access.audioCache.add(aCachedAudio('1'), 900),
    make: ({ access }, outbox) =>
      access.audioCache.replace(1, aCachedAudio('1', { version: 2 }), 900, outbox),
  },
  {
    name: 'removeCachedAudio',
    prepare: ({ access }) => access.audioCache.add(aCachedAudio('1'), 900),
    make: ({ access }, outbox) => access.audioCache.remove(AGENT, '1', outbox),
  },
  {
    name: 'addTokenKey',
    make: ({ access }, outbox) => access.tokenKeys.add(aTokenKey(1), START, outbox),
  },
  { name: 'createAgent', make: ({ agents }, outbox) => agents.create(anAgent(), outbox) },
  {
    name: 'renameAgent',
    prepare: anAgentIsThere,
    make: ({ agents }, outbox) =>
      agents.rename(AGENT, { before: anAgent().agent.name, after: 'Night desk' }, START, outbox),
  },
  {
    name: 'deleteAgent',
    prepare: anAgentIsThere,
    make: ({ agents }, outbox) => agents.delete(AGENT, START, outbox),
  },
  {
    name: 'deleteBranch',
    prepare: aBranchIsThere,
    make: ({ agents }, outbox) => agents.branches.delete(AGENT, 'BRANCH-1', outbox),
  },
  {
    name: 'commit',
    prepare: aBranchIsThere,
    make: ({ agents }, outbox) =>
      agents.revisions.commit(aCommit(aBranch('BRANCH-1'), { revision: 1, deployment: 0 }), outbox),
  },
  {
    name: 'deploy',
    prepare: anAgentIsThere,
    make: ({ agents }, outbox) => agents.deployments.create(aDeployment(1), null, outbox),
  },
  {
    name: 'writeRealTimeConfig',
    prepare: anAgentIsThere,
    make: ({ agents }, outbox) => agents.realTimeConfigs.write(0, aRealTimeConfig(), outbox),
  },
  {
    name: 'createEndpoint',
    make: ({ webhooks }, outbox) => webhooks.endpoints.create(anEndpoint('W-1'), 2, outbox),
  },
  {
    name: 'updateEndpoint',
    prepare: ({ webhooks }) => webhooks.endpoints.create(anEndpoint('W-1'), 2),
    make: ({ webhooks }, outbox) => webhooks.endpoints.update(1, anEndpoint('W-1', { version: 2 }), outbox),
  },
  {
    name: 'deleteEndpoint',
    prepare: ({ webhooks }) => webhooks.endpoints.create(anEndpoint('W-1'), 2),
    make: ({ webhooks }, outbox) => webhooks.endpoints.delete(ACCOUNT, 'W-1', outbox),
  },
  {
    name: 'createRule',
    make: ({ alerts }, outbox) => alerts.rules.create(anAlertRule('ar_1'), 2, outbox),
  },
  {
    name: 'updateRule',
    prepare: ({ alerts }) => alerts.rules.create(anAlertRule('ar_1'), 2),
    make: ({ alerts }, outbox) => alerts.rules.update(1, anAlertRule('ar_1', { version: 2 }), outbox),
  },
  {
    name: 'deleteRule',
    prepare: ({ alerts }) => alerts.rules.create(anAlertRule('ar_1'), 2),
    make: ({ alerts }, outbox) => alerts.rules.delete(ACCOUNT, 'ar_1', 1, outbox),
  },
  {
    name: 'remove',
    prepare: ({ conversations }) =>
      conversations.create(aConversation('AS-1', { index: { finishedAt: START + 1 } })),
    make: ({ conversations }, outbox) => conversations.removals.remove(ACCOUNT, AGENT, 'AS-1', outbox),
  },
  {
    name: 'create a conversation',
    make: ({ conversations }, outbox) => conversations.create(aConversation('AS-1', { outbox })),
  },
  {
    name: 'append to a conversation',
    prepare: ({ conversations }) => conversations.create(aConversation('AS-1')),
    make: ({ conversations }, outbox) => conversations.append(anAppend(aConversation('AS-1'), 1, { outbox })),
  },
]
