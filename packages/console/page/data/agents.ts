import { api } from '../api.ts'
import { type Resource, useResource } from './resource.ts'

/** An agent as a list has it. */
export type ListedAgent = Awaited<ReturnType<typeof api.listAgents>>[number]

/** The most agents whose conversations are read together: each page asks once for each of them. */
export const MOST_AGENTS = 50

/** The agents of an account. */
export const useAgents = (accountId: string): Resource<readonly ListedAgent[]> =>
  useResource(signal => api.listAgents({ accountId }, { signal }), [accountId])

/** Returns the names of an account's agents by their ids: an id that is not there is its own name. */
export function useAgentNames(accountId: string): (id: string) => string {
  const { value = [] } = useAgents(accountId)
  return id => value.find(({ agentId }) => agentId === id)?.agentName ?? id
}

/** Agents as a field offers them. */
export const agentOptions = (agents: readonly ListedAgent[]): readonly (readonly [string, string])[] =>
  agents.map(({ agentId, agentName }) => [agentId, agentName])
