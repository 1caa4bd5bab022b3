import { useEffect, useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { useResource } from '../../data/resource.ts'
import { ENVIRONMENTS, type Environment } from '../../environments.ts'
import { href } from '../../router.ts'
import { may } from '../../session.ts'
import { say as sayEnvironment } from '../../texts/environments.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { TextField } from '../../ui/field.tsx'
import { Pending, Table, Time } from '../../ui/parts.tsx'
import { Compared } from './compared.tsx'
import { type Deployment, usePastReleases } from './past-releases.ts'
import { Replays } from './replays.tsx'
import { say } from './texts.ts'
import { counts, Verdict } from './verdict.tsx'

/** What is asked before a lane changes. */
interface Step {
  readonly kind: 'publish' | 'promote' | 'rollback'
  readonly lane: Environment
  /** Null where main is published. */
  readonly deployment: Deployment | null
  /** What the lane runs; null where that is nothing. */
  readonly running: Deployment | null
}

const nameOf = ({ artifactVersion }: Deployment): string => say('version', { version: artifactVersion })

/** Nothing is confirmed but what was shown: the environment runs what it ran then. */
const take = ({ kind, lane, deployment, running }: Step, agentId: string, deploymentMessage: string) => {
  const deploymentId = deployment?.id ?? ''
  const expected = { activeDeploymentId: running?.id ?? null }
  if (kind === 'publish')
    return api.publishDeployment({ agentId, body: { environment: lane, deploymentMessage, expected } })
  if (kind === 'rollback')
    return api.rollbackDeployment({ agentId, deploymentId, body: { deploymentMessage, expected } })
  const targetEnvironment = lane === 'live' ? 'live' : 'pre-release'
  return api.promoteDeployment({
    agentId,
    deploymentId,
    body: { targetEnvironment, deploymentMessage, expected },
  })
}

interface TestsProps {
  readonly agentId: string
  readonly deploymentId: string
  /** Called once they are there, or it was said that they cannot be read. */
  readonly onSeen: () => void
}

/** How often it is looked how far tests are that run, milliseconds. */
const AGAIN = 1_000

/** The newest tests of a deployment, so that they are seen before it goes further. */
function Tests({ agentId, deploymentId, onSeen }: TestsProps) {
  const runs = useResource(
    signal => api.listTestRuns({ agentId, deploymentId, limit: 3 }, { signal }),
    [agentId, deploymentId],
  )
  useEffect(() => {
    if (!runs.pending) onSeen()
  }, [runs.pending])
  const isRunning = runs.value?.testRuns.some(({ status }) => status === 'running') ?? false
  useEffect(() => {
    if (runs.pending || !isRunning) return
    const look = setTimeout(runs.reload, AGAIN)
    return () => clearTimeout(look)
  }, [runs.pending, isRunning])
  const start = useAction(async () => {
    await api.startTestRun({ agentId, body: { deploymentId } })
    runs.reload()
  })
  return (
    <div class="stack tight">
      <h3>{say('tests')}</h3>
      {runs.value?.testRuns.length === 0 && <p class="quiet">{say('tests.none')}</p>}
      {runs.value?.testRuns.map(run => (
        <p key={run.id}>
          <Verdict status={run.status} /> {counts(run)} · <Time at={run.startedAt} />
        </p>
      ))}
      <Failure error={runs.error ?? start.error} />
      {may('author') && (
        <div>
          <Button onClick={() => void start.start()} disabled={start.pending}>
            {say('tests.run')}
          </Button>
        </div>
      )}
    </div>
  )
}

interface StepDialogProps {
  readonly agentId: string
  readonly step: Step
  readonly onClose: () => void
  readonly onDone: () => void
}

function StepDialog({ agentId, step, onClose, onDone }: StepDialogProps) {
  const [message, setMessage] = useState('')
  const [isSeen, setSeen] = useState(step.deployment === null)
  const act = useAction(async () => {
    await take(step, agentId, message)
    onDone()
  })
  const { kind, lane, deployment, running } = step
  const values = { lane: sayEnvironment(lane), version: deployment?.artifactVersion ?? '' }
  return (
    <FormDialog
      title={say(`${kind}.title`, values)}
      action={say(kind, values)}
      onClose={onClose}
      onSend={() => void act.start()}
      pending={act.pending}
      error={act.error}
      isDangerous={kind === 'rollback'}
      isIncomplete={!isSeen}
    >
      {deployment !== null && (
        <>
          <Tests agentId={agentId} deploymentId={deployment.id} onSeen={() => setSeen(true)} />
          <Replays agentId={agentId} deploymentId={deployment.id} />
        </>
      )}
      {lane === 'live' && running !== null && <p class="quiet small">{say('promote.new')}</p>}
      {deployment !== null && running !== null && (
        <details>
          <summary>{say('compare.brings', { lane: sayEnvironment(lane) })}</summary>
          <Compared
            agentId={agentId}
            deploymentId={deployment.id}
            since={running.id}
            names={[nameOf(running), nameOf(deployment)]}
          />
        </details>
      )}
      <TextField label={say('message')} hint={say('message.hint')} value={message} onChange={setMessage} />
    </FormDialog>
  )
}

interface LaneProps {
  readonly lane: Environment
  readonly deployment: Deployment | null
  /** The lane to which it can go on; undefined where that runs the same, and behind the last one. */
  readonly next: Environment | undefined
  readonly onStep: (step: Omit<Step, 'running'>) => void
}

/** The host's program has no name of its own. */
const sayWho = (who: string): string => (who === 'library' ? say('by.library') : say('by', { who }))

function LaneOf({ lane, deployment, next, onStep }: LaneProps) {
  return (
    <section class="lane" aria-label={sayEnvironment(lane)}>
      <h2>{sayEnvironment(lane)}</h2>
      {deployment === null ? (
        <p class="quiet">{say('lane.empty')}</p>
      ) : (
        <>
          <p class="version">{say('version', { version: deployment.artifactVersion })}</p>
          <p>{deployment.metadata.deployment_message}</p>
          <p class="quiet small">
            <Time at={deployment.createdAt} /> · {sayWho(deployment.createdBy)}
          </p>
        </>
      )}
      {may('releaser') && (
        <div class="actions">
          {lane === 'sandbox' && (
            <Button onClick={() => onStep({ kind: 'publish', lane, deployment: null })}>
              {say('publish')}
            </Button>
          )}
          {deployment !== null && next !== undefined && (
            <Button kind="main" onClick={() => onStep({ kind: 'promote', lane: next, deployment })}>
              {say('promote', { lane: sayEnvironment(next) })}
            </Button>
          )}
        </div>
      )}
    </section>
  )
}

/** What each environment runs, how it came there, and what can be done next. */
export function Releases({ agentId }: { readonly agentId: string }) {
  const active = useResource(signal => api.listActiveDeployments({ agentId }, { signal }), [agentId])
  const past = usePastReleases(agentId)
  const [step, setStep] = useState<Step | null>(null)
  const close = () => setStep(null)
  const reload = () => {
    close()
    active.reload()
    past.reload()
  }
  const current = active.value?.activeDeployments
  const ask = (wanted: Omit<Step, 'running'>) =>
    setStep({ ...wanted, running: current?.[wanted.lane] ?? null })
  const isActive = (one: Deployment) => current?.[one.environment]?.id === one.id
  return (
    <section class="stack">
      <Failure error={active.error ?? past.error} again={reload} />
      {current === undefined && active.error === null && <Pending />}
      {current !== undefined && (
        <div class="lanes">
          {ENVIRONMENTS.map((lane, at) => {
            const next = ENVIRONMENTS[at + 1]
            const isAhead = next !== undefined && current[next]?.version !== current[lane]?.version
            return (
              <LaneOf
                key={lane}
                lane={lane}
                deployment={current[lane] ?? null}
                next={isAhead ? next : undefined}
                onStep={ask}
              />
            )
          })}
        </div>
      )}
      {past.value !== undefined && past.value.length > 0 && (
        <>
          <div class="actions apart">
            <h2>{say('history')}</h2>
            <a class="button" href={href(['agents', agentId, 'compare'])}>
              {say('compare')}
            </a>
          </div>
          <Table
            caption={say('history')}
            rows={past.value}
            keyOf={({ id }) => id}
            columns={[
              { title: say('when'), cell: ({ createdAt }) => <Time at={createdAt} /> },
              { title: say('where'), cell: ({ environment }) => sayEnvironment(environment) },
              {
                title: say('what'),
                cell: ({ artifactVersion }) => say('version', { version: artifactVersion }),
              },
              { title: say('type'), cell: ({ metadata }) => say(`type.${metadata.deployment_type}`) },
              { title: say('why'), cell: ({ metadata }) => metadata.deployment_message },
              {
                title: '',
                cell: one =>
                  may('releaser') &&
                  !isActive(one) && (
                    <Button
                      kind="bare"
                      onClick={() => ask({ kind: 'rollback', lane: one.environment, deployment: one })}
                    >
                      {say('rollback')}
                    </Button>
                  ),
              },
            ]}
          />
        </>
      )}
      {step !== null && <StepDialog agentId={agentId} step={step} onClose={close} onDone={reload} />}
    </section>
  )
}
