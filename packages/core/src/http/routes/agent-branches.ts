import * as z from 'zod'
import type { Branch } from '../../domain/agent/agent.ts'
import { resolutionsSchema } from '../../domain/agent/conflict.ts'
import { MAIN_BRANCH_ID } from '../../domain/ids.ts'
import { isoTime } from '../../domain/time.ts'
import { branchNameSchema } from '../../usecases/agents/branches/branches.ts'
import type { BranchDiff } from '../../usecases/agents/branches/diff-branch.ts'
import type { branchDiff, branchWithChanges } from '../answers/agents.ts'
import { defineRoute, type Route } from '../route.ts'
import {
  agentsApi,
  BRANCH_PATH,
  deploymentMessage,
  ofAgent,
  ofBranch,
  seenNumbers,
  seenVersions,
} from './agents-api.ts'
import { listAnswer } from './list-answer.ts'
import { differenceOnWire, fromWire, withWireConflicts } from './merge-conflicts.ts'

const branchOnWire = (branch: Branch) => ({
  branchId: branch.id,
  branchName: branch.name,
  name: branch.name,
  sequenceId: String(branch.version),
  createdAt: isoTime(branch.createdAt),
  updatedAt: isoTime(branch.updatedAt),
  isMain: branch.id === MAIN_BRANCH_ID,
  baseRevision: String(branch.baseRevision),
})

const diffOnWire = (diff: BranchDiff): z.input<typeof branchDiff> => ({
  branchVersion: String(diff.branchVersion),
  baseRevision: String(diff.baseRevision),
  mainRevision: String(diff.mainRevision),
  changes: diff.changes.map(differenceOnWire),
  mainChanges: diff.mainChanges.map(differenceOnWire),
  hasConflicts: diff.conflicts.length > 0,
  conflicts: diff.conflicts.map(differenceOnWire),
})

/** Branches, their differences and their merges (contract/agents.md, Branches). */
export const branchRoutes: readonly Route[] = [
  defineRoute({
    ...agentsApi,
    ...ofAgent,
    method: 'GET',
    path: '/v1/agents/:agentId/branches',
    operation: 'listBranches',
    summary: 'List the branches of an agent, main first',
    async handle({ platform, params }) {
      return {
        status: 200,
        json: { branches: (await platform.agents.branches(params.agentId)).map(branchOnWire) },
      }
    },
  }),
  defineRoute({
    ...agentsApi,
    ...ofAgent,
    method: 'POST',
    path: '/v1/agents/:agentId/branches',
    operation: 'createBranch',
    summary: "Create a branch from main's newest revision",
    body: z.object({ branchName: branchNameSchema }),
    async handle({ platform, params, body }) {
      const branch = await platform.agents.createBranch(params.agentId, body)
      return { status: 201, json: { branchId: branch.id, sequenceId: String(branch.version) } }
    },
  }),
  defineRoute({
    ...ofBranch,
    method: 'GET',
    path: BRANCH_PATH,
    operation: 'readBranch',
    summary: 'Read a branch with its changes since its base revision',
    async handle({ platform, params }) {
      const branch = await platform.agents.branch(params.agentId, params.branchId)
      const { sliceBytes } = platform.settings.limits
      const shown: z.input<typeof branchWithChanges> = { ...branchOnWire(branch), changes: branch.changes }
      return listAnswer(shown, sliceBytes)
    },
  }),
  defineRoute({
    ...ofBranch,
    method: 'GET',
    path: `${BRANCH_PATH}/diff`,
    operation: 'diffBranch',
    summary: 'Preview the changes and the conflicts of a merge of the branch',
    async handle({ platform, params }) {
      const diff = await platform.agents.diff(params.agentId, params.branchId)
      return listAnswer(diffOnWire(diff), platform.settings.limits.sliceBytes)
    },
  }),
  defineRoute({
    ...ofBranch,
    method: 'DELETE',
    path: BRANCH_PATH,
    operation: 'deleteBranch',
    summary: 'Delete a branch with its changes',
    async handle({ platform, params }) {
      const branch = await platform.agents.deleteBranch(params.agentId, params.branchId)
      return { status: 200, json: { sequence: String(branch.version), message: 'Branch deleted' } }
    },
  }),
  defineRoute({
    ...ofBranch,
    method: 'POST',
    path: `${BRANCH_PATH}/merge`,
    operation: 'mergeBranch',
    summary: 'Merge a branch to main and deploy the result to sandbox',
    body: z.object({
      ...deploymentMessage,
      conflictResolutions: resolutionsSchema.default([]),
      expected: z.object(seenVersions).default({}),
    }),
    async handle({ platform, params, body }) {
      const { conflictResolutions, expected } = body
      const input = {
        ...body,
        conflictResolutions: conflictResolutions.map(fromWire),
        expected: seenNumbers(expected),
      }
      const merging = platform.agents.merge(params.agentId, params.branchId, input)
      const { deployment, testRunIds } = await withWireConflicts(merging)
      const message = 'Branch merged to main and deployed to sandbox'
      return { status: 200, json: { sequence: String(deployment.revision), message, testRunIds } }
    },
  }),
]
