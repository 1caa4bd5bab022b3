import { api } from '../api.ts'
import type { Environment } from '../environments.ts'
import { say } from '../texts/common.ts'
import { written } from '../texts/language.ts'
import { useResource } from './resource.ts'

/** The newest deployments of an environment whose names are known. */
const KNOWN = 100

/**
 * Returns how figures name a deployment: by its version and the day of its release. One that is older than the newest
 * 100, or of another agent, keeps its id.
 *
 * @param agentId empty where deployments of several agents are named
 */
export function useVersionNames(agentId: string, environment: Environment): (deploymentId: string) => string {
  const { value } = useResource(
    async signal =>
      agentId === ''
        ? []
        : (await api.listDeployments({ agentId, environment, limit: KNOWN }, { signal })).deployments,
    [agentId, environment],
  )
  const known = new Map(value?.map(one => [one.id, one]))
  return id => {
    const deployment = known.get(id)
    if (deployment === undefined) return id
    const { artifactVersion: version, createdAt } = deployment
    return say('version.of', { version, day: written(createdAt, { day: 'numeric', month: 'short' }) })
  }
}
