import type { AgentId, BranchId } from '../../../domain/ids.ts'
import { resourceIn, viewBranch } from '../branches/branch-view.ts'
import type { AgentsDeps } from '../deps.ts'
import { editBranch } from './edit-branch.ts'
import { refuseChanged } from './refuse-changed.ts'

/** Returns the branch's system prompt. @throws PROJECT_NOT_FOUND, BRANCH_NOT_FOUND */
export async function readBehavior(deps: AgentsDeps, agentId: AgentId, branchId: BranchId): Promise<string> {
  const view = await viewBranch(deps, agentId, branchId)
  return (await resourceIn(deps, view, 'behavior', ''))?.value.behavior ?? ''
}

/** @throws CONTENT_CHANGED, MAIN_BRANCH_READ_ONLY */
export async function updateBehavior(
  deps: AgentsDeps,
  agentId: AgentId,
  branchId: BranchId,
  { behavior, expected }: { readonly behavior: string; readonly expected?: string | undefined },
): Promise<string> {
  return editBranch(deps, agentId, branchId, async view => {
    if (expected !== undefined) {
      const before = await resourceIn(deps, view, 'behavior', '')
      refuseChanged({ behavior: before?.value.behavior ?? '' }, { behavior: expected })
    }
    return { changes: [{ kind: 'behavior', id: '', value: { behavior } }], result: behavior }
  })
}
