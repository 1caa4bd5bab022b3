import { type Resource, type ResourceChange, resourceKey } from '../../../domain/agent/content.ts'
import { advancedContentBytes } from '../../../domain/agent/content-bytes.ts'
import { isWrite } from '../../../domain/agent/tree.ts'
import { type BranchView, branchCacheKey } from '../branches/branch-view.ts'
import { type AgentsDeps, noAgent } from '../deps.ts'

/** Returns the branch's base of the resources with these keys. */
const baseOf = async (
  deps: AgentsDeps,
  { branch }: BranchView,
  keys: readonly string[],
): Promise<readonly Resource[]> =>
  keys.length === 0
    ? []
    : deps.context.store.agents.revisions.resourcesAt(branch.agentId, branch.baseRevision, { keys })

/**
 * Returns the bytes of all content of the branch (AG72). Stored with its changes: on the first call, the cost is that
 * of the changes. @throws PROJECT_NOT_FOUND
 */
export async function bytesIn(deps: AgentsDeps, view: BranchView): Promise<number> {
  const { agentId, id, baseRevision, version } = view.branch
  const hot = deps.branches.peek(branchCacheKey(agentId, id))
  if (hot?.version === version && hot.contentBytes !== null) return hot.contentBytes
  const revision = await deps.context.store.agents.revisions.find(agentId, baseRevision)
  if (revision === null) throw noAgent(agentId)
  const base = await baseOf(deps, view, [...view.changes.keys()])
  return advancedContentBytes(revision.contentBytes, base, [...view.changes.values()].filter(isWrite))
}

/** Returns the bytes of all content of the branch, now `before`, after the changes. The cost is that of the changes. */
export async function bytesAfter(
  deps: AgentsDeps,
  view: BranchView,
  before: number,
  changes: readonly ResourceChange[],
): Promise<number> {
  // The later of two changes of one resource wins.
  const after = new Map(changes.map(change => [resourceKey(change), change]))
  const keys = [...after.keys()]
  const own = keys.flatMap(key => view.changes.get(key) ?? []).filter(isWrite)
  const base = await baseOf(
    deps,
    view,
    keys.filter(key => !view.changes.has(key)),
  )
  return advancedContentBytes(before, [...own, ...base], [...after.values()].filter(isWrite))
}
