import * as z from 'zod'
import type { InputOf } from '../../../calls/call.ts'
import type { Agent, Branch, Deployment, Revision } from '../../../domain/agent/agent.ts'
import { type Resolution, resolutionsSchema } from '../../../domain/agent/conflict.ts'
import { type ContentTree, type ResourceChange, resourceKey } from '../../../domain/agent/content.ts'
import { advancedContentBytes, refuseLargerContent } from '../../../domain/agent/content-bytes.ts'
import { advanceContentHash } from '../../../domain/agent/content-hash.ts'
import { createDeployment, deploymentMessageSchema } from '../../../domain/agent/deployment.ts'
import { type MergeSides, merge } from '../../../domain/agent/merge.ts'
import { diff, isWrite } from '../../../domain/agent/tree.ts'
import { actorWord } from '../../../domain/audit/audit.ts'
import type { AgentId, BranchId, TestRunId } from '../../../domain/ids.ts'
import { PlatformError } from '../../../errors.ts'
import { testCasesAt, testRunOf } from '../../agent-tests/deployment-tests.ts'
import { auditEntry } from '../../audit/audit-entry.ts'
import { type ActingDeps, retried } from '../deps.ts'
import { deploymentDetails } from '../releases/deploy.ts'
import { refuseUnseen, seenSchema } from '../releases/refuse-unseen.ts'
import { tellDeployed } from '../releases/tell-deployed.ts'
import { branchCacheKey, refuseMain } from './branch-view.ts'
import { readSides } from './merge-sides.ts'
import { previewOf } from './preview-merge.ts'

/** The result of a merge: the branch as it goes on, and the sandbox deployment. */
export interface MergeOutcome {
  readonly branch: Branch
  readonly deployment: Deployment
  /** The run of the deployment's tests; empty when it has no active test cases. */
  readonly testRunIds: readonly TestRunId[]
}

/** The schema of {@link MergeInput}. */
export const mergeInputSchema = z.object({
  /** The purpose of the deployment, at most 10,000 characters. @default "" */
  deploymentMessage: deploymentMessageSchema.default(''),
  /** @default none */
  conflictResolutions: resolutionsSchema.default([]),
  /** The merge is made only of the branch and the main that were seen (AG121). @default not compared */
  expected: seenSchema('branchVersion', 'mainRevision').exactOptional(),
})

/** The message of a merge, the resolutions of its conflicts, and the versions that its caller expects. */
export type MergeInput = InputOf<typeof mergeInputSchema>

function mergeOrRefuse(sides: MergeSides, resolutions: readonly Resolution[]): ContentTree {
  const result = merge(sides, resolutions)
  if (result.status === 'merged') return result.tree
  if (result.status === 'invalid') throw new PlatformError('MERGE_INVALID_RESOLUTION', result.reason)
  const { conflicts } = result
  const count = conflicts.length === 1 ? 'one conflict' : `${conflicts.length} conflicts`
  throw new PlatformError('MERGE_CONFLICTS', `The branch has ${count} with main; give each a resolution.`, {
    body: { hasConflicts: true, conflicts, errors: [] },
  })
}

function nextRevision(
  head: Revision,
  ours: ContentTree,
  changes: readonly ResourceChange[],
  now: number,
): Revision {
  const before = changes.flatMap(change => ours.get(resourceKey(change)) ?? [])
  const after = changes.filter(isWrite)
  return {
    number: head.number + 1,
    contentHash: advanceContentHash(head.contentHash, before, after),
    contentBytes: advancedContentBytes(head.contentBytes, before, after),
    createdAt: now,
  }
}

/**
 * Merges a branch to main and deploys the result to sandbox, in one write; the branch goes on from the new revision. A
 * merge without changes deploys the content of main.
 * @throws MAIN_BRANCH_READ_ONLY, PROJECT_NOT_FOUND, BRANCH_NOT_FOUND, MERGE_CONFLICTS, MERGE_INVALID_RESOLUTION,
 * CONTENT_CHANGED, SCHEMA_VALIDATION_FAILED for content that would be too large (AG72)
 */
export async function mergeBranch(
  deps: ActingDeps,
  agentId: AgentId,
  branchId: BranchId,
  { deploymentMessage, conflictResolutions: resolutions, expected }: z.output<typeof mergeInputSchema>,
): Promise<MergeOutcome> {
  refuseMain(branchId)
  const outcome = await retried(deps, agentId, async () => {
    const read = await readSides(deps, agentId, branchId, resolutions)
    const { agent, branch: before, head, lastDeployment, sides } = read
    await refuseUnseen({ branchVersion: before.version, mainRevision: head.number }, expected, async () => ({
      preview: previewOf(read, resolutions),
    }))
    const changes = diff(sides.ours, mergeOrRefuse(sides, resolutions))
    const revision = nextRevision(head, sides.ours, changes, deps.context.clock.now())
    refuseLargerContent(deps.context.settings.limits.contentBytes, head.contentBytes, revision.contentBytes)
    const deployment = sandboxDeployment(deps, agent, {
      lastNumber: lastDeployment,
      revision,
      message: deploymentMessage,
    })
    const branch = nextBranch(before, revision)
    const testCases = await testCasesAt(deps, agentId, head.number, changes)
    const testRun = testRunOf(deps, deployment, testCases)
    const commit = {
      agentId,
      expectedRevision: head.number,
      expectedDeployment: lastDeployment,
      revision,
      changes,
      branch: { expectedVersion: before.version, next: branch },
      deployment,
      testRun,
    }
    const entry = auditEntry(deps.context, 'branch.merged', {
      ...{ accountId: agent.accountId, agentId, resourceId: branchId },
      details: {
        ...{ name: branch.name, changes: changes.length, deploymentId: deployment.id },
        ...deploymentDetails(deployment),
      },
    })
    const written = await deps.context.store.agents.revisions.commit(commit, { audit: entry })
    deps.branches.delete(branchCacheKey(agentId, branchId))
    if (written === 'stale') return 'stale'
    return { branch, deployment, testRunIds: testRun === null ? [] : [testRun.id] }
  })
  tellDeployed(deps, outcome.deployment)
  deps.hooks.testRunsDue()
  return outcome
}

const nextBranch = (branch: Branch, revision: Revision): Branch => ({
  ...branch,
  baseRevision: revision.number,
  version: branch.version + 1,
  updatedAt: revision.createdAt,
})

const sandboxDeployment = (
  deps: ActingDeps,
  agent: Agent,
  {
    lastNumber,
    revision,
    message,
  }: {
    readonly lastNumber: number
    readonly revision: Revision
    readonly message: string
  },
): Deployment =>
  createDeployment(
    agent,
    lastNumber,
    { revision: revision.number, version: revision.contentHash },
    {
      id: `DEPLOYMENT-${deps.context.ids.short()}`,
      environment: 'sandbox',
      type: 'merge',
      now: revision.createdAt,
      message,
      createdBy: actorWord(deps.context.caller),
    },
  )
