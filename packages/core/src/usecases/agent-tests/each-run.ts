import type { TestCaseResult, TestRun } from '../../domain/agent/test-run.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { TestRunFilter } from '../../ports/store/test-runs.ts'
import type { Context } from '../context.ts'

/** Runs that are read at once: each replay holds up to 1,000 groups of turns, which take milliseconds. */
const PAGE = 2

/** Returns runs of an agent, newest first. What is removed meanwhile moves no other one of those that follow. */
export async function* eachRun(
  { breather, store }: Pick<Context, 'breather' | 'store'>,
  { skip = 0, ...filter }: Omit<TestRunFilter, 'after'>,
): AsyncGenerator<TestRun> {
  for (let after: TestRunFilter['after']; ; ) {
    const place = after === undefined ? { skip } : { after }
    const page = await store.agents.testRuns.list({ ...filter, ...place }, PAGE)
    yield* page
    after = page.at(-1)
    if (page.length < PAGE) return
    await breather.rest()
  }
}

/** Results of a replay that are read at once: each has up to 100 turns. */
const RESULTS = 10

/**
 * Returns the results of a replay in pages, and lets others work between them.
 *
 * @param first the conversation with which they begin. @default the first one
 */
export async function* resultPages(
  { breather, store }: Pick<Context, 'breather' | 'store'>,
  run: TestRun,
  first: ConversationId | null = null,
): AsyncGenerator<readonly TestCaseResult[]> {
  for (let from: string | null | undefined = first; from !== undefined; ) {
    // One more tells whether there are more.
    const page: readonly TestCaseResult[] = await store.agents.testRuns.resultsOf(run, from, RESULTS + 1)
    yield page.slice(0, RESULTS)
    from = page[RESULTS]?.testCaseId
    if (from !== undefined) await breather.rest()
  }
}
