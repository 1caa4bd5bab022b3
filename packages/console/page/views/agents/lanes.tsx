import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useDoers } from '../../data/doers.ts'
import type { Deployment } from '../../data/past-releases.ts'
import { useResource } from '../../data/resource.ts'
import { ENVIRONMENTS, type Environment } from '../../environments.ts'
import { may } from '../../session.ts'
import { say as sayEnvironment } from '../../texts/environments.ts'
import { Button } from '../../ui/button.tsx'
import { EnvironmentName } from '../../ui/environment.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Pending, Time } from '../../ui/parts.tsx'
import { type Step, StepDialog } from './step-dialog.tsx'
import { say } from './texts.ts'

interface LaneProps {
  readonly lane: Environment
  readonly deployment: Deployment | null
  /** The lanes to which it can go on, the next one first: those that run something else. */
  readonly later: readonly Environment[]
  /** Returns the words for who released something. */
  readonly whoIs: (by: string) => string
  readonly onStep: (step: Omit<Step, 'running'>) => void
}

function LaneOf({ lane, deployment, later, whoIs, onStep }: LaneProps) {
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
            <Time at={deployment.createdAt} /> · {say('by', { who: whoIs(deployment.createdBy) })}
          </p>
        </>
      )}
      {may('releaser') && (
        <div class="actions">
          {lane === 'sandbox' && (
            <Button icon="promote" onClick={() => onStep({ kind: 'publish', lane, deployment: null })}>
              {say('publish')}
            </Button>
          )}
          {deployment !== null &&
            later.map((next, at) => (
              <Button
                icon="promote"
                key={next}
                kind={at === 0 ? 'main' : 'bare'}
                onClick={() => onStep({ kind: 'promote', lane: next, deployment })}
              >
                {say('promote', { lane: sayEnvironment(next) })}
              </Button>
            ))}
        </div>
      )}
    </section>
  )
}

type Current = Readonly<Record<Environment, Deployment | null>>

/**
 * Returns the environments to which a lane's version can be promoted: none while the next lane runs the same version.
 */
function laterThan(lane: Environment, current: Current): readonly Environment[] {
  const later = ENVIRONMENTS.slice(ENVIRONMENTS.indexOf(lane) + 1)
  const isOther = (one: Environment) => current[one]?.version !== current[lane]?.version
  return later[0] !== undefined && isOther(later[0]) ? later.filter(isOther) : []
}

interface LanesProps {
  readonly agentId: string
  /** Something was released. @default nothing */
  readonly onDone?: () => void
  /** Content below, which may begin a step itself. @default nothing */
  readonly children?: (
    current: Current | undefined,
    begin: (step: Omit<Step, 'running'>) => void,
  ) => ComponentChildren
}

/** Shows the release that each environment runs, and the next possible steps. */
export function Lanes({ agentId, onDone, children }: LanesProps) {
  const active = useResource(signal => api.listActiveDeployments({ agentId }, { signal }), [agentId])
  const [asked, setStep] = useState<Omit<Step, 'running'> | null>(null)
  const close = () => setStep(null)
  const done = () => {
    close()
    active.reload()
    onDone?.()
  }
  const current = active.value?.activeDeployments
  const whoIs = useDoers(ENVIRONMENTS.flatMap(lane => current?.[lane]?.createdBy ?? []))
  const step = asked && { ...asked, running: current?.[asked.lane] ?? null }
  return (
    <>
      <Failure error={active.error} again={active.reload} />
      {current === undefined && active.error === null && <Pending />}
      {current !== undefined && (
        <div class="lanes">
          {ENVIRONMENTS.map(lane => (
            <LaneOf
              key={lane}
              lane={lane}
              deployment={current[lane] ?? null}
              later={laterThan(lane, current)}
              whoIs={whoIs}
              onStep={setStep}
            />
          ))}
        </div>
      )}
      {children?.(current, setStep)}
      {step !== null && (
        <StepDialog agentId={agentId} step={step} onClose={close} onDone={done} onChanged={active.reload} />
      )}
    </>
  )
}
