import { useState } from 'preact/hooks'
import { api, askConsole, isChangedElsewhere } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import type { Change } from '../../data/merge-preview.ts'
import { useResource } from '../../data/resource.ts'
import { useWritten } from '../../data/written.ts'
import { ENVIRONMENTS, type Environment } from '../../environments.ts'
import { href } from '../../router.ts'
import { may } from '../../session.ts'
import { say as sayEnvironment } from '../../texts/environments.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { EnvironmentName } from '../../ui/environment.tsx'
import { Failure } from '../../ui/failure.tsx'
import { TextField } from '../../ui/field.tsx'
import { Pending, Table, Time } from '../../ui/parts.tsx'
import { Compared, Differences } from './compared.tsx'
import { type Deployment, usePastReleases } from './past-releases.ts'
import { Replays } from './replays.tsx'
import { RunTests } from './run-tests.tsx'
import { say } from './texts.ts'

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

/** What main would change in an environment by its publication. */
interface PublishPreview {
  readonly mainRevision: string
  readonly activeDeploymentId: string | null
  /** Null where it runs nothing. */
  readonly changes: readonly Change[] | null
}

/** Null where nothing is published. */
const usePublishPreview = (agentId: string, { kind, lane }: Step) =>
  useResource(
    async signal => {
      if (kind !== 'publish') return null
      const path = `/console/v1/agents/${encodeURIComponent(agentId)}/publish-preview?environment=${lane}`
      return (await askConsole(path, signal)) as PublishPreview
    },
    [agentId, kind, lane],
  )

/** Nothing is confirmed but what was shown: main is as it was then, and the environment runs what it ran then. */
const take = (
  { kind, lane, deployment, running }: Step,
  agentId: string,
  deploymentMessage: string,
  preview: PublishPreview | null,
) => {
  const deploymentId = deployment?.id ?? ''
  const expected = { activeDeploymentId: running?.id ?? null }
  if (preview !== null) {
    const { mainRevision, activeDeploymentId } = preview
    const seen = { mainRevision, activeDeploymentId }
    return api.publishDeployment({ agentId, body: { environment: lane, deploymentMessage, expected: seen } })
  }
  if (kind === 'rollback')
    return api.rollbackDeployment({ agentId, deploymentId, body: { deploymentMessage, expected } })
  const targetEnvironment = lane === 'live' ? 'live' : 'pre-release'
  return api.promoteDeployment({
    agentId,
    deploymentId,
    body: { targetEnvironment, deploymentMessage, expected },
  })
}

interface StepDialogProps {
  readonly agentId: string
  readonly step: Step
  readonly onClose: () => void
  readonly onDone: () => void
  /** Something is not what was shown any more. */
  readonly onChanged: () => void
}

function StepDialog({ agentId, step, onClose, onDone, onChanged }: StepDialogProps) {
  const { kind, lane, deployment, running } = step
  const written = useWritten(`${agentId} ${kind} ${lane}`, { message: '' })
  const { message } = written.value
  const [isSeen, setSeen] = useState(step.deployment === null)
  const preview = usePublishPreview(agentId, step)
  const act = useAction(async () => {
    try {
      await take(step, agentId, message, preview.value ?? null)
    } catch (error) {
      if (isChangedElsewhere(error)) {
        preview.reload()
        onChanged()
      }
      throw error
    }
    written.sent()
    onDone()
  })
  const changes = preview.value?.changes ?? null
  const sides =
    running === null ? null : ([nameOf(running), deployment ? nameOf(deployment) : 'main'] as const)
  const values = { lane: sayEnvironment(lane), version: deployment?.artifactVersion ?? '' }
  return (
    <FormDialog
      title={say(`${kind}.title`, values)}
      action={say(kind, values)}
      onClose={onClose}
      onSend={() => void act.start()}
      pending={act.pending}
      error={act.error ?? preview.error}
      isDangerous={kind === 'rollback'}
      isIncomplete={!isSeen || preview.pending || preview.value === undefined}
    >
      {deployment !== null && (
        <>
          <RunTests agentId={agentId} tested={{ deploymentId: deployment.id }} onSeen={() => setSeen(true)} />
          <Replays agentId={agentId} deploymentId={deployment.id} />
        </>
      )}
      {lane === 'live' && running !== null && <p class="quiet small">{say('promote.new')}</p>}
      {running !== null && sides !== null && (
        <details open={isChangedElsewhere(act.error)}>
          <summary>{say('compare.brings', { lane: sayEnvironment(lane) })}</summary>
          {deployment !== null && (
            <Compared agentId={agentId} deploymentId={deployment.id} since={running.id} names={sides} />
          )}
          {changes !== null && <Differences changes={changes} names={sides} />}
        </details>
      )}
      <TextField
        label={say('message')}
        hint={say('message.hint')}
        value={message}
        onChange={text => written.change({ message: text })}
      />
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
    <section class={`lane ${lane}`} aria-label={sayEnvironment(lane)}>
      <h2>
        <EnvironmentName of={lane} />
      </h2>
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
  const [asked, setStep] = useState<Omit<Step, 'running'> | null>(null)
  const close = () => setStep(null)
  const reload = () => {
    close()
    active.reload()
    past.reload()
  }
  const current = active.value?.activeDeployments
  const step = asked && { ...asked, running: current?.[asked.lane] ?? null }
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
                onStep={setStep}
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
              { title: say('where'), cell: ({ environment }) => <EnvironmentName of={environment} /> },
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
                      onClick={() => setStep({ kind: 'rollback', lane: one.environment, deployment: one })}
                    >
                      {say('rollback')}
                    </Button>
                  ),
              },
            ]}
          />
        </>
      )}
      {step !== null && (
        <StepDialog agentId={agentId} step={step} onClose={close} onDone={reload} onChanged={active.reload} />
      )}
    </section>
  )
}
