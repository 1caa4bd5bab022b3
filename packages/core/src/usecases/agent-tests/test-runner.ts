import { type Shares, withPlace } from '../../domain/agent/share-out.ts'
import type { TestRun } from '../../domain/agent/test-run.ts'
import type { AccountId } from '../../domain/ids.ts'
import { isPlatformError } from '../../errors.ts'
import { until } from '../../schedule/until.ts'
import type { TestDeps } from './run-test-case.ts'
import { CLOSING, LOST, runTests } from './run-tests.ts'

/** Runs agents' tests in the background. */
export interface TestRunner {
  /** Resolves when this process has no run, and was not asked to look for one. */
  idle(): Promise<void>
  /** Takes no more runs, and releases its own. */
  stop(): Promise<void>
}

/** The number of accounts that it remembers to have served. */
const REMEMBERED = 1_000

/** Reports whether the agent was deleted with its runs meanwhile. */
const isGone = (error: unknown): boolean => isPlatformError(error) && error.code === 'PROJECT_NOT_FOUND'

/**
 * Claims waiting runs. Several processes may do so over one store: a claim gives each run to one of them, and one whose
 * process is gone to the next when its lease has run out (TE21).
 */
export function startTestRunner(deps: TestDeps): TestRunner {
  const { clock, scheduler, settings, store } = deps.context
  const active = new Map<AbortController, { readonly accountId: AccountId; readonly done: Promise<void> }>()
  let served: readonly AccountId[] = []
  let stopped = false

  function begin(run: TestRun): void {
    const controller = new AbortController()
    const done = runTests(deps, run, controller)
      .catch(error => {
        if (error !== LOST && !isGone(error)) report(error)
      })
      .then(() => {
        active.delete(controller)
        job.due(clock.now())
      })
    const { accountId } = run
    active.set(controller, { accountId, done })
    served = withPlace({ held: [], served }, accountId).served.slice(-REMEMBERED)
  }

  const shares = (): Shares => ({ held: [...active.values()].map(({ accountId }) => accountId), served })
  const done = () => Promise.all([...active.values()].map(run => run.done))
  const free = (): number => (stopped ? 0 : settings.testRuns.concurrency - active.size)

  async function claim(): Promise<number | null> {
    // The end of each run looks for the next.
    if (free() <= 0) return null
    const now = clock.now()
    const taken = await store.agents.testRuns.claim(now, free(), now + settings.turnLease, shares())
    for (const run of taken) begin(run)
    return free() > 0 ? until(await store.agents.testRuns.nextDue(), now) : null
  }

  const report = (error: unknown): void => settings.onError(error, 'tests')

  async function idle(): Promise<void> {
    do {
      await job.idle()
      await done()
    } while (active.size > 0)
  }

  const job = scheduler.begin({ name: 'tests', kind: 'tests', round: claim })
  return {
    idle,
    async stop() {
      stopped = true
      await job.stop()
      for (const controller of active.keys()) controller.abort(CLOSING)
      await done()
    },
  }
}
