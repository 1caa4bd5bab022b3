import type { Agent } from '../../domain/agent/agent.ts'
import type { TestCaseResult, TestRun } from '../../domain/agent/test-run.ts'
import { isKind } from '../../domain/agent/tree.ts'
import { isPlatformError } from '../../errors.ts'
import type { AgentContent } from '../../ports/agent-runtime.ts'
import { contentOfRun, runTestCase, type TestDeps } from './run-test-case.ts'

/** Calls a run off whose branch is not any more what it was when the run began (TE251, TE60). */
export const CHANGED = new Error(
  'The branch was edited, merged or deleted after the run had begun. Start another run to test what it holds now.',
)

/** One case of a run on a branch that this process has. */
export interface BranchCase {
  readonly run: TestRun
  readonly agent: Pick<Agent, 'id' | 'name'>
  readonly testCaseId: string
}

/**
 * Returns the content of a run: that of its deployment, or its branch's as of the run's beginning.
 * @throws CHANGED if the branch has changed since, DEPLOYMENT_NOT_FOUND, PROJECT_NOT_FOUND
 */
export async function contentUnderTest(deps: TestDeps, run: TestRun): Promise<AgentContent> {
  if (run.branch === undefined) return contentOfRun(deps, run)
  try {
    const { content, branch } = await deps.branchContent(run.agentId, run.branch.id)
    if (branch.version === run.branch.version) return content
  } catch (error) {
    if (!isPlatformError(error) || error.code !== 'BRANCH_NOT_FOUND') throw error
  }
  throw CHANGED
}

/**
 * Runs one test case on a branch. A turn runs the branch's current content. Versions of a branch only grow, so an
 * unchanged version after the last turn proves that every turn ran it.
 *
 * @throws CHANGED, the signal's reason when the run is cancelled
 */
export async function runBranchCase(
  deps: TestDeps,
  one: BranchCase,
  signal: AbortSignal,
): Promise<TestCaseResult> {
  const { run, agent, testCaseId } = one
  const content = await contentUnderTest(deps, run)
  const testCase = content.tree.get(`test_cases/${testCaseId}`)
  if (testCase === undefined || !isKind('test_cases')(testCase)) throw CHANGED
  try {
    return await runTestCase(deps, { run, agent, testCase }, content, signal)
  } finally {
    signal.throwIfAborted()
    await contentUnderTest(deps, run)
  }
}
