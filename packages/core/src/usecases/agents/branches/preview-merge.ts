import * as z from 'zod'
import type { InputOf } from '../../../calls/call.ts'
import type { Conflict, Difference, Resolution } from '../../../domain/agent/conflict.ts'
import { resolutionsSchema } from '../../../domain/agent/conflict.ts'
import { merge, previewMerge } from '../../../domain/agent/merge.ts'
import type { AgentId, BranchId } from '../../../domain/ids.ts'
import { PlatformError } from '../../../errors.ts'
import type { AgentsDeps } from '../deps.ts'
import { type BranchSides, readSides } from './merge-sides.ts'

/** The schema of {@link MergePreviewInput}. */
export const mergePreviewSchema = z.object({
  /** @default none */
  conflictResolutions: resolutionsSchema.default([]),
})

/** The resolutions of conflicts for a preview. */
export type MergePreviewInput = InputOf<typeof mergePreviewSchema>

/** The main content that a merge would produce. */
export interface MergeResultPreview {
  /** The branch's version and main's newest revision, which a merge can pass as the expected ones (AG121). */
  readonly branchVersion: number
  readonly mainRevision: number
  /** The differences of the merged content from main, as far as they are decided. Main is ours and base. */
  readonly changes: readonly Difference[]
  /** Conflicts that have no resolution yet; until then each counts as settled for main. */
  readonly conflicts: readonly Conflict[]
}

/**
 * Returns the main content that a merge with these resolutions would produce, without merging (AG19).
 * @throws PROJECT_NOT_FOUND, BRANCH_NOT_FOUND, MERGE_INVALID_RESOLUTION
 */
export async function previewMergeOf(
  deps: AgentsDeps,
  agentId: AgentId,
  branchId: BranchId,
  { conflictResolutions: resolutions }: z.output<typeof mergePreviewSchema>,
): Promise<MergeResultPreview> {
  const sides = await readSides(deps, agentId, branchId, resolutions)
  const problem = problemOf(sides, resolutions)
  if (problem !== null) throw new PlatformError('MERGE_INVALID_RESOLUTION', problem)
  return previewOf(sides, resolutions)
}

function problemOf({ sides }: BranchSides, resolutions: readonly Resolution[]): string | null {
  const result = merge(sides, resolutions)
  return result.status === 'invalid' ? result.reason : null
}

/** Returns the preview of two sides. If resolutions are no longer valid, returns that without any. */
export function previewOf(
  { branch, head, sides }: BranchSides,
  resolutions: readonly Resolution[],
): MergeResultPreview {
  const given = merge(sides, resolutions)
  const result = given.status === 'invalid' ? merge(sides, []) : given
  const { ours } = sides
  return {
    ...{ branchVersion: branch.version, mainRevision: head.number },
    changes:
      result.status === 'invalid' ? [] : previewMerge({ base: ours, ours, theirs: result.tree }).changes,
    conflicts: result.status === 'conflicts' ? result.conflicts : [],
  }
}
