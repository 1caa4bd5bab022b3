import * as z from 'zod'
import type { TestRun } from '../../domain/agent/test-run.ts'
import { decodeCursor, encodeCursor } from '../../domain/conversation/cursor.ts'
import type { AgentId, DeploymentId, TestRunId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import type { TestRunWithResults } from '../../ports/store/test-runs.ts'
import { type AgentsDeps, noAgent, requireAgent } from '../agents/deps.ts'
import { checked } from '../shared/checked.ts'
import { testCasesAt, testRunOf } from './deployment-tests.ts'

/** Limits of lists of test runs. */
export const TEST_RUN_LIST = { default: 100, maximum: 1_000 } as const

/** Which test runs. */
export interface TestRunQuery {
  /** Those of one deployment. @default all */
  readonly deploymentId?: DeploymentId
  /** 1 to 1,000. @default 100 */
  readonly limit?: number
  readonly cursor?: string
}

/** A page of test runs, newest first. */
export interface TestRunPage {
  readonly testRuns: readonly TestRun[]
  /** Marks where the next page begins; null on the last page. */
  readonly cursor: string | null
}

/**
 * Runs of an agent's test cases against its deployments. A run goes on in the background, in any process that has room
 * for it.
 */
export interface TestRuns {
  /**
   * Runs the tests of a deployment once more: after an agent's services were down, for example.
   * @throws PROJECT_NOT_FOUND, DEPLOYMENT_NOT_FOUND, TEST_RUN_WITHOUT_TEST_CASES when it has no active test cases
   */
  start(agentId: AgentId, input: { readonly deploymentId: DeploymentId }): Promise<TestRun>
  /**
   * Newest first.
   * @throws PROJECT_NOT_FOUND, SCHEMA_VALIDATION_FAILED for a limit out of range or an invalid cursor
   */
  list(agentId: AgentId, query?: TestRunQuery): Promise<TestRunPage>
  /** A run with the cases that are behind it, by name. @throws PROJECT_NOT_FOUND, TEST_RUN_NOT_FOUND */
  read(agentId: AgentId, testRunId: TestRunId): Promise<TestRunWithResults>
}

const querySchema = z.object({
  limit: z.int().min(1).max(TEST_RUN_LIST.maximum).default(TEST_RUN_LIST.default),
})

async function startTestRun(
  deps: AgentsDeps,
  agentId: AgentId,
  deploymentId: DeploymentId,
): Promise<TestRun> {
  const { agents } = deps.context.store
  await requireAgent(deps, agentId)
  const deployment = await agents.deployments.find(agentId, deploymentId)
  if (!deployment) throw new PlatformError('DEPLOYMENT_NOT_FOUND', `There is no deployment ${deploymentId}.`)
  const testCases = await testCasesAt(deps, agentId, deployment.revision)
  const run = testRunOf(deps, deployment, testCases.length)
  if (run === null) {
    const message = `The deployment ${deploymentId} has no active test cases; add one on a branch and merge it.`
    throw new PlatformError('TEST_RUN_WITHOUT_TEST_CASES', message)
  }
  if ((await agents.testRuns.create(run)) === 'missing') throw noAgent(agentId)
  deps.hooks.testRunsDue()
  return run
}

function positionOf(cursor: string | undefined) {
  if (cursor === undefined) return {}
  const position = decodeCursor(cursor)
  if (position === null)
    throw new PlatformError('SCHEMA_VALIDATION_FAILED', 'The query parameter "cursor" is not one of ours.')
  return { after: { startedAt: position.startedAt, id: position.id } }
}

async function listTestRuns(deps: AgentsDeps, agentId: AgentId, query: TestRunQuery): Promise<TestRunPage> {
  const { limit } = checked(querySchema, query)
  const { cursor, deploymentId } = query
  const filter = {
    agentId,
    replays: false,
    ...positionOf(cursor),
    ...(deploymentId === undefined ? {} : { deploymentId }),
  }
  const found = await deps.context.store.agents.testRuns.list(filter, limit + 1)
  if (found.length === 0) await requireAgent(deps, agentId)
  const testRuns = found.slice(0, limit)
  const last = found.length > limit ? testRuns.at(-1) : undefined
  return { testRuns, cursor: last === undefined ? null : encodeCursor(last) }
}

const nameFirst = (one: { readonly name: string; readonly testCaseId: string }): string =>
  `${one.name}\n${one.testCaseId}`

async function readTestRun(
  deps: AgentsDeps,
  agentId: AgentId,
  testRunId: TestRunId,
): Promise<TestRunWithResults> {
  const found = await deps.context.store.agents.testRuns.find(agentId, testRunId)
  if (found === null || found.run.replay !== undefined) {
    await requireAgent(deps, agentId)
    throw new PlatformError('TEST_RUN_NOT_FOUND', `The agent has no test run ${testRunId}.`)
  }
  const results = [...found.results].sort((a, b) => (nameFirst(a) < nameFirst(b) ? -1 : 1))
  return { run: found.run, results }
}

/** The calls about test runs. */
export const createTestRuns = (deps: AgentsDeps): TestRuns => ({
  start: (agentId, { deploymentId }) => startTestRun(deps, agentId, deploymentId),
  list: (agentId, query = {}) => listTestRuns(deps, agentId, query),
  read: (agentId, testRunId) => readTestRun(deps, agentId, testRunId),
})
