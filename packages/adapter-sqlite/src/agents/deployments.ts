import type { AgentId, Deployment } from '@colloquy/core'
import type { DeploymentStore } from '@colloquy/core/store'
import type { Selectable } from 'kysely'
import type { Session } from '../database/session.ts'
import type { Schema } from '../database/tables.ts'
import type { OutboxKeeper } from '../outbox/outbox-keeper.ts'
import type { AgentStatements } from './agent-statements.ts'
import { encodeTestRun, insertTestRun } from './test-runs.ts'

type Run = AgentStatements

export const toDeployment = (row: Selectable<Schema['deployment']>, agentId: AgentId): Deployment => ({
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

/** The number of the agent's newest deployment; 0 for none. */
export const lastNumber = (run: Run, agentId: AgentId): number =>
  run.lastDeployment.get({ agentId })?.number ?? 0

/** What runs where, in SQLite. */
export function deploymentMethods({ read, write }: Session, run: Run, keeper: OutboxKeeper): DeploymentStore {
  const select = (agentId: AgentId, pick: () => readonly Selectable<Schema['deployment']>[]) =>
    read('read deployments', () => pick().map(row => toDeployment(row, agentId)))
  return {
    async create(deployment, testRun, outbox) {
      const keep = keeper.keeping(outbox)
      const given = { ...deployment }
      const tests = testRun && encodeTestRun(testRun)
      return write('deploy', () => {
        const agent = run.agentRow.get({ id: given.agentId })?.row
        if (agent === undefined || given.number !== lastNumber(run, given.agentId) + 1) return 'stale'
        run.insertDeployment.run({ ...given, agent })
        if (tests !== null) insertTestRun(run, tests)
        keep()
        return 'deployed'
      })
    },
    find: async (agentId, id) =>
      (await select(agentId, () => run.deployment.all({ agentId, id })))[0] ?? null,
    list: (agentId, environment, limit) =>
      select(agentId, () => run.deployments.all({ agentId, environment, limit })),
    active: agentId => select(agentId, () => run.activeDeployments.all({ agentId })),
  }
}
