import type { Branch } from '../../../domain/agent/agent.ts'
import {
  type Resource,
  type ResourceChange,
  type ResourceKind,
  resourceKey,
} from '../../../domain/agent/content.ts'
import { applyChanges, isKind, isWrite, nameOf, type ResourceOf, treeOf } from '../../../domain/agent/tree.ts'
import { type AgentId, type BranchId, MAIN_BRANCH_ID } from '../../../domain/ids.ts'
import { PlatformError } from '../../../errors.ts'
import { type AgentsDeps, type ReadingDeps, requireAgent } from '../deps.ts'

/** A branch as it is to be read: a revision of main with changes on top; for main the newest revision, unchanged. */
export interface BranchView {
  readonly branch: Branch
  readonly changes: ReadonlyMap<string, ResourceChange>
}

/**
 * Returns the key of a branch in the cache. The key of an empty id is the prefix of the keys of all branches of the
 * agent.
 */
export const branchCacheKey = (agentId: AgentId, branchId: BranchId | ''): string => `${agentId}/${branchId}`

/** Returns the error for a branch that does not exist. */
export const noBranch = (branchId: BranchId): PlatformError =>
  new PlatformError('BRANCH_NOT_FOUND', `There is no branch ${branchId}.`)

/** @throws MAIN_BRANCH_READ_ONLY for main (contract/agents.md, Branches) */
export function refuseMain(branchId: BranchId): void {
  if (branchId === MAIN_BRANCH_ID) {
    throw new PlatformError('MAIN_BRANCH_READ_ONLY', 'Cannot directly update main branch')
  }
}

/** Returns main at its newest revision. Every revision counts as a write of main. */
export const mainAt = (
  main: Branch,
  head: { readonly number: number; readonly createdAt: number },
): Branch => ({
  ...main,
  baseRevision: head.number,
  version: head.number,
  updatedAt: head.createdAt,
})

/** @throws PROJECT_NOT_FOUND, BRANCH_NOT_FOUND */
export async function viewBranch(
  deps: ReadingDeps,
  agentId: AgentId,
  branchId: BranchId,
): Promise<BranchView> {
  const store = deps.context.store.agents
  for (;;) {
    const branch = await store.branches.find(agentId, branchId)
    if (!branch) {
      await requireAgent(deps, agentId)
      throw noBranch(branchId)
    }
    if (branchId === MAIN_BRANCH_ID) {
      const main = await store.revisions.main(agentId)
      if (main) return { branch: mainAt(branch, main.head), changes: new Map() }
      continue
    }
    const cached = deps.branches.get(branchCacheKey(agentId, branchId))
    if (cached?.version === branch.version) return { branch, changes: cached.changes }
    const changes = await store.branches.changes(agentId, branchId)
    // The branch may have moved between the two reads; its changes are only known to be of its version when it did not.
    const after = await store.branches.find(agentId, branchId)
    if (after?.version !== branch.version) continue
    const hot = {
      version: branch.version,
      contentBytes: null,
      changes: new Map(changes.map(change => [resourceKey(change), change])),
    }
    deps.branches.set(branchCacheKey(agentId, branchId), hot)
    return { branch, changes: hot.changes }
  }
}

/** Returns the resource as the branch has it. Null when it has no resource with that id. */
export async function resourceIn<Kind extends ResourceKind>(
  deps: AgentsDeps,
  view: BranchView,
  kind: Kind,
  id: string,
): Promise<ResourceOf<Kind> | null> {
  const key = resourceKey({ kind, id })
  const change = view.changes.get(key)
  const found = change
    ? [change].filter(isWrite)
    : await deps.context.store.agents.revisions.resourcesAt(view.branch.agentId, view.branch.baseRevision, {
        keys: [key],
      })
  return found.find(isKind(kind)) ?? null
}

/** Returns all resources of a kind in the branch, by name, then by id. */
export async function resourcesIn<Kind extends ResourceKind>(
  deps: AgentsDeps,
  view: BranchView,
  kind: Kind,
): Promise<readonly ResourceOf<Kind>[]> {
  const { agentId, baseRevision } = view.branch
  const base = await deps.context.store.agents.revisions.resourcesAt(agentId, baseRevision, {
    kinds: [kind],
  })
  const tree = applyChanges(treeOf(base), view.changes.values())
  return [...tree.values()].filter(isKind(kind)).sort(byName)
}

const byName = (a: Resource, b: Resource): number => {
  const [left, right] = [`${nameOf(a)}\n${a.id}`, `${nameOf(b)}\n${b.id}`]
  return left < right ? -1 : left > right ? 1 : 0
}

/** Reports whether another resource of the kind than `exceptId` has the name on the branch. */
export async function nameTaken(
  deps: AgentsDeps,
  view: BranchView,
  {
    kind,
    name,
    exceptId,
  }: {
    readonly kind: ResourceKind
    readonly name: string
    readonly exceptId: string | null
  },
): Promise<boolean> {
  const { agentId, baseRevision } = view.branch
  const holds = (resource: Resource): boolean =>
    resource.kind === kind && resource.id !== exceptId && nameOf(resource) === name
  for (const change of view.changes.values()) if (isWrite(change) && holds(change)) return true
  const base = await deps.context.store.agents.revisions.resourcesAt(agentId, baseRevision, {
    kinds: [kind],
    names: [name],
  })
  return base.some(resource => holds(resource) && !view.changes.has(resourceKey(resource)))
}
