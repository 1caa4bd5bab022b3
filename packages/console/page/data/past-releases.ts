import { api } from '../api.ts'
import { ENVIRONMENTS } from '../environments.ts'
import { type Resource, useResource } from './resource.ts'

export type Deployment = Awaited<ReturnType<typeof api.listDeployments>>['deployments'][number]

/** Number of earlier releases of each environment that are shown. */
const PAST = 20

/** The newest releases of all environments, newest first. */
export const usePastReleases = (agentId: string): Resource<readonly Deployment[]> =>
  useResource(
    async signal => {
      const lanes = await Promise.all(
        ENVIRONMENTS.map(environment =>
          api.listDeployments({ agentId, environment, limit: PAST }, { signal }),
        ),
      )
      return lanes
        .flatMap(({ deployments }) => deployments)
        .toSorted((one, other) => other.createdAt.localeCompare(one.createdAt))
    },
    [agentId],
  )
