import { useState } from 'preact/hooks'
import { api, askConsole, isChangedElsewhere } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import type { Change } from '../../data/merge-preview.ts'
import type { Deployment } from '../../data/past-releases.ts'
import { useResource } from '../../data/resource.ts'
import { useWritten } from '../../data/written.ts'
import type { Environment } from '../../environments.ts'
import { say as sayEnvironment } from '../../texts/environments.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Compared, Differences } from './compared.tsx'
import { Replays } from './replays.tsx'
import { RunTests } from './run-tests.tsx'
import { say } from './texts.ts'

/** Step that is confirmed before a lane changes. */
export interface Step {
  readonly kind: 'publish' | 'promote' | 'rollback'
  readonly lane: Environment
  /** Null where main is published. */
  readonly deployment: Deployment | null
  /** Deployment that the lane runs; null if it runs none. */
  readonly running: Deployment | null
}

const nameOf = ({ artifactVersion }: Deployment): string => say('version', { version: artifactVersion })

/** Changes of an environment by publishing main. */
interface PublishPreview {
  readonly mainRevision: string
  readonly activeDeploymentId: string | null
  /** Null if it runs nothing. */
  readonly changes: readonly Change[] | null
}

/** Null if nothing is published. */
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

/** Confirms a change of a lane: shows its differences, and the tests of the version. */
export function StepDialog({ agentId, step, onClose, onDone, onChanged }: StepDialogProps) {
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
          <Replays agentId={agentId} target={{ deploymentId: deployment.id }} />
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
