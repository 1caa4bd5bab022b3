import * as z from 'zod'
import type { Conflict, Difference, Resolution } from '../../../domain/agent/conflict.ts'
import { resolutionsSchema } from '../../../domain/agent/conflict.ts'
import { merge, previewMerge } from '../../../domain/agent/merge.ts'
import type { AgentId, BranchId } from '../../../domain/ids.ts'
import { PlatformError } from '../../../errors.ts'
import { checked } from '../../shared/checked.ts'
import type { AgentsDeps } from '../deps.ts'
import { readSides } from './merge-sides.ts'

/** How conflicts would be settled. */
export interface MergePreviewInput {
  /** @default none */
  readonly conflictResolutions?: readonly Resolution[]
}

/** What main would become. */
export interface MergeResultPreview {
  /** What the merged content has otherwise than main, as far as it is decided: main is ours and base. */
  readonly changes: readonly Difference[]
  /** Conflicts that have no resolution yet; until then each counts as settled for main. */
  readonly conflicts: readonly Conflict[]
}

const inputSchema = z.object({ conflictResolutions: resolutionsSchema.default([]) })

/**
 * What a merge with these resolutions would make of main, without doing it (AG77).
 * @throws PROJECT_NOT_FOUND, BRANCH_NOT_FOUND, MERGE_INVALID_RESOLUTION
 */
export async function previewMergeOf(
  deps: AgentsDeps,
  agentId: AgentId,
  branchId: BranchId,
  input: MergePreviewInput = {},
): Promise<MergeResultPreview> {
  const { conflictResolutions: resolutions } = checked(inputSchema, input)
  const { sides } = await readSides(deps, agentId, branchId, resolutions)
  const result = merge(sides, resolutions)
  if (result.status === 'invalid') throw new PlatformError('MERGE_INVALID_RESOLUTION', result.reason)
  const { ours } = sides
  return {
    changes: previewMerge({ base: ours, ours, theirs: result.tree }).changes,
    conflicts: result.status === 'conflicts' ? result.conflicts : [],
  }
}
