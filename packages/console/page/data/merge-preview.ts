import type { api } from '../api.ts'
import { sendConsole } from '../api.ts'
import { type Resource, useResource } from './resource.ts'

export type Change = Awaited<ReturnType<typeof api.diffBranch>>['changes'][number]

/** How a conflict is settled. */
export interface Resolution {
  readonly path: readonly string[]
  readonly strategy: 'ours' | 'theirs'
  /** In place of the branch's value. */
  readonly value?: string
}

/** What a merge would make of main, and what is still to be decided. */
export interface MergePreview {
  /** What it was made from, which the merge expects. */
  readonly branchVersion: string
  readonly mainRevision: string
  readonly changes: readonly Change[]
  readonly conflicts: readonly Change[]
}

/** So long nothing may be chosen before it is asked for, milliseconds. */
const REST = 200

/** What main would become by a merge with these resolutions, as the server works it out. */
export const useMergePreview = (
  agentId: string,
  branchId: string,
  resolutions: readonly Resolution[],
): Resource<MergePreview> =>
  useResource(
    async signal => {
      // Whoever writes a text of their own writes on.
      if (resolutions.length > 0) await new Promise(resolve => setTimeout(resolve, REST))
      signal.throwIfAborted()
      const path = `/console/v1/agents/${encodeURIComponent(agentId)}/branches/${encodeURIComponent(branchId)}/merge-preview`
      return (await sendConsole(path, { conflictResolutions: resolutions }, signal)) as MergePreview
    },
    [agentId, branchId, JSON.stringify(resolutions)],
  )
