import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { type Deployment, usePastReleases } from '../../data/past-releases.ts'
import { useResource } from '../../data/resource.ts'
import { useWritten } from '../../data/written.ts'
import { ENVIRONMENTS } from '../../environments.ts'
import { say as sayEnvironment } from '../../texts/environments.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { Checkbox, Select, TextField } from '../../ui/field.tsx'
import { Pending } from '../../ui/parts.tsx'
import { basisPointsOf } from './rollout-share.ts'
import { say } from './rollout-texts.ts'

const LANES = ['live', 'pre-release'] as const
type Lane = (typeof LANES)[number]

const isLane = (name: string): name is Lane => LANES.some(lane => lane === name)

/** Returns what can be tried in an environment: releases of it or of one before, of other content than it runs. */
function candidatesFor(lane: Lane, releases: readonly Deployment[]): readonly Deployment[] {
  const running = releases.find(({ environment }) => environment === lane)
  if (running === undefined) return []
  const versions = new Set([running.version])
  const placeOf = ({ environment }: Deployment): number => ENVIRONMENTS.indexOf(environment)
  // A version is tried from where it got furthest.
  return releases
    .toSorted((one, other) => placeOf(other) - placeOf(one))
    .filter(release => {
      if (placeOf(release) > ENVIRONMENTS.indexOf(lane) || versions.has(release.version)) return false
      versions.add(release.version)
      return true
    })
}

interface GuardsProps {
  readonly agentId: string
  readonly candidateId: string | undefined
  readonly chosen: readonly string[]
  readonly onChange: (guards: readonly string[]) => void
}

function Guards({ agentId, candidateId, chosen, onChange }: GuardsProps) {
  const rules = useResource(async signal => (await api.listAlertRules({}, { signal })).data, [])
  const own = rules.value?.filter(
    ({ deployment_id = candidateId, project_id }) => project_id === agentId && deployment_id === candidateId,
  )
  if (own === undefined) return null
  return (
    <fieldset class="plain">
      <legend>{say('guards')}</legend>
      {own.length === 0 && <p class="quiet small">{say('guards.none')}</p>}
      {own.map(({ id, name }) => (
        <Checkbox
          key={id}
          label={name}
          value={chosen.includes(id)}
          onChange={is => onChange(is ? [...chosen, id] : chosen.filter(one => one !== id))}
        />
      ))}
    </fieldset>
  )
}

interface StartProps {
  readonly agentId: string
  readonly onClose: () => void
  readonly onStarted: (rolloutId: string) => void
}

/** Asks which version to try, where, and with how many. */
export function StartRollout({ agentId, onClose, onStarted }: StartProps) {
  const releases = usePastReleases(agentId)
  const written = useWritten(`${agentId} rollout`, {
    lane: 'live',
    candidate: '',
    share: '5',
    key: 'visitor',
  })
  const [guards, setGuards] = useState<readonly string[]>([])
  const { candidate, key, share } = written.value
  const lane = isLane(written.value.lane) ? written.value.lane : 'live'
  const candidates = candidatesFor(lane, releases.value ?? [])
  const chosen = candidates.find(({ id }) => id === candidate) ?? candidates[0]
  const basisPoints = basisPointsOf(share)
  const start = useAction(async () => {
    if (chosen === undefined || basisPoints === null) return
    const by = key === 'conversation' ? key : 'visitor'
    const body = { deploymentId: chosen.id, environment: lane, basisPoints, key: by, guards } as const
    const { id } = await api.startRollout({ agentId, body })
    written.sent()
    onStarted(id)
  })
  return (
    <FormDialog
      title={say('start.title')}
      action={say('start')}
      onClose={onClose}
      onSend={() => void start.start()}
      pending={start.pending}
      error={start.error ?? releases.error}
      isIncomplete={chosen === undefined || basisPoints === null}
    >
      <Select
        label={sayEnvironment('environment')}
        value={lane}
        onChange={name => written.change({ lane: name })}
        options={LANES.map(name => [name, sayEnvironment(name)] as const)}
      />
      {releases.value === undefined && releases.error === null && <Pending />}
      {releases.value !== undefined && candidates.length === 0 && <p>{say('start.none')}</p>}
      {chosen !== undefined && (
        <Select
          label={say('candidate')}
          value={chosen.id}
          onChange={id => written.change({ candidate: id })}
          options={candidates.map(({ artifactVersion, environment, id }) => [
            id,
            say('candidate.in', { version: artifactVersion, lane: sayEnvironment(environment) }),
          ])}
        />
      )}
      <TextField
        label={say('share')}
        hint={say('share.hint')}
        fault={basisPoints === null ? say('share.wrong') : null}
        keys="numeric"
        value={share}
        onChange={text => written.change({ share: text })}
      />
      <Select
        label={say('key')}
        value={key}
        onChange={name => written.change({ key: name })}
        options={(['visitor', 'conversation'] as const).map(name => [name, say(`key.${name}`)])}
      />
      <Guards agentId={agentId} candidateId={chosen?.id} chosen={guards} onChange={setGuards} />
    </FormDialog>
  )
}
