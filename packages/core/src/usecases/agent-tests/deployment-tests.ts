import type { Deployment } from '../../domain/agent/agent.ts'
import type { ResourceChange } from '../../domain/agent/content.ts'
import { activeTestCases } from '../../domain/agent/test-cases.ts'
import { newTestRun, type TestRun } from '../../domain/agent/test-run.ts'
import { applyChanges, isKind, type ResourceOf, treeOf } from '../../domain/agent/tree.ts'
import { actorWord } from '../../domain/audit/audit.ts'
import type { Environment } from '../../domain/environment.ts'
import type { AgentId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import type { ActingDeps, AgentsDeps } from '../agents/deps.ts'
import { testersOf } from './ask-testers.ts'

/** Returns the active test cases of a revision, with `changes` on top, by name. */
export async function testCasesAt(
  deps: AgentsDeps,
  agentId: AgentId,
  revision: number,
  changes: readonly ResourceChange[] = [],
): Promise<readonly ResourceOf<'test_cases'>[]> {
  const stored = await deps.context.store.agents.revisions.resourcesAt(agentId, revision, {
    kinds: ['test_cases'],
  })
  const resources = [...applyChanges(treeOf(stored), changes).values()]
  return activeTestCases(resources.filter(isKind('test_cases')))
}

/**
 * Returns the run that is written with a deployment that has these active test cases. Null without test cases (TE20).
 */
export function testRunOf(
  { context }: ActingDeps,
  deployment: Deployment,
  testCases: readonly ResourceOf<'test_cases'>[],
): TestRun | null {
  if (testCases.length === 0) return null
  const { caller, clock, ids } = context
  const run = newTestRun(`TESTRUN-${ids.short()}`, deployment, testCases.length, clock.now())
  return { ...run, ...testersOf(context, testCases), startedBy: actorWord(caller) }
}

/**
 * Refuses to deploy a version before a run of it has passed, if passing tests are required. A passed run stays passed,
 * so this remains true until the deployment is written (TE30). @throws DEPLOYMENTS_TESTS_NOT_PASSED
 */
export async function refuseUntested(
  deps: AgentsDeps,
  agentId: AgentId,
  target: { readonly environment: Environment; readonly version: string; readonly revision: number },
): Promise<void> {
  const { settings, store } = deps.context
  const { environment, version, revision } = target
  if (!settings.requirePassingTests.some(name => name === environment)) return
  const [passed] = await store.agents.testRuns.list({ agentId, version, status: 'passed', replays: false }, 1)
  if (passed !== undefined) return
  const [newest] = await store.agents.testRuns.list({ agentId, version, replays: false }, 1)
  const reason = newest ? stateOf(newest) : await absence(deps, agentId, revision)
  const message = `What goes to ${environment} must have passed its tests: ${reason}`
  throw new PlatformError('DEPLOYMENTS_TESTS_NOT_PASSED', message, {
    body: { testRunId: newest?.id ?? null },
  })
}

const STATES: Readonly<Record<TestRun['status'], string>> = {
  running: 'is still running. Try again when it has passed.',
  // Between the two reads.
  passed: 'has passed just now. Try again.',
  failed: 'has failed.',
  errored: 'could not be brought to an end. Start another one.',
}

const stateOf = ({ id, status }: TestRun): string =>
  `the newest run of this version, ${id}, ${STATES[status]}`

async function absence(deps: AgentsDeps, agentId: AgentId, revision: number): Promise<string> {
  const testCases = await testCasesAt(deps, agentId, revision)
  return testCases.length === 0
    ? 'this version has no active test case. Add one on a branch and merge it.'
    : 'there is no run of this version. Start one for a deployment of it.'
}
