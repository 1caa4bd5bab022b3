import { type ResourceChange, resourceKey } from '../../domain/agent/content.ts'
import type { AgentId, BranchId } from '../../domain/ids.ts'
import { type BranchView, branchCacheKey, refuseMain, viewBranch } from './branch-view.ts'
import { type AgentsScope, retried } from './scope.ts'

/** What an edit decided: the changes to write, and what to answer once they are written. */
export interface Edit<T> {
  readonly changes: readonly ResourceChange[]
  readonly result: T
}

/**
 * Edits a branch: `decide` sees it as it is and says what to change. Decided again when another writer was first.
 * @throws MAIN_BRANCH_READ_ONLY, PROJECT_NOT_FOUND, BRANCH_NOT_FOUND, WRITE_CONFLICT
 */
export async function editBranch<T>(
  scope: AgentsScope,
  agentId: AgentId,
  branchId: BranchId,
  decide: (view: BranchView) => Promise<Edit<T>>,
): Promise<T> {
  refuseMain(branchId)
  return retried(scope, agentId, async () => {
    const view = await viewBranch(scope, agentId, branchId)
    const { changes, result } = await decide(view)
    const { version } = view.branch
    const next = { ...view.branch, version: version + 1, updatedAt: scope.context.clock.now() }
    const outcome = await scope.context.store.agents.editBranch(version, next, changes)
    if (outcome === 'stale') {
      scope.branches.delete(branchCacheKey(agentId, branchId))
      return 'stale'
    }
    remember(scope, agentId, branchId, version, changes)
    return { result }
  }).then(done => done.result)
}

function remember(
  scope: AgentsScope,
  agentId: AgentId,
  branchId: BranchId,
  version: number,
  changes: readonly ResourceChange[],
): void {
  const key = branchCacheKey(agentId, branchId)
  const hot = scope.branches.get(key)
  if (hot?.version !== version) return
  for (const change of changes) hot.changes.set(resourceKey(change), change)
  hot.version = version + 1
  scope.branches.set(key, hot, { noUpdateTTL: true })
}
