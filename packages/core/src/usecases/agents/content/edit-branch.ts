import { type ResourceChange, resourceKey } from '../../../domain/agent/content.ts'
import { refuseLargerContent } from '../../../domain/agent/content-bytes.ts'
import type { AgentId, BranchId } from '../../../domain/ids.ts'
import { type BranchView, branchCacheKey, refuseMain, viewBranch } from '../branches/branch-view.ts'
import { type AgentsDeps, retried } from '../deps.ts'
import { bytesAfter, bytesIn } from './branch-bytes.ts'

/** The decision of an edit: the changes to write, and the answer once they are written. */
export interface Edit<T> {
  readonly changes: readonly ResourceChange[]
  readonly result: T
}

/**
 * Edits a branch: `decide` gets its current state and returns the changes. It is called again when another writer was
 * faster.
 * @throws MAIN_BRANCH_READ_ONLY, PROJECT_NOT_FOUND, BRANCH_NOT_FOUND, SCHEMA_VALIDATION_FAILED for content that would
 *   be too large (AG72), WRITE_CONFLICT
 */
export async function editBranch<T>(
  deps: AgentsDeps,
  agentId: AgentId,
  branchId: BranchId,
  decide: (view: BranchView) => Promise<Edit<T>>,
): Promise<T> {
  refuseMain(branchId)
  return retried(deps, agentId, async () => {
    const view = await viewBranch(deps, agentId, branchId)
    const { changes, result } = await decide(view)
    const before = await bytesIn(deps, view)
    const bytes = await bytesAfter(deps, view, before, changes)
    refuseLargerContent(deps.context.settings.limits.contentBytes, before, bytes)
    const { version } = view.branch
    const next = { ...view.branch, version: version + 1, updatedAt: deps.context.clock.now() }
    const outcome = await deps.context.store.agents.branches.edit(version, next, changes)
    if (outcome === 'stale') {
      deps.branches.delete(branchCacheKey(agentId, branchId))
      return 'stale'
    }
    remember(deps, view, bytes, changes)
    return { result }
  }).then(done => done.result)
}

function remember(
  deps: AgentsDeps,
  { branch: { agentId, id, version } }: BranchView,
  contentBytes: number,
  changes: readonly ResourceChange[],
): void {
  const key = branchCacheKey(agentId, id)
  const hot = deps.branches.get(key)
  if (hot?.version !== version) return
  for (const change of changes) hot.changes.set(resourceKey(change), change)
  hot.version = version + 1
  hot.contentBytes = contentBytes
  deps.branches.set(key, hot, { noUpdateTTL: true })
}
