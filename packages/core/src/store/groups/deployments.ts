import { ENVIRONMENTS } from '../../domain/environment.ts'
import type { DeploymentStore } from '../../ports/store/deployments.ts'
import { absent, type Guarded, unchanged } from '../guarded.ts'
import { idOf } from '../kind-parts.ts'
import { AGENT, DEPLOYMENT } from '../kinds.ts'
import { newDeployment } from './new-deployment.ts'
import { noneRuns } from './rollouts.ts'
import { newRun } from './test-runs.ts'

/** Deployments of agents. */
export function deploymentsOver({ decided, one, scan }: Guarded): DeploymentStore {
  const newest = (agentId: string, environment: string, limit: number) =>
    scan(DEPLOYMENT, 'agent', { prefix: [agentId, environment], descending: true, limit })
  return {
    create: (deployment, testRun, outbox) =>
      decided(async () => {
        const agent = await one(AGENT, deployment.agentId)
        if (agent?.deployment !== deployment.number - 1) return { result: 'stale' }
        const { agentId, environment } = deployment
        return {
          when: [
            absent(DEPLOYMENT, DEPLOYMENT.id(deployment)),
            noneRuns(agentId, environment),
            unchanged(AGENT, agent),
          ],
          put: [...newDeployment(agent, deployment), ...newRun(testRun)],
          outbox,
          result: 'deployed',
          refused: place => (place < 2 ? 'stale' : undefined),
        }
      }),
    find: (agentId, id) => one(DEPLOYMENT, idOf(agentId, id)),
    list: newest,
    active: async agentId =>
      (await Promise.all(ENVIRONMENTS.map(environment => newest(agentId, environment, 1)))).flat(),
  }
}
