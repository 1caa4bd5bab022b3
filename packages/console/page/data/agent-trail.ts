import { api } from '../api.ts'
import { href } from '../router.ts'
import { say } from '../texts/shell.ts'
import { useResource } from './resource.ts'

/** Returns the ways back from a page below a tab of an agent: to the agents, the agent by its name, and the tab. */
export function useAgentTrail(agentId: string, tab: string, title: string) {
  const { value } = useResource(signal => api.readAgent({ agentId }, { signal }), [agentId])
  return [
    [say('agents'), href(['agents'])],
    [value?.agentName ?? agentId, href(['agents', agentId])],
    [title, href(['agents', agentId, tab])],
  ] as const
}
