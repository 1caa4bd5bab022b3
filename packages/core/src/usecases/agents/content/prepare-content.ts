import type { Deployment } from '../../../domain/agent/agent.ts'
import type { AgentId } from '../../../domain/ids.ts'
import type { AgentsDeps } from '../deps.ts'
import { readContent } from './content.ts'

/**
 * Lets the runtime prepare what has been deployed, beside everything else (IX3): one revision of an agent at a time,
 * and of those deployed meanwhile only the newest. It runs in the background, and no deployment fails because of it.
 * Once the platform closes nothing more is prepared, and no error is reported.
 */
export function createContentPreparer(deps: AgentsDeps): (deployment: Deployment) => void {
  const { runtime, settings } = deps.context
  const next = deps.preparing
  const closing = deps.closing.signal

  async function prepare(agentId: AgentId, first: number): Promise<void> {
    let revision: number | null = first
    while (revision !== null && !closing.aborted) {
      next.set(agentId, null)
      try {
        await runtime.prepare?.(await readContent(deps, agentId, revision))
      } catch (error) {
        if (!closing.aborted) settings.onError(error, 'preparing content')
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
