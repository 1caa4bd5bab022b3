import { useEffect, useId } from 'preact/hooks'
import { api } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { useResource } from '../../data/resource.ts'
import { href } from '../../router.ts'
import { may } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Time } from '../../ui/parts.tsx'
import { say } from './texts.ts'
import { counts, Verdict } from './verdict.tsx'

interface RunTestsProps {
  readonly agentId: string
  /** Deployment or branch to test. */
  readonly tested: { readonly deploymentId: string } | { readonly branchId: string }
  /** Called once the newest runs are there, or it was said that they cannot be read. */
  readonly onSeen?: () => void
}

/** Interval at which the progress of tests is checked, milliseconds. */
const AGAIN = 1_000

/** Shows the newest tests of a release or a branch, so that they are seen before it goes further. */
export function RunTests({ agentId, tested, onSeen }: RunTestsProps) {
  const isBranch = 'branchId' in tested
  const runs = useResource(
    signal => api.listTestRuns({ agentId, ...tested, limit: 3 }, { signal }),
    [agentId, ...Object.values(tested)],
  )
  useEffect(() => {
    if (!runs.pending) onSeen?.()
  }, [runs.pending])
  const isRunning = runs.value?.testRuns.some(({ status }) => status === 'running') ?? false
  useEffect(() => {
    if (runs.pending || !isRunning) return
    const look = setTimeout(runs.reload, AGAIN)
    return () => clearTimeout(look)
  }, [runs.pending, isRunning])
  const start = useAction(async () => {
    if (isBranch) await api.triggerTestRun({ agentId, body: tested })
    else await api.startTestRun({ agentId, body: tested })
    runs.reload()
  })
  const id = useId()
  const Heading = isBranch ? 'h2' : 'h3'
  return (
    <section class="stack tight" aria-labelledby={id}>
      <Heading id={id}>{say(isBranch ? 'tests.branch' : 'tests')}</Heading>
      {runs.value?.testRuns.length === 0 && (
        <p class="quiet">{say(isBranch ? 'tests.branch.none' : 'tests.none')}</p>
      )}
      {runs.value?.testRuns.map(run => (
        <p key={run.id}>
          <Verdict status={run.status} />{' '}
          {isBranch ? <a href={href(['agents', agentId, 'tests', run.id])}>{counts(run)}</a> : counts(run)} ·{' '}
          <Time at={run.startedAt} />
        </p>
      ))}
      <Failure error={runs.error ?? start.error} />
      {may('author') && (
        <div>
          <Button icon="play" onClick={() => void start.start()} disabled={start.pending}>
            {say('tests.run')}
          </Button>
        </div>
      )}
    </section>
  )
}
