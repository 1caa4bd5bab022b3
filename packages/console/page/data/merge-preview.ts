import type { api } from '../api.ts'
import { sendConsole } from '../api.ts'
import { type Resource, useResource } from './resource.ts'

export type Change = Awaited<ReturnType<typeof api.diffBranch>>['changes'][number]

/** Resolution of a conflict. */
export interface Resolution {
  readonly path: readonly string[]
  readonly strategy: 'ours' | 'theirs'
  /** In place of the branch's value. */
  readonly value?: string
}

/** Changes of a merge to main, and the conflicts left to decide. */
export interface MergePreview {
  /** Version of the branch from which it was made. The merge expects this one and `mainRevision`. */
  readonly branchVersion: string
  readonly mainRevision: string
  readonly changes: readonly Change[]
  readonly conflicts: readonly Change[]
}

/** The pause after the last choice before the preview is requested, milliseconds. */
const REST = 200

/** Previews main after a merge with these resolutions. */
export const useMergePreview = (
  agentId: string,
  branchId: string,
  resolutions: readonly Resolution[],
): Resource<MergePreview> =>
  useResource(
    async signal => {
      // Wait: a person who writes a text of their own is probably still typing.
      if (resolutions.length > 0) await new Promise(resolve => setTimeout(resolve, REST))
      signal.throwIfAborted()
      const path = `/console/v1/agents/${encodeURIComponent(agentId)}/branches/${encodeURIComponent(branchId)}/merge-preview`
      return (await sendConsole(path, { conflictResolutions: resolutions }, signal)) as MergePreview
    },
    [agentId, branchId, JSON.stringify(resolutions)],
  )
