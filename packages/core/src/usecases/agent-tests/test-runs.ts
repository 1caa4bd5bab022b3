import * as z from 'zod'
import { type CallsOf, callsWith, type InputOf } from '../../calls/call.ts'
import type { TestRun } from '../../domain/agent/test-run.ts'
import { decodeCursor, encodeCursor } from '../../domain/conversation/cursor.ts'
import type { AgentId, TestRunId } from '../../domain/ids.ts'
import { utf8Bytes } from '../../domain/utf8-bytes.ts'
import { PlatformError } from '../../errors.ts'
import type {
  TestResultFilter,
  TestResultOfRun,
  TestRunFilter,
  TestRunWithResults,
} from '../../ports/store/test-runs.ts'
import { type AgentsDeps, requireAgent } from '../agents/deps.ts'
import { agentId, own } from '../shared/arguments.ts'

/** Limits of lists of test runs and of what test cases came to. */
export const TEST_RUN_LIST = { default: 100, maximum: 1_000 } as const

/** The number of results to read at a time, since each may hold a long conversation. */
const READ_AT_ONCE = 20

const page = {
  /** 1 to 1,000. @default 100 */
  limit: z.int().min(1).max(TEST_RUN_LIST.maximum).default(TEST_RUN_LIST.default),
  /** The number of runs to skip. @default 0 */
  offset: z.int().min(0).default(0),
}

/** The schema of {@link TestRunQuery}. */
export const testRunQuerySchema = z.object({
  ...page,
  /** Only results of one deployment. @default all */
  deploymentId: z.string().exactOptional(),
  /** Only results on one branch. @default all */
  branchId: z.string().exactOptional(),
  /** The start of the page. Takes precedence over an offset. */
  cursor: own<string>().exactOptional(),
})

/** The filter of a list of test runs, and its page. */
export type TestRunQuery = InputOf<typeof testRunQuerySchema>

/** A page of test runs, newest first. */
export interface TestRunPage {
  readonly testRuns: readonly TestRun[]
  /** Marks where the next page begins; null on the last page. */
  readonly cursor: string | null
}

/** The schema of {@link TestHistoryQuery}. */
export const testHistoryQuerySchema = z.object({
  ...page,
  /** The test case whose results are listed. @default all */
  testCaseId: z.string().exactOptional(),
  /** In runs on one branch. @default all */
  branchId: z.string().exactOptional(),
})

/** The filter of the history of results, and its page. */
export type TestHistoryQuery = InputOf<typeof testHistoryQuerySchema>

/** A page of what test cases came to. It may have fewer than `limit`, so that it is of a bounded size. */
export interface TestHistoryPage {
  readonly results: readonly TestResultOfRun[]
  /** Whether there are further ones behind it. */
  readonly more: boolean
}

/**
 * Runs of an agent's test cases against its deployments and branches. A run goes on in the background, in any process
 * that has room for it.
 */
export interface TestRuns {
  /**
   * Lists test runs, newest first.
   * @throws PROJECT_NOT_FOUND, SCHEMA_VALIDATION_FAILED for a limit or offset out of range or an invalid cursor
   */
  list(agentId: AgentId, query?: TestRunQuery): Promise<TestRunPage>
  /** Returns a run with its finished cases, by name. @throws PROJECT_NOT_FOUND, TEST_RUN_NOT_FOUND */
  read(agentId: AgentId, testRunId: TestRunId): Promise<TestRunWithResults>
  /**
   * Returns results of test cases, those of the newest run first. A page has at most `limits.sliceBytes` of JSON, but
   * at least one result. @throws PROJECT_NOT_FOUND, SCHEMA_VALIDATION_FAILED for a limit or offset out of range
   */
  history(agentId: AgentId, query?: TestHistoryQuery): Promise<TestHistoryPage>
}

/** Refuses a cursor that no page has named. */
export const unknownCursor = () =>
  new PlatformError('SCHEMA_VALIDATION_FAILED', 'The query parameter "cursor" is not one of ours.')

/** Returns the position that a cursor names, if there is one. @throws SCHEMA_VALIDATION_FAILED */
function positionOf(cursor: string | undefined): Pick<TestRunFilter, 'after'> {
  if (cursor === undefined) return {}
  const position = decodeCursor(cursor)
  if (position === null) throw unknownCursor()
  return { after: { startedAt: position.startedAt, id: position.id } }
}

/** Returns the deployment or branch of a filter. A run is of one or the other, so that both together find none. */
export const testedBy = ({ deploymentId, branchId }: Pick<TestRunQuery, 'deploymentId' | 'branchId'>) =>
  deploymentId === undefined ? branchId : branchId === undefined ? deploymentId : ''

async function listTestRuns(
  deps: AgentsDeps,
  agentId: AgentId,
  query: z.output<typeof testRunQuerySchema>,
): Promise<TestRunPage> {
  const { limit, offset, cursor } = query
  const tested = testedBy(query)
  const filter = {
    agentId,
    replays: false,
    ...positionOf(cursor),
    ...(cursor === undefined && { skip: offset }),
    ...(tested === undefined ? {} : { deploymentId: tested }),
  }
  const found = await deps.context.store.agents.testRuns.list(filter, limit + 1)
  if (found.length === 0) await requireAgent(deps, agentId)
  const testRuns = found.slice(0, limit)
  const last = found.length > limit ? testRuns.at(-1) : undefined
  return { testRuns, cursor: last === undefined ? null : encodeCursor(last) }
}

async function readHistory(
  deps: AgentsDeps,
  agentId: AgentId,
  { limit, offset, testCaseId, branchId }: z.output<typeof testHistoryQuerySchema>,
): Promise<TestHistoryPage> {
  const { store, settings } = deps.context
  const filter: TestResultFilter = {
    agentId,
    ...(testCaseId === undefined ? {} : { testCaseId }),
    ...(branchId === undefined ? {} : { deploymentId: branchId }),
  }
  const results: TestResultOfRun[] = []
  let bytes = 0
  for (let isLast = false; !isLast; ) {
    const next = await store.agents.testRuns.results(filter, offset + results.length, READ_AT_ONCE)
    isLast = next.length < READ_AT_ONCE
    for (const one of next) {
      bytes += utf8Bytes(JSON.stringify(one.result))
      if (results.length === limit || (results.length > 0 && bytes > settings.limits.sliceBytes))
        return { results, more: true }
      results.push(one)
    }
  }
  if (results.length === 0) await requireAgent(deps, agentId)
  return { results, more: false }
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

const { call } = callsWith<AgentsDeps>()

/** The implementations of the calls about test runs. */
export const testRunCalls = {
  list: call(() => [agentId, testRunQuerySchema], listTestRuns),
  read: call(() => [agentId, ['testRunId', z.string()]], readTestRun),
  history: call(() => [agentId, testHistoryQuerySchema], readHistory),
} satisfies CallsOf<TestRuns, AgentsDeps>
