import type { Deployment } from '../../domain/agent/agent.ts'
import type { AgentId } from '../../domain/ids.ts'
import { readContent } from './content.ts'
import type { AgentsScope } from './scope.ts'

/**
 * Lets the runtime prepare what has been deployed, beside everything else (IX4): one revision of an agent at a time, and of those that
 * are deployed meanwhile the newest alone. Nobody waits for it, and no deployment fails of it.
 */
export function createContentPreparer(scope: AgentsScope): (deployment: Deployment) => void {
  const { runtime, settings } = scope.context
  const next = scope.preparing

  async function prepare(agentId: AgentId, first: number): Promise<void> {
    let revision: number | null = first
    while (revision !== null) {
      next.set(agentId, null)
      try {
        await runtime.prepare?.(await readContent(scope, agentId, revision))
      } catch (error) {
        settings.onError(error, 'preparing content')
      }
      revision = next.get(agentId) ?? null
    }
    next.delete(agentId)
  }

  return ({ agentId, revision }) => {
    if (runtime.prepare === undefined) return
    if (next.has(agentId)) next.set(agentId, revision)
    else void prepare(agentId, revision)
  }
}
