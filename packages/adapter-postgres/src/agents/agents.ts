import type { Agent, AgentRecord } from '@colloquy/core'
import type { AgentStore } from '@colloquy/core/store'
import { mapped } from '../database/mapped.ts'
import type { Session } from '../database/session.ts'
import { outboxOf } from '../outbox/outbox-keeper.ts'
import {
  type AgentRecordRow,
  type AgentRow,
  allAgentStatements,
  branchParameters,
  revisionParameters,
} from './agent-statements.ts'
import { branchMethods } from './branches.ts'
import { deploymentMethods } from './deployments.ts'
import { realTimeConfigMethods } from './real-time-configs.ts'
import { encodeChanges } from './resources.ts'
import { revisionMethods } from './revisions.ts'
import { testRunMethods } from './test-runs.ts'

export const toAgent = (row: AgentRow): Agent => ({
  id: row.id,
  accountId: row.account_id,
  name: row.name,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const toRecord = (row: AgentRecordRow): AgentRecord => ({
  ...toAgent(row),
  updatedAt: Math.max(row.updated_at, row.branches_updated_at, row.revised_at),
  branchCount: row.branch_count,
})

/** Agents in PostgreSQL. */
export function createAgentStore(session: Session): AgentStore {
  const run = allAgentStatements(session.define)
  return {
    async create(
      { agent: { id: agentId, accountId, name, createdAt, updatedAt }, main, revision, changes },
      outbox,
    ) {
      const created = await run.createAgent.get({
        ...{ agentId, accountId, name, createdAt, updatedAt },
        ...branchParameters(main),
        ...revisionParameters(revision),
        ...encodeChanges(changes),
        ...outboxOf(outbox),
      })
      return created?.done ? 'created' : 'taken'
    },
    find: async agentId => mapped(await run.agent.get({ agentId }), toAgent),
    findRecord: async agentId => mapped(await run.agentRecord.get({ agentId }), toRecord),
    list: async accountId => (await run.agentsOf.all({ accountId })).map(toAgent),
    async rename(agentId, { before, after }, updatedAt, outbox) {
      const renamed = await run.renameAgent.get({ agentId, before, after, updatedAt, ...outboxOf(outbox) })
      return renamed?.done ?? false
    },
    async delete(agentId, deletedAt, outbox) {
      return (await run.deleteAgent.get({ agentId, deletedAt, ...outboxOf(outbox) }))?.done ?? false
    },
    findDeleted: async (accountId, agentId) =>
      mapped(await run.deletedAgent.get({ accountId, agentId }), row => ({
        id: row.id,
        accountId: row.account_id,
        deletedAt: row.deleted_at,
      })),
    branches: branchMethods(run),
    revisions: revisionMethods(run),
    deployments: deploymentMethods(run),
    realTimeConfigs: realTimeConfigMethods(session, run),
    testRuns: testRunMethods(run),
  }
}
