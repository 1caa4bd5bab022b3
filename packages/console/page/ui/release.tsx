import { type Deployment, usePastReleases } from '../data/past-releases.ts'
import { say } from '../texts/environments.ts'
import { KnownSelect } from './known-select.tsx'

const nameOf = ({ artifactVersion, environment }: Deployment): string =>
  say('deployment.in', { version: artifactVersion, lane: say(environment) })

interface ReleaseProps {
  readonly agentId: string
  /** Id of a release. */
  readonly id: string
}

/** Names a release by its version and environment. Shows the id of one that is older than those that are listed. */
export function ReleaseName({ agentId, id }: ReleaseProps) {
  const found = usePastReleases(agentId).value?.find(one => one.id === id)
  return <span title={id}>{found === undefined ? id : nameOf(found)}</span>
}

/** Chooses a release of an agent, or all with an empty id. */
export function ReleaseField({
  agentId,
  id,
  onChange,
}: ReleaseProps & { readonly onChange: (id: string) => void }) {
  const known = usePastReleases(agentId).value ?? []
  return (
    <KnownSelect
      label={say('deployment')}
      value={id}
      all={say('deployment.all')}
      options={known.map(one => [one.id, nameOf(one)])}
      onChange={onChange}
    />
  )
}
