import * as z from 'zod'
import type { Branch } from '../../../domain/agent/agent.ts'
import {
  type ContentTree,
  RESOURCE_SCHEMAS,
  type Resource,
  type ResourceChange,
  resourceKey,
} from '../../../domain/agent/content.ts'
import { contentFaults } from '../../../domain/agent/sound-content.ts'
import {
  applyChanges,
  isWrite,
  nameOf,
  parseResource,
  sameResource,
  treeOf,
} from '../../../domain/agent/tree.ts'
import type { AgentId, BranchId } from '../../../domain/ids.ts'
import { onFirstUse } from '../../../domain/on-first-use.ts'
import { PlatformError } from '../../../errors.ts'
import { naming } from '../../shared/arguments.ts'
import { checked } from '../../shared/checked.ts'
import { type BranchView, viewBranch } from '../branches/branch-view.ts'
import { type AgentsDeps, noAgent } from '../deps.ts'
import { editBranch } from './edit-branch.ts'
import { storedName } from './stored-name.ts'

/** The whole content of a branch, as of one moment. */
export interface BranchTree {
  /** The branch as of then; its `version` guards a write of what was made of this. */
  readonly branch: Branch
  /** The branch's changes since that revision. Empty for main. */
  readonly changes: readonly ResourceChange[]
  /** The whole content, the changes included. */
  readonly tree: ContentTree
}

/** Changes of a branch that are written together. */
export interface BranchWrite {
  /** The version of the branch from which the changes were made. */
  readonly expectedVersion: number
  /**
   * Whole values of resources, and null for those that go. Ids of new ones: letters, digits, `-` and `_`, at most 100.
   */
  readonly changes: readonly ResourceChange[]
}

/** A value may be of any kind of resource: it is checked as what it is written as. */
export const branchWriteSchema = onFirstUse(() =>
  naming<BranchWrite>(
    z.object({
      expectedVersion: z.number(),
      changes: z.array(
        z.object({ kind: z.enum(Object.keys(RESOURCE_SCHEMAS)), id: z.string(), value: z.unknown() }),
      ),
    }),
  ),
)

const treeIn = async (deps: AgentsDeps, { branch, changes }: BranchView): Promise<ContentTree> =>
  applyChanges(
    treeOf(await deps.context.store.agents.revisions.resourcesAt(branch.agentId, branch.baseRevision)),
    changes.values(),
  )

/**
 * Returns the whole content of a branch. The cost is that of the content. @throws PROJECT_NOT_FOUND, BRANCH_NOT_FOUND
 */
export async function readBranchTree(
  deps: AgentsDeps,
  agentId: AgentId,
  branchId: BranchId,
): Promise<BranchTree> {
  const view = await viewBranch(deps, agentId, branchId)
  const tree = structuredClone(await treeIn(deps, view))
  // No content is empty: the agent was deleted between the two reads.
  if (tree.size === 0) throw noAgent(agentId)
  return { branch: view.branch, changes: structuredClone([...view.changes.values()]), tree }
}

const NEW_ID = /^[\w-]{1,100}$/

const invalid = (message: string) => new PlatformError('SCHEMA_VALIDATION_FAILED', message)

/** Returns the change as it is stored. @throws SCHEMA_VALIDATION_FAILED */
function checkedChange(tree: ContentTree, change: ResourceChange): ResourceChange {
  const { kind, id } = change
  const before = tree.get(resourceKey(change))
  const single = kind === 'behavior' || kind === 'response_settings'
  if (single ? id !== '' : before === undefined && !NEW_ID.test(id))
    throw invalid(
      `The id "${id}" of a resource of ${kind} is not valid: 1 to 100 letters, digits, - and _ are allowed.`,
    )
  if (!isWrite(change)) return { kind, id, value: null }
  const name = nameOf(change)
  const renamed = name !== null && (before === undefined || nameOf(before) !== name)
  const value = renamed ? { ...change.value, name: storedName(name) } : change.value
  return parseResource(kind, id, checked(RESOURCE_SCHEMAS[kind], value))
}

const changesSomething = (tree: ContentTree, change: ResourceChange): boolean => {
  const before: Resource | undefined = tree.get(resourceKey(change))
  return isWrite(change) ? !sameResource(before, change) : before !== undefined
}

/**
 * Writes many changes of a branch at once, or none of them (AG79).
 * @throws MAIN_BRANCH_READ_ONLY, PROJECT_NOT_FOUND, BRANCH_NOT_FOUND, SCHEMA_VALIDATION_FAILED for an invalid value and
 *   for content that would not be sound, WRITE_CONFLICT when the branch is not at `expectedVersion`
 */
export async function writeBranchTree(
  deps: AgentsDeps,
  agentId: AgentId,
  branchId: BranchId,
  { expectedVersion, changes }: BranchWrite,
): Promise<void> {
  return editBranch(deps, agentId, branchId, async view => {
    if (view.branch.version !== expectedVersion) {
      const message = `The branch ${branchId} was changed meanwhile; read it again.`
      throw new PlatformError('WRITE_CONFLICT', message)
    }
    const tree = await treeIn(deps, view)
    const written = changes
      .map(change => checkedChange(tree, change))
      .filter(change => changesSomething(tree, change))
    const [fault] = contentFaults(applyChanges(tree, written))
    if (fault !== undefined) {
      const { resource, message } = fault
      throw invalid(resource === null ? message : `${resourceKey(resource)}: ${message}`)
    }
    // The branch keeps its own copies.
    return { changes: structuredClone(written), result: undefined }
  })
}
