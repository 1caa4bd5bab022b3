import type { Branch, Revision } from '../../../domain/agent/agent.ts'
import type { Resolution } from '../../../domain/agent/conflict.ts'
import {
  type ContentTree,
  type Resource,
  type ResourceChange,
  resourceKey,
} from '../../../domain/agent/content.ts'
import { type MergeSides, RELATED_KINDS } from '../../../domain/agent/merge.ts'
import { properName } from '../../../domain/agent/proper-name.ts'
import { applyChanges, treeOf } from '../../../domain/agent/tree.ts'
import type { AgentId, BranchId } from '../../../domain/ids.ts'
import type { AgentMain, ResourceFilter } from '../../../ports/store/revisions.ts'
import { type AgentsDeps, requireMain } from '../deps.ts'
import { type BranchView, viewBranch } from './branch-view.ts'

/** A branch beside main, as they are at one time. */
export interface BranchSides extends AgentMain {
  readonly branch: Branch
  /** Sparse, see {@link merge}. */
  readonly sides: MergeSides
}

/** Returns the two sides of a merge. @throws PROJECT_NOT_FOUND, BRANCH_NOT_FOUND */
export async function readSides(
  deps: AgentsDeps,
  agentId: AgentId,
  branchId: BranchId,
  resolutions: readonly Resolution[],
): Promise<BranchSides> {
  for (;;) {
    const main = await requireMain(deps, agentId)
    const { head } = main
    const view = await viewBranch(deps, agentId, branchId)
    // The branch was merged between the two reads: main has gone on.
    if (view.branch.baseRevision > head.number) continue
    return { ...main, branch: view.branch, sides: await sparseSides(deps, view, head, resolutions) }
  }
}

/**
 * Returns the changed resources in a revision, and all those that their changes may affect.
 *
 * @param read reads resources of the revision
 * @param names names whose resources are wanted as well
 */
export async function sparseTree(
  read: (filter: ResourceFilter) => Promise<readonly Resource[]>,
  changes: readonly ResourceChange[],
  names: readonly string[] = [],
): Promise<ContentTree> {
  const keys = new Set(changes.map(resourceKey))
  const base = keys.size > 0 ? await read({ keys: [...keys] }) : []
  const touched = changes.some(({ kind }) => RELATED_KINDS.includes(kind))
  const related = touched ? await read({ kinds: RELATED_KINDS }) : []
  const namesakes = names.length > 0 ? await read({ names }) : []
  return treeOf([...base, ...related, ...namesakes])
}

/** Returns the changes of both sides, and their base. The cost is that of the changes. */
async function sparseSides(
  deps: AgentsDeps,
  { branch, changes }: BranchView,
  head: Revision,
  resolutions: readonly Resolution[],
): Promise<MergeSides> {
  const { agentId, baseRevision } = branch
  const { revisions } = deps.context.store.agents
  const ours = await revisions.changesBetween(agentId, baseRevision, head.number)
  // Merges and diffs hand values out; the branch keeps its own copies.
  const theirs = structuredClone([...changes.values()])
  // A resolution may give a resource a new name; no resource that both sides left alone may have that name.
  const names = resolutions.flatMap(({ value }) =>
    typeof value === 'string' ? [value, properName(value)] : [],
  )
  const read = (filter: ResourceFilter) => revisions.resourcesAt(agentId, baseRevision, filter)
  const tree = await sparseTree(read, [...ours, ...theirs], names)
  return { base: tree, ours: applyChanges(tree, ours), theirs: applyChanges(tree, theirs) }
}
