import { type MergePreview, previewMerge } from '../../../domain/agent/merge.ts'
import type { AgentId, BranchId } from '../../../domain/ids.ts'
import type { AgentsDeps } from '../deps.ts'
import { readSides } from './merge-sides.ts'

/** The changes that a merge of a branch would make. */
export interface BranchDiff extends MergePreview {
  /** The branch's version, which each of its edits moves on. */
  readonly branchVersion: number
  /** The revision of main from which the branch began. */
  readonly baseRevision: number
  /** Main's newest revision, with which the branch is compared. */
  readonly mainRevision: number
}

/** Returns the changes of a merge without merging (AG19). @throws PROJECT_NOT_FOUND, BRANCH_NOT_FOUND */
export async function diffBranch(
  deps: AgentsDeps,
  agentId: AgentId,
  branchId: BranchId,
): Promise<BranchDiff> {
  const { branch, head, sides } = await readSides(deps, agentId, branchId, [])
  const { baseRevision, version: branchVersion } = branch
  return { branchVersion, baseRevision, mainRevision: head.number, ...previewMerge(sides) }
}
