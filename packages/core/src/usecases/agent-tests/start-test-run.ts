import * as z from 'zod'
import type { InputOf } from '../../calls/call.ts'
import type { Agent } from '../../domain/agent/agent.ts'
import { activeTestCases } from '../../domain/agent/test-cases.ts'
import { newBranchTestRun, type TestRun } from '../../domain/agent/test-run.ts'
import { isKind, type ResourceOf } from '../../domain/agent/tree.ts'
import { actorWord } from '../../domain/audit/audit.ts'
import { type AgentId, type DeploymentId, MAIN_BRANCH_ID } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import { noBranch } from '../agents/branches/branch-view.ts'
import { type BranchContent, readBranchContent } from '../agents/content/branch-content.ts'
import { type ActingDeps, noAgent, requireAgent, requireDeployment } from '../agents/deps.ts'
import { auditEntry } from '../audit/audit-entry.ts'
import { testersOf } from './ask-testers.ts'
import { testCasesAt, testRunOf } from './deployment-tests.ts'

/** The largest number of test cases to name for one run. */
const MOST_NAMED = 1_000

/** The options of a run on a branch. */
export const branchTestFields = {
  /** @default "main" */
  branchId: z.string().min(1).exactOptional(),
  /** Test cases of the branch, 1 to 1,000, active or not. @default its active ones */
  testCaseIds: z.array(z.string().min(1)).min(1).max(MOST_NAMED).exactOptional(),
}

/** The schema of {@link TestRunInput}. */
export const testRunInputSchema = z
  .object({
    ...branchTestFields,
    /** Its active test cases are run. @default a branch is tested */
    deploymentId: z.string().exactOptional(),
  })
  .refine(
    ({ deploymentId, branchId, testCaseIds }) =>
      deploymentId === undefined || (branchId === undefined && testCaseIds === undefined),
    { path: ['deploymentId'], message: 'must be given alone, without branchId and testCaseIds' },
  )

/** The subject of a test run: a deployment, or else the current content of a branch. */
export type TestRunInput = InputOf<typeof testRunInputSchema>

const withoutTestCases = (tested: string, remedy: string) =>
  new PlatformError('TEST_RUN_WITHOUT_TEST_CASES', `${tested} has no active test cases; ${remedy}.`)

async function runOfDeployment(
  deps: ActingDeps,
  agentId: AgentId,
  deploymentId: DeploymentId,
): Promise<TestRun> {
  const deployment = await requireDeployment(deps, agentId, deploymentId)
  const testCases = await testCasesAt(deps, agentId, deployment.revision)
  const run = testRunOf(deps, deployment, testCases)
  if (run !== null) return run
  throw withoutTestCases(`The deployment ${deploymentId}`, 'add one on a branch and merge it')
}

/** Returns the test cases that a run on a branch goes through, each once. */
function chosen(
  { content, branch }: BranchContent,
  named: readonly string[] | undefined,
): readonly ResourceOf<'test_cases'>[] {
  const testCases = [...content.tree.values()].filter(isKind('test_cases'))
  if (named === undefined) return activeTestCases(testCases)
  const known = new Map(testCases.map(testCase => [testCase.id, testCase]))
  const unknown = named.find(id => !known.has(id))
  if (unknown === undefined) return [...new Set(named)].flatMap(id => known.get(id) ?? [])
  throw new PlatformError('TEST_CASE_NOT_FOUND', `The branch ${branch.id} has no test case ${unknown}.`)
}

async function runOnBranch(
  deps: ActingDeps,
  agent: Agent,
  { branchId = MAIN_BRANCH_ID, testCaseIds: named }: Pick<TestRunInput, 'branchId' | 'testCaseIds'>,
): Promise<TestRun> {
  const { caller, clock, ids } = deps.context
  const held = await readBranchContent(deps, agent.id, branchId)
  const testCases = chosen(held, named)
  const testCaseIds = testCases.map(({ id }) => id)
  if (testCaseIds.length === 0)
    throw withoutTestCases(`The branch ${branchId}`, 'add one on a branch, or name others in testCaseIds')
  const tested = { branch: held.branch, testCaseIds }
  const run = newBranchTestRun(`TESTRUN-${ids.short()}`, agent, tested, clock.now())
  return { ...run, ...testersOf(deps.context, testCases), startedBy: actorWord(caller) }
}

/** See `Agents.startTestRun`. */
export async function startTestRun(
  deps: ActingDeps,
  agentId: AgentId,
  { deploymentId, ...onBranch }: TestRunInput,
): Promise<TestRun> {
  const { agents } = deps.context.store
  const agent = await requireAgent(deps, agentId)
  const run =
    deploymentId === undefined
      ? await runOnBranch(deps, agent, onBranch)
      : await runOfDeployment(deps, agentId, deploymentId)
  const { id: resourceId, accountId, environment, counts, branch } = run
  const tested = branch === undefined ? { deploymentId: run.deploymentId } : { branchId: branch.id }
  const details = { ...tested, environment, testCases: counts.total }
  const subject = { accountId, agentId, resourceId, details }
  const audit = auditEntry(deps.context, 'test_run.started', subject)
  if ((await agents.testRuns.create(run, undefined, { audit })) !== 'created') {
    await requireAgent(deps, agentId)
    throw branch === undefined ? noAgent(agentId) : noBranch(branch.id)
  }
  deps.hooks.testRunsDue()
  return run
}
