import type { TestRun } from '../../domain/agent/test-run.ts'
import { isPlatformError } from '../../errors.ts'
import { startPollLoop } from '../shared/poll-loop.ts'
import type { Work } from '../shared/work.ts'
import type { TestDeps } from './run-test-case.ts'
import { CLOSING, LOST, runTests } from './run-tests.ts'

/** Runs agents' tests in the background. */
export interface TestRunner {
  /** Resolves when this process has no run, and was not asked to look for one. */
  idle(): Promise<void>
  /** Takes no more runs, and gives back those it has. */
  stop(): Promise<void>
}

/** True when the agent was deleted with its runs meanwhile. */
const isGone = (error: unknown): boolean => isPlatformError(error) && error.code === 'PROJECT_NOT_FOUND'

/**
 * Claims waiting runs, now and then every `Settings.wakeInterval`. Several processes may do so over one store: a claim
 * gives each run to one of them, and one whose process is gone to the next when its lease has run out (TE22). Looks at
 * once when `work` says that there may be some.
 */
export function startTestRunner(deps: TestDeps, work: Work): TestRunner {
  const { clock, settings, store } = deps.context
  const { wakeInterval } = settings
  const active = new Map<AbortController, Promise<void>>()
  let stopped = false
  let claiming: Promise<void> = Promise.resolve()

  function begin(run: TestRun): void {
    const controller = new AbortController()
    const done = runTests(deps, run, controller)
      .catch(error => {
        if (error !== LOST && !isGone(error)) report(error)
      })
      .then(() => {
        active.delete(controller)
        nudge()
      })
    active.set(controller, done)
  }

  async function claim(): Promise<void> {
    const free = settings.testRuns.concurrency - active.size
    if (stopped || free <= 0) return
    const now = clock.now()
    const taken = await store.agents.testRuns.claim(now, free, now + settings.turnLease)
    for (const run of taken) begin(run)
  }

  const report = (error: unknown): void => settings.onError(error, 'tests')

  function look(): Promise<void> {
    const done = claiming.then(claim)
    claiming = done.catch(() => undefined)
    return done
  }

  const nudge = (): void => void look().catch(report)

  async function settled(): Promise<void> {
    let last: Promise<void>
    do {
      last = claiming
      await claiming
      await Promise.all(active.values())
    } while (last !== claiming || active.size > 0)
  }

  work.on('test_runs', nudge)
  const loop = startPollLoop(deps.context, {
    name: 'tests',
    round: () => look().then(() => wakeInterval),
    retryAfter: wakeInterval,
  })
  return {
    idle: settled,
    async stop() {
      stopped = true
      work.off('test_runs', nudge)
      await loop.stop()
      await claiming
      for (const controller of active.keys()) controller.abort(CLOSING)
      await settled()
    },
  }
}
