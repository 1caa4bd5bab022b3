import { activeTestCases } from '../../domain/agent/test-cases.ts'
import {
  finishedTestRun,
  givenUpTestRun,
  type TestCaseResult,
  type TestRun,
  withResult,
} from '../../domain/agent/test-run.ts'
import { isKind, type ResourceOf } from '../../domain/agent/tree.ts'
import type { TestRunId } from '../../domain/ids.ts'
import type { Context } from '../context.ts'
import { renewLease } from '../shared/every.ts'
import { createSerial } from '../shared/serial.ts'
import { discardEarlier, runTestCase, type TestDeps } from './run-test-case.ts'

/** Calls a run off because this process is stopping. */
export const CLOSING = new Error('This process goes away, and another one goes on with the test run.')

/** Calls a run off that another process has taken, or that was deleted with its agent. */
export const LOST = new Error('The test run is not this process’s any more.')

/** A run that this process has, as it was last written. */
interface Keeper {
  readonly run: TestRun
  /** Writes what `change` makes of the run, one write after the other; each renews the lease. */
  save(change: (run: TestRun) => TestRun, results?: readonly TestCaseResult[]): Promise<void>
  /** Stops renewing the lease. */
  stop(): void
}

/**
 * Renews this process's lease of the run. When another process has it, or it is gone, it is called off as {@link LOST}.
 */
function keep({ clock, settings, store }: Context, taken: TestRun, controller: AbortController): Keeper {
  let run = taken
  const serial = createSerial<TestRunId>()
  async function write(change: (run: TestRun) => TestRun, results: readonly TestCaseResult[]): Promise<void> {
    const next = {
      ...change({ ...run, leaseUntil: clock.now() + settings.turnLease }),
      writes: run.writes + 1,
    }
    if ((await store.agents.testRuns.save(run.writes, next, results)) === 'stale') {
      controller.abort(LOST)
      throw LOST
    }
    run = next
  }
  function save(change: (run: TestRun) => TestRun, results: readonly TestCaseResult[] = []): Promise<void> {
    return serial(taken.id, () => write(change, results))
  }
  function renew(): void {
    save(same => same).catch(error => {
      if (error !== LOST) settings.onError(error, 'tests')
    })
  }
  return {
    get run() {
      return run
    },
    save,
    stop: renewLease({ clock, settings }, renew, { keepAlive: true }),
  }
}

/** The cases of the run that have no result yet. */
async function casesLeft({ store }: Context, run: TestRun): Promise<readonly ResourceOf<'test_cases'>[]> {
  const resources = await store.agents.revisions.resourcesAt(run.agentId, run.revision, {
    kinds: ['test_cases'],
  })
  const known = await store.agents.testRuns.find(run.agentId, run.id)
  const done = new Set(known?.results.map(({ testCaseId }) => testCaseId))
  return activeTestCases(resources.filter(isKind('test_cases'))).filter(({ id }) => !done.has(id))
}

/** Goes through the cases, some at a time; a case that throws stops the others. */
async function runCases(
  deps: TestDeps,
  keeper: Keeper,
  cases: readonly ResourceOf<'test_cases'>[],
  controller: AbortController,
): Promise<void> {
  const { context } = deps
  const agent = await context.store.agents.find(keeper.run.agentId)
  if (agent === null) throw LOST
  const { run } = keeper
  const left = cases.values()
  const work = async (): Promise<void> => {
    for (const testCase of left) {
      const result = await runTestCase(deps, { run, agent, testCase }, controller.signal)
      await keeper.save(same => withResult(same, result), [result])
    }
  }
  const workers = Array.from({ length: context.settings.testRuns.casesAtOnce }, () =>
    work().catch(error => {
      controller.abort(error)
      throw error
    }),
  )
  await Promise.allSettled(workers)
  controller.signal.throwIfAborted()
}

/**
 * Finishes a run that this process has taken, and removes the agent's oldest ones. Called off as {@link CLOSING}, the
 * run is given back and begun again by the process that takes it next; the finished cases stand. Tried too often, it
 * has errored (TE22).
 *
 * @throws LOST; anything else that kept the run from its end: its lease then runs out, and it is tried again
 */
export async function runTests(deps: TestDeps, taken: TestRun, controller: AbortController): Promise<void> {
  const { clock, settings, store } = deps.context
  const keeper = keep(deps.context, taken, controller)
  try {
    const cases = await casesLeft(deps.context, taken)
    if (taken.attempts > 1) for (const testCase of cases) await discardEarlier(deps, { run: taken, testCase })
    if (taken.attempts > settings.turnAttempts) {
      const error = `The run did not come to its end in ${settings.turnAttempts} attempts; the server's log says why.`
      await keeper.save(run => givenUpTestRun(run, error, clock.now()))
      return
    }
    await runCases(deps, keeper, cases, controller)
    await keeper.save(run => finishedTestRun(run, clock.now()))
    await store.agents.testRuns.forget(taken.agentId, settings.testRuns.kept)
  } catch (error) {
    if (controller.signal.reason !== CLOSING) throw error
    await keeper.save(run => ({ ...run, leaseUntil: clock.now(), attempts: run.attempts - 1 }))
  } finally {
    keeper.stop()
  }
}
