import * as z from 'zod'
import type { TestRun } from '../../domain/agent/test-run.ts'
import { isBranchId } from '../../domain/ids.ts'
import { isoTime, isoTimeOrNull } from '../../domain/time.ts'
import { TEST_RUN_LIST } from '../../usecases/agent-tests/test-runs.ts'
import { defineRoute, type Route } from '../route.ts'
import { agentsApi, ofAgent } from './agents-api.ts'
import { integer, text } from './query-values.ts'

const ofRuns = { ...agentsApi, ...ofAgent, path: '/v1/agents/:agentId/test-runs' }

const testRunOnWire = (run: TestRun) => ({
  id: run.id,
  agentId: run.agentId,
  deploymentId: run.deploymentId,
  environment: run.environment,
  artifactVersion: String(run.revision),
  version: run.version,
  status: run.status,
  error: run.error,
  testCases: run.counts,
  branchId: isBranchId(run.deploymentId) ? run.deploymentId : null,
  testers: run.testers ?? null,
  startedBy: run.startedBy ?? null,
  startedAt: isoTime(run.startedAt),
  finishedAt: isoTimeOrNull(run.finishedAt),
})

/** Runs of agents' tests (SPEC, Agent tests). */
export const testRunRoutes: readonly Route[] = [
  defineRoute({
    ...ofRuns,
    method: 'GET',
    operation: 'listTestRuns',
    summary: 'List the test runs of an agent, newest first',
    query: z.object({
      deploymentId: text.exactOptional(),
      branchId: text.exactOptional(),
      limit: integer(1, TEST_RUN_LIST.maximum).exactOptional(),
      cursor: text.exactOptional(),
    }),
    async handle({ platform, params, query }) {
      const { testRuns, cursor } = await platform.agents.testRuns.list(params.agentId, query)
      return { status: 200, json: { testRuns: testRuns.map(testRunOnWire), cursor } }
    },
  }),
  defineRoute({
    ...ofRuns,
    method: 'POST',
    operation: 'startTestRun',
    summary: 'Run the tests of a deployment once more',
    body: z.object({ deploymentId: z.string() }),
    async handle({ platform, params, body }) {
      return { status: 201, json: testRunOnWire(await platform.agents.startTestRun(params.agentId, body)) }
    },
  }),
  defineRoute({
    ...ofRuns,
    method: 'GET',
    path: `${ofRuns.path}/:testRunId`,
    operation: 'readTestRun',
    summary: 'Read a test run with every turn and its verdicts',
    params: ofAgent.params.extend({ testRunId: z.string() }),
    async handle({ platform, params }) {
      const { run, results } = await platform.agents.testRuns.read(params.agentId, params.testRunId)
      return { status: 200, json: { ...testRunOnWire(run), results } }
    },
  }),
]
