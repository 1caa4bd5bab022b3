import type { AgentId } from '../../domain/ids.ts'
import { type ReadingDeps, requireAgent } from './deps.ts'

/**
 * Makes a use case that reads whole contents wait for the one before it of the same account (AG73): each may hold
 * 64 MiB several times over, and keeps the process busy.
 *
 * @throws RATE_LIMITED
 */
export const oneAtATime =
  <Deps extends ReadingDeps, Rest extends readonly unknown[], Result>(
    work: (deps: Deps, agentId: AgentId, ...rest: Rest) => Promise<Result>,
  ) =>
  async (deps: Deps, agentId: AgentId, ...rest: Rest): Promise<Result> => {
    const { accountId } = await requireAgent(deps, agentId)
    const { breather } = deps.context
    return deps.wholeContents(accountId, breather.rest, () => work(deps, agentId, ...rest))
  }
