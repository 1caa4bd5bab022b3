import * as z from 'zod'
import type { Branch } from '../../../domain/agent/agent.ts'
import { CONTENT_LIMITS } from '../../../domain/agent/content.ts'
import { applyChanges, type ChangedResource, changedResources, treeOf } from '../../../domain/agent/tree.ts'
import { type AgentId, type BranchId, MAIN_BRANCH_ID } from '../../../domain/ids.ts'
import { PlatformError } from '../../../errors.ts'
import { auditEntry } from '../../audit/audit-entry.ts'
import { checked } from '../../shared/checked.ts'
import { storedName } from '../content/stored-name.ts'
import { type ActingDeps, type AgentsDeps, requireAgent, requireMain, retried } from '../deps.ts'
import { listBranchesOf } from '../releases/lifecycle.ts'
import { branchCacheKey, refuseMain, viewBranch } from './branch-view.ts'

/** A branch with its own changes: what differs from its base revision, by kind, then by id. */
export type BranchRecord = Branch & { readonly changes: readonly ChangedResource[] }

/** A branch's name. Several branches may share a name, except for that of main. */
export const branchNameSchema = z.string().min(1).max(CONTENT_LIMITS.nameLength)

/** Lists all branches, main first, then oldest first. @throws PROJECT_NOT_FOUND */
export async function listBranches(deps: AgentsDeps, agentId: AgentId): Promise<readonly Branch[]> {
  const branches = await listBranchesOf(deps, agentId)
  if (branches.length === 0) await requireAgent(deps, agentId)
  return branches
}

/**
 * Returns the branch with its own changes. Main, which is only merged into, has no changes of its own.
 * @throws PROJECT_NOT_FOUND, BRANCH_NOT_FOUND
 */
export async function readBranch(
  deps: AgentsDeps,
  agentId: AgentId,
  branchId: BranchId,
): Promise<BranchRecord> {
  const { branch, changes } = await viewBranch(deps, agentId, branchId)
  const keys = [...changes.keys()]
  const base =
    keys.length > 0
      ? await deps.context.store.agents.revisions.resourcesAt(agentId, branch.baseRevision, { keys })
      : []
  const tree = treeOf(base)
  return { ...branch, changes: changedResources(tree, applyChanges(tree, changes.values())) }
}

/**
 * Returns a branch without changes that begins at main's newest revision. @throws PROJECT_NOT_FOUND,
 * BRANCH_ALREADY_EXISTS
 */
export async function createBranch(
  deps: AgentsDeps,
  agentId: AgentId,
  { branchName }: { readonly branchName: string },
): Promise<Branch> {
  const { clock, ids, store } = deps.context
  const { branchName: name } = checked(z.object({ branchName: branchNameSchema }), {
    branchName: storedName(branchName),
  })
  if (name === MAIN_BRANCH_ID) {
    throw new PlatformError(
      'BRANCH_ALREADY_EXISTS',
      'The name main belongs to the branch that every agent has; choose another.',
    )
  }
  return retried(deps, agentId, async () => {
    const { head } = await requireMain(deps, agentId)
    const id: BranchId = `BRANCH-${ids.short()}`
    const now = clock.now()
    const stamp = { baseRevision: head.number, version: 1, createdAt: now, updatedAt: now }
    const branch: Branch = { id, agentId, name, ...stamp }
    return (await store.agents.branches.create(branch)) === 'created' ? branch : 'stale'
  })
}

/** Removes the branch with its changes. @throws MAIN_BRANCH_READ_ONLY, PROJECT_NOT_FOUND, BRANCH_NOT_FOUND */
export async function deleteBranch(deps: ActingDeps, agentId: AgentId, branchId: BranchId): Promise<Branch> {
  refuseMain(branchId)
  return retried(deps, agentId, async () => {
    const { accountId } = await requireAgent(deps, agentId)
    const { branch } = await viewBranch(deps, agentId, branchId)
    const entry = auditEntry(deps.context, 'branch.deleted', {
      ...{ accountId, agentId, resourceId: branchId },
      details: { name: branch.name },
    })
    const deleted = await deps.context.store.agents.branches.delete(agentId, branchId, { audit: entry })
    deps.branches.delete(branchCacheKey(agentId, branchId))
    if (!deleted) throw new PlatformError('BRANCH_NOT_FOUND', `There is no branch ${branchId}.`)
    return branch
  })
}
