import type { Branch } from '../../../domain/agent/agent.ts'
import { resourceKey } from '../../../domain/agent/content.ts'
import { advanceContentHash } from '../../../domain/agent/content-hash.ts'
import { applyChanges, isWrite } from '../../../domain/agent/tree.ts'
import { type AgentId, type BranchId, MAIN_BRANCH_ID } from '../../../domain/ids.ts'
import type { AgentContent } from '../../../ports/agent-runtime.ts'
import { type BranchView, viewBranch } from '../branches/branch-view.ts'
import type { ReadingDeps } from '../deps.ts'
import { contentOf, readContent, readRevision } from './content.ts'

/** The content of a branch at one of its versions. */
export interface BranchContent {
  readonly content: AgentContent
  /** The branch at that version. `baseRevision` is the revision of main that its changes are on top of. */
  readonly branch: Branch
}

/**
 * Returns the current content of a branch, cached by its version: as long as nobody edits the branch, all callers get
 * the same object. Main's is that of its newest revision. @throws PROJECT_NOT_FOUND, BRANCH_NOT_FOUND
 */
export async function readBranchContent(
  deps: ReadingDeps,
  agentId: AgentId,
  branchId: BranchId,
): Promise<BranchContent> {
  const view = await viewBranch(deps, agentId, branchId)
  const { branch } = view
  const base = await readContent(deps, agentId, branch.baseRevision)
  if (branchId === MAIN_BRANCH_ID || view.changes.size === 0) return { content: base, branch }
  return { content: edited(deps, view, base), branch }
}

function edited(deps: ReadingDeps, { branch, changes }: BranchView, base: AgentContent): AgentContent {
  const key = `${branch.agentId}@${branch.id}/${branch.version}#${base.key}`
  const cached = deps.contents.get(key)
  if (cached) return cached
  // The branch's changes grow in place with its next edit, and its values are its own.
  const own = structuredClone([...changes.values()])
  const content = contentOf(key, applyChanges(base.tree, own))
  deps.contents.set(key, content)
  return content
}

/** A branch with the hash of its content, which a merge to an unchanged main deploys (TE60). */
export interface HashedBranch {
  readonly branch: Branch
  readonly contentHash: string
}

/** Returns a branch with the hash of its current content. @throws PROJECT_NOT_FOUND, BRANCH_NOT_FOUND */
export async function readHashedBranch(
  deps: ReadingDeps,
  agentId: AgentId,
  branchId: BranchId,
): Promise<HashedBranch> {
  const { branch, changes } = await viewBranch(deps, agentId, branchId)
  // The branch's changes grow in place with its next edit.
  const own = [...changes.values()]
  const { contentHash } = await readRevision(deps, agentId, branch.baseRevision)
  if (own.length === 0) return { branch, contentHash }
  const { tree } = await readContent(deps, agentId, branch.baseRevision)
  const before = own.flatMap(change => tree.get(resourceKey(change)) ?? [])
  return { branch, contentHash: advanceContentHash(contentHash, before, own.filter(isWrite)) }
}
