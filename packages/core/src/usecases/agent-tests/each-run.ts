import type { TestRun } from '../../domain/agent/test-run.ts'
import type { TestRunFilter } from '../../ports/store/test-runs.ts'
import type { Context } from '../context.ts'

/** Runs that are read at once: each replay holds the ids of its conversations. */
const PAGE = 20

/** Returns runs of an agent, newest first. What is removed meanwhile moves no other one. */
export async function* eachRun(
  { breather, store }: Pick<Context, 'breather' | 'store'>,
  filter: Omit<TestRunFilter, 'after'>,
): AsyncGenerator<TestRun> {
  for (let after: TestRunFilter['after']; ; ) {
    const page = await store.agents.testRuns.list({ ...filter, ...(after && { after }) }, PAGE)
    yield* page
    after = page.at(-1)
    if (page.length < PAGE) return
    await breather.rest()
  }
}
