import type { AgentId, Deployment } from '@colloquy/core'
import type { DeploymentStore } from '@colloquy/core/store'
import { mapped } from '../database/mapped.ts'
import { outboxOf } from '../outbox/outbox-keeper.ts'
import { type AgentStatements, type DeploymentRow, deploymentParameters } from './agent-statements.ts'
import { encodeTestRun } from './test-runs.ts'

export const toDeployment = (row: DeploymentRow, agentId: AgentId): Deployment => ({
  id: row.id,
  number: row.number,
  accountId: row.account_id,
  agentId,
  environment: row.environment,
  revision: row.revision,
  version: row.version,
  type: row.type,
  message: row.message,
  createdBy: row.created_by,
  createdAt: row.created_at,
})

/** What runs where, in PostgreSQL. */
export function deploymentMethods(run: AgentStatements): DeploymentStore {
  return {
    async create(deployment, testRun, outbox) {
      const { agentId } = deployment
      const deployed = await run.deploy.get({
        agentId,
        ...deploymentParameters(deployment),
        ...encodeTestRun(testRun),
        ...outboxOf(outbox),
      })
      return deployed?.done ? 'deployed' : 'stale'
    },
    find: async (agentId, id) =>
      mapped(await run.deployment.get({ agentId, id }), row => toDeployment(row, agentId)),
    list: async (agentId, environment, limit) =>
      (await run.deployments.all({ agentId, environment, limit })).map(row => toDeployment(row, agentId)),
    active: async agentId =>
      (await run.activeDeployments.all({ agentId })).map(row => toDeployment(row, agentId)),
  }
}
