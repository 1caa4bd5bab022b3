import { api } from '../../api.ts'
import type { Change } from '../../data/merge-preview.ts'
import { useResource } from '../../data/resource.ts'
import { Failure } from '../../ui/failure.tsx'
import { Pending } from '../../ui/parts.tsx'
import { ChangeOf } from './change-of.tsx'
import { say } from './texts.ts'

interface DifferencesProps {
  readonly changes: readonly Change[]
  /** What the two are called. */
  readonly names: readonly [before: string, after: string]
}

/** What one has otherwise than the other one. */
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
  /** What is looked at, and what it is compared with. */
  readonly deploymentId: string
  readonly since: string
  /** What the two are called. */
  readonly names: readonly [since: string, deployment: string]
}

/** What a release has otherwise than another one. */
export function Compared({ agentId, deploymentId, since, names }: ComparedProps) {
  const { value, error, reload } = useResource(
    signal => api.compareDeployments({ agentId, deploymentId, otherId: since }, { signal }),
    [agentId, deploymentId, since],
  )
  if (value === undefined) return error === null ? <Pending /> : <Failure error={error} again={reload} />
  return <Differences changes={value.changes} names={names} />
}
