import { resourceKey } from '../../../domain/agent/content.ts'
import { ENVIRONMENTS } from '../../../domain/environment.ts'
import type { AgentId } from '../../../domain/ids.ts'
import type { AgentStore } from '../../../ports/store/agents.ts'
import { sortedBy } from './tools.ts'

/** Returns everything that a store knows about an agent, in one comparable value. */
export async function agentSnapshot(agents: AgentStore, agentId: AgentId) {
  const main = await agents.revisions.main(agentId)
  const head = main?.head ?? null
  const last = head?.number ?? 0
  const branches = await agents.branches.list(agentId)
  const numbers = Array.from({ length: last + 2 }, (_, number) => number)
  const changesOf = async (branch: (typeof branches)[number]) =>
    sortedBy(await agents.branches.changes(agentId, branch.id), resourceKey)
  return {
    agent: await agents.find(agentId),
    head,
    branches,
    branchChanges: await Promise.all(branches.map(changesOf)),
    revisions: await Promise.all(numbers.map(number => agents.revisions.find(agentId, number))),
    resources: sortedBy(await agents.revisions.resourcesAt(agentId, last + 1), resourceKey),
    changes: sortedBy(await agents.revisions.changesBetween(agentId, 0, last + 1), resourceKey),
    deployments: await Promise.all(ENVIRONMENTS.map(name => agents.deployments.list(agentId, name, 100))),
    active: sortedBy(await agents.deployments.active(agentId), deployment => deployment.environment),
    lastDeploymentNumber: main?.lastDeployment ?? 0,
    rollouts: await agents.rollouts.list({ agentId }, 100),
    realTimeConfigs: sortedBy(await agents.realTimeConfigs.list(agentId), config => config.environment),
    realTimeVariables: await Promise.all(
      ENVIRONMENTS.map(name => agents.realTimeConfigs.variables(agentId, name)),
    ),
    testRuns: await agents.testRuns.list({ agentId }, 100),
  }
}

/** The snapshot of an agent that a store does not hold. */
export const NO_AGENT: Awaited<ReturnType<typeof agentSnapshot>> = {
  agent: null,
  head: null,
  branches: [],
  branchChanges: [],
  revisions: [null, null],
  resources: [],
  changes: [],
  deployments: [[], [], []],
  active: [],
  lastDeploymentNumber: 0,
  rollouts: [],
  realTimeConfigs: [],
  realTimeVariables: [null, null, null],
  testRuns: [],
}
