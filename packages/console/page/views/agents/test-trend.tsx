import { href } from '../../router.ts'
import { say } from './texts.ts'
import { counts, type TestRun } from './verdict.tsx'

/** Number of runs shown, the newest. */
const SHOWN = 40

/** Returns the share of a run's test cases that passed, from 0 to 1. */
const passedOf = ({ testCases: { passed, total } }: TestRun): number => (total === 0 ? 0 : passed / total)

interface TestTrendProps {
  readonly agentId: string
  /** Newest first. */
  readonly runs: readonly TestRun[]
  titleOf(run: TestRun): string
}

/**
 * Shows the results of the tests of release after release: a bar a run, as high as its share of passed tests, the
 * newest at the end.
 */
export function TestTrend({ agentId, runs, titleOf }: TestTrendProps) {
  return (
    <figure class="trend">
      <figcaption class="quiet small">{say('runs.trend')}</figcaption>
      <ol>
        {runs
          .slice(0, SHOWN)
          .toReversed()
          .map(run => (
            <li key={run.id}>
              <a href={href(['agents', agentId, 'tests', run.id])}>
                <span class="unseen">
                  {titleOf(run)}: {say(run.status)}, {counts(run)}
                </span>
                <span
                  class={`bar ${run.status}`}
                  style={{ height: `${Math.max(4, Math.round(100 * passedOf(run)))}%` }}
                />
              </a>
            </li>
          ))}
      </ol>
    </figure>
  )
}
