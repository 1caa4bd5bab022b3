import { type Deployment, usePastReleases } from '../../data/past-releases.ts'
import { route, setQuery } from '../../router.ts'
import { say as sayEnvironment } from '../../texts/environments.ts'
import { written } from '../../texts/language.ts'
import { Failure } from '../../ui/failure.tsx'
import { Select } from '../../ui/field.tsx'
import { Empty, Pending } from '../../ui/parts.tsx'
import { Compared } from './compared.tsx'
import { say } from './texts.ts'

const nameOf = ({ artifactVersion, environment, createdAt }: Deployment): string => {
  const version = say('version', { version: artifactVersion })
  return `${version} · ${sayEnvironment(environment)} · ${written(createdAt)}`
}

/** Any two releases, side by side; which ones is in the address. */
export function Compare({ agentId }: { readonly agentId: string }) {
  const past = usePastReleases(agentId)
  const { from, to } = route.value.query
  if (past.value === undefined)
    return past.error === null ? <Pending /> : <Failure error={past.error} again={past.reload} />
  const all = past.value
  const chosen = (id: string | undefined, otherwise: Deployment | undefined) =>
    all.find(one => one.id === id) ?? otherwise
  const after = chosen(to, all[0])
  const before = chosen(from, all.find(({ version }) => version !== after?.version) ?? all[0])
  if (before === undefined || after === undefined)
    return (
      <Empty icon="branch" title={say('compare.none')}>
        <p>{say('compare.none.why')}</p>
      </Empty>
    )
  const select = (label: 'compare.before' | 'compare.after', name: 'from' | 'to', value: string) => (
    <Select
      label={say(label)}
      value={value}
      onChange={id => setQuery({ [name]: id })}
      options={all.map(one => [one.id, nameOf(one)] as const)}
    />
  )
  return (
    <section class="stack">
      <div class="sides">
        {select('compare.before', 'from', before.id)}
        {select('compare.after', 'to', after.id)}
      </div>
      <Compared
        agentId={agentId}
        deploymentId={after.id}
        since={before.id}
        names={[nameOf(before), nameOf(after)]}
      />
    </section>
  )
}
