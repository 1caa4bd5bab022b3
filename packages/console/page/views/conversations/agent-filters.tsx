import { api } from '../../api.ts'
import { useResource } from '../../data/resource.ts'
import { route, setQuery } from '../../router.ts'
import { say as sayEnvironment } from '../../texts/environments.ts'
import { KnownSelect } from '../../ui/known-select.tsx'
import { ReleaseField } from '../../ui/release.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { say } from './texts.ts'

/** Filters whose names differ from agent to agent. */
const NAMES = ['topic', 'variant'] as const

/** Filters of a list across agents: their topics and variants are too many to choose from. */
export const OfAnyAgent = () => (
  <>
    {NAMES.map(name => (
      <SearchField key={name} label={say(name)} name={name} />
    ))}
    <SearchField label={sayEnvironment('deployment')} name="version" />
  </>
)

/** Returns names in the order of the language, each once. */
const sorted = (named: readonly { readonly name: string }[]): readonly string[] =>
  [...new Set(named.map(({ name }) => name))].sort((one, other) => one.localeCompare(other))

/** Filters by what the agent has on main, and by its releases. */
export function OfAgent({ agentId }: { readonly agentId: string }) {
  const { query } = route.value
  const { value: known } = useResource(
    async signal => {
      const of = { agentId, branchId: 'main' }
      const [topics, { variants }] = await Promise.all([
        api.listTopics(of, { signal }),
        api.listVariants(of, { signal }),
      ])
      return { topic: sorted(topics), variant: sorted(variants) }
    },
    [agentId],
  )
  return (
    <>
      {NAMES.map(name => (
        <KnownSelect
          key={name}
          label={say(name)}
          value={query[name] ?? ''}
          all={say('all')}
          options={known?.[name].map(one => [one, one] as const) ?? []}
          onChange={value => setQuery({ [name]: value || undefined })}
        />
      ))}
      <ReleaseField
        agentId={agentId}
        id={query.version ?? ''}
        onChange={id => setQuery({ version: id || undefined })}
      />
    </>
  )
}
