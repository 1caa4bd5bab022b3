import type { AuditEntry } from '../../../domain/audit/audit.ts'
import type { Store } from '../../../ports/store/store.ts'
import { aConversation } from '../../conversation-fixtures.ts'
import {
  ACCOUNT,
  AGENT,
  aBranch,
  aCommit,
  aConnector,
  aDeployment,
  anAccount,
  anAgent,
  anApiKey,
  anEndpoint,
  aRealTimeConfig,
  aTokenKey,
  START,
} from '../../fixtures.ts'

/** A write that takes an entry. It changes something when it is made for the first time, and nothing when it is made again. */
export interface AuditedWrite {
  readonly name: string
  /** What has to be there before. */
  prepare?(store: Store): Promise<unknown>
  make(store: Store, entry: AuditEntry): Promise<unknown>
}

const anAgentIsThere = ({ agents }: Store) => agents.create(anAgent())
const aBranchIsThere = async (store: Store) => {
  await anAgentIsThere(store)
  await store.agents.branches.create(aBranch('BRANCH-1'))
}

/** Every method of every port that takes an entry. */
export const AUDITED_WRITES: readonly AuditedWrite[] = [
  { name: 'createAccount', make: ({ access }, entry) => access.accounts.create(anAccount(), entry) },
  { name: 'createApiKey', make: ({ access }, entry) => access.apiKeys.create(anApiKey('KEY-1'), entry) },
  {
    name: 'revokeApiKey',
    prepare: ({ access }) => access.apiKeys.create(anApiKey('KEY-1')),
    make: ({ access }, entry) => access.apiKeys.revoke('KEY-1', START, entry),
  },
  {
    name: 'createConnector',
    make: ({ access }, entry) => access.connectors.create(aConnector('C-1'), entry),
  },
  {
    name: 'revokeConnector',
    prepare: ({ access }) => access.connectors.create(aConnector('C-1')),
    make: ({ access }, entry) => access.connectors.revoke('C-1', START, entry),
  },
  {
    name: 'addTokenKey',
    make: ({ access }, entry) => access.tokenKeys.add(aTokenKey(1), START, entry),
  },
  { name: 'createAgent', make: ({ agents }, entry) => agents.create(anAgent(), entry) },
  {
    name: 'deleteAgent',
    prepare: anAgentIsThere,
    make: ({ agents }, entry) => agents.delete(AGENT, START, entry),
  },
  {
    name: 'deleteBranch',
    prepare: aBranchIsThere,
    make: ({ agents }, entry) => agents.branches.delete(AGENT, 'BRANCH-1', entry),
  },
  {
    name: 'commit',
    prepare: aBranchIsThere,
    make: ({ agents }, entry) =>
      agents.revisions.commit(aCommit(aBranch('BRANCH-1'), { revision: 1, deployment: 0 }), entry),
  },
  {
    name: 'deploy',
    prepare: anAgentIsThere,
    make: ({ agents }, entry) => agents.deployments.create(aDeployment(1), null, entry),
  },
  {
    name: 'writeRealTimeConfig',
    prepare: anAgentIsThere,
    make: ({ agents }, entry) => agents.realTimeConfigs.write(0, aRealTimeConfig(), entry),
  },
  {
    name: 'createEndpoint',
    make: ({ webhooks }, entry) => webhooks.endpoints.create(anEndpoint('W-1'), 1, entry),
  },
  {
    name: 'updateEndpoint',
    prepare: ({ webhooks }) => webhooks.endpoints.create(anEndpoint('W-1'), 1),
    make: ({ webhooks }, entry) => webhooks.endpoints.update(1, anEndpoint('W-1', { version: 2 }), entry),
  },
  {
    name: 'deleteEndpoint',
    prepare: ({ webhooks }) => webhooks.endpoints.create(anEndpoint('W-1'), 1),
    make: ({ webhooks }, entry) => webhooks.endpoints.delete(ACCOUNT, 'W-1', entry),
  },
  {
    name: 'remove',
    prepare: ({ conversations }) =>
      conversations.create(aConversation('AS-1', { index: { finishedAt: START + 1 } })),
    make: ({ conversations }, entry) => conversations.removals.remove(ACCOUNT, AGENT, 'AS-1', entry),
  },
]
