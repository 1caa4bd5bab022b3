import type { Deployment, Environment } from '@colloquy/core'
import type { DeploymentStore } from '@colloquy/core/store'
import type { OutboxKeeper } from '../outbox.ts'
import type { HeldAgent, HeldAgents } from './held-agent.ts'
import { holdTestRun } from './test-runs.ts'

const newestOf = (held: HeldAgent | undefined, environment: Environment): Deployment[] =>
  (held?.deployments ?? []).filter(deployment => deployment.environment === environment).reverse()

/** Deployments of the agents that are held. */
export function deploymentMethods(agents: HeldAgents, keeper: OutboxKeeper): DeploymentStore {
  return {
    async create(deployment, testRun, outbox) {
      const held = agents.get(deployment.agentId)
      if (held?.deployments.length !== deployment.number - 1) return 'stale'
      held.deployments.push(deployment)
      if (testRun !== null) holdTestRun(held.testRuns, testRun)
      keeper.keep(outbox)
      return 'deployed'
    },
    find: async (agentId, id) =>
      agents.get(agentId)?.deployments.find(deployment => deployment.id === id) ?? null,
    list: async (agentId, environment, limit) => newestOf(agents.get(agentId), environment).slice(0, limit),
    async active(agentId) {
      const newest = new Map(agents.get(agentId)?.deployments.map(one => [one.environment, one]))
      return [...newest.values()]
    },
  }
}
