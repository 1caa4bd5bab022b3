import * as z from 'zod'
import { branchTestFields } from '../../usecases/agent-tests/start-test-run.ts'
import { TEST_RUN_LIST } from '../../usecases/agent-tests/test-runs.ts'
import { defineRoute, type Route } from '../route.ts'
import { agentsApi, ofAgent } from './agents-api.ts'
import { listAnswer } from './list-answer.ts'
import { integer, text } from './query-values.ts'
import { testedCaseOnWire, testingRunOnWire } from './testing-on-wire.ts'

const PATH = '/v1/agents/:agentId/testing'

const ofTesting = { ...agentsApi, ...ofAgent }

const page = {
  limit: integer(1, TEST_RUN_LIST.maximum).default(TEST_RUN_LIST.default),
  offset: integer(0, Number.MAX_SAFE_INTEGER).default(0),
  branchId: text.exactOptional(),
}

/** Returns the position of a page by offset. */
const pageOnWire = (
  { limit, offset }: { readonly limit: number; readonly offset: number },
  shown: number,
  more: boolean,
) => ({ limit, offset, ...(more ? { next_offset: offset + shown } : {}) })

/** Runs of agents' tests, also on branches, in the field's words (contract/agents.md, Testing). */
export const testingRoutes: readonly Route[] = [
  defineRoute({
    ...ofTesting,
    method: 'GET',
    path: `${PATH}/test-runs`,
    operation: 'listTestingRuns',
    summary: 'List the test runs of an agent and its branches, newest first, by offset',
    query: z.object({ ...page, testSetId: text.exactOptional() }),
    async handle({ platform, params, query: { testSetId, ...query } }) {
      // No run is of a set: there are none.
      const found =
        testSetId === undefined
          ? await platform.agents.testRuns.list(params.agentId, query)
          : { testRuns: [], cursor: null }
      const testRuns = found.testRuns.map(testingRunOnWire)
      const end = pageOnWire(query, testRuns.length, found.cursor !== null)
      return { status: 200, json: { testRuns, ...end } }
    },
  }),
  defineRoute({
    ...ofTesting,
    method: 'POST',
    path: `${PATH}/test-runs/trigger`,
    operation: 'triggerTestRun',
    summary: 'Run tests of a branch with its current content',
    body: z.object(branchTestFields),
    async handle({ platform, params, body }) {
      const run = await platform.agents.startTestRun(params.agentId, body)
      return { status: 201, json: { ...testingRunOnWire(run), test_case_count: run.counts.total } }
    },
  }),
  defineRoute({
    ...ofTesting,
    method: 'GET',
    path: `${PATH}/test-runs/:testRunId`,
    operation: 'readTestingRun',
    summary: 'Read a test run with the result of each test case',
    params: ofAgent.params.extend({ testRunId: z.string() }),
    async handle({ platform, params }) {
      const { run, results } = await platform.agents.testRuns.read(params.agentId, params.testRunId)
      const testHistory = results.map(result => testedCaseOnWire(run, result))
      return listAnswer({ ...testingRunOnWire(run), testHistory }, platform.settings.limits.sliceBytes)
    },
  }),
  defineRoute({
    ...ofTesting,
    method: 'GET',
    path: `${PATH}/test-history`,
    operation: 'listTestHistory',
    summary: 'List the results of test cases, those of the newest run first',
    query: z.object({ ...page, testCaseId: text.exactOptional() }),
    async handle({ platform, params, query }) {
      const { results, more } = await platform.agents.testRuns.history(params.agentId, query)
      const testHistory = results.map(({ run, result }) => testedCaseOnWire(run, result))
      const end = pageOnWire(query, testHistory.length, more)
      return listAnswer({ testHistory, ...end }, platform.settings.limits.sliceBytes)
    },
  }),
]
