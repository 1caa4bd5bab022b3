import { api } from '../../api.ts'
import type { Change } from '../../data/merge-preview.ts'
import { useResource } from '../../data/resource.ts'
import { Failure } from '../../ui/failure.tsx'
import { Pending } from '../../ui/parts.tsx'
import { ChangeOf } from './change-of.tsx'
import { say } from './texts.ts'

interface DifferencesProps {
  readonly changes: readonly Change[]
  /** Names of the two versions. */
  readonly names: readonly [before: string, after: string]
}

/** Shows the differences of one version from another. */
export function Differences({ changes, names }: DifferencesProps) {
  if (changes.length === 0) return <p class="quiet">{say('compare.same')}</p>
  return (
    <div class="stack">
      <p class="quiet" role="status">
        {say('compare.count', { count: changes.length })}
      </p>
      {changes.map(change => (
        <ChangeOf key={change.path.join('\u0000')} change={change} sides={names} />
      ))}
    </div>
  )
}

interface ComparedProps {
  readonly agentId: string
  /** The release to show, and the one to compare it with. */
  readonly deploymentId: string
  readonly since: string
  /** Names of the two releases. */
  readonly names: readonly [since: string, deployment: string]
}

/** Shows the differences of a release from another one. */
export function Compared({ agentId, deploymentId, since, names }: ComparedProps) {
  const { value, error, reload } = useResource(
    signal => api.compareDeployments({ agentId, deploymentId, otherId: since }, { signal }),
    [agentId, deploymentId, since],
  )
  if (value === undefined) return error === null ? <Pending /> : <Failure error={error} again={reload} />
  return <Differences changes={value.changes} names={names} />
}
