import { api } from '../../api.ts'
import { usePages } from '../../data/pages.ts'
import { useResource } from '../../data/resource.ts'
import { instantOf } from '../../moments.ts'
import { route } from '../../router.ts'
import { PagedTable } from '../../ui/paged-table.tsx'
import { Empty, Time } from '../../ui/parts.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { TimeField } from '../../ui/time-field.tsx'
import { say } from './texts.ts'

type Entry = Awaited<ReturnType<typeof api.listAuditLog>>['entries'][number]

const KINDS = { api_key: 'actor.api_key', person: 'actor.person', library: 'actor.library' } as const

function Who({ actor: { type, id, name } }: { readonly actor: Entry['actor'] }) {
  const kind = Object.entries(KINDS).find(([one]) => one === type)?.[1] ?? 'actor.platform'
  return (
    <>
      {name || id || ''} <span class="quiet small">{say(kind)}</span>
    </>
  )
}

/** Returns the name of what an entry is about: of the entry itself, or of a list that has it. */
function targetOf({ details, resource: { id } }: Entry, names: ReadonlyMap<string, string>): string {
  const { name } = details
  return (typeof name === 'string' && name) || names.get(id ?? '') || (id ?? '')
}

/** Names of agents, keys and connectors by their ids. */
const useNames = (accountId: string) =>
  useResource(
    async signal => {
      const [agents, { apiKeys }, { connectors }] = await Promise.all([
        api.listAgents({ accountId }, { signal }),
        api.listApiKeys({ accountId }, { signal }),
        api.listConnectors({ accountId }, { signal }),
      ])
      return new Map([
        ...agents.map(({ agentId, agentName }) => [agentId, agentName] as const),
        ...[...apiKeys, ...connectors].map(({ id, name }) => [id, name] as const),
      ])
    },
    [accountId],
  ).value ?? NO_NAMES

const NO_NAMES: ReadonlyMap<string, string> = new Map()

/**
 * Shows the audit log of an account: actions with their person and time, newest first. The filters are in the address.
 */
export function AuditLog({ accountId }: { readonly accountId: string }) {
  const { query } = route.value
  const names = useNames(accountId)
  const filters = {
    ...{ action: query.action, resourceId: query.id },
    ...{ since: instantOf(query.from), until: instantOf(query.to) },
  }
  const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value))
  const pages = usePages(
    async (cursor, signal) => {
      const page = await api.listAuditLog({ accountId, ...given, ...cursor }, { signal })
      return { rows: page.entries, cursor: page.next_cursor }
    },
    [accountId, JSON.stringify(given)],
  )
  return (
    <section>
      <search class="filters">
        <TimeField label={say('since')} name="from" />
        <TimeField label={say('until')} name="to" />
        <SearchField label={say('audit.action')} name="action" placeholder="api_key.created" />
        <SearchField label={say('audit.resource')} name="id" />
      </search>
      <PagedTable
        pages={pages}
        empty={
          <Empty icon="log" title={say('audit.none')}>
            <p>{say('audit.none.why')}</p>
          </Empty>
        }
        caption={say('audit')}
        keyOf={({ id }) => id}
        columns={[
          { title: say('when'), cell: ({ at }) => <Time at={at} /> },
          { title: say('who'), cell: ({ actor }) => <Who actor={actor} /> },
          { title: say('what'), cell: ({ action }) => <code>{action}</code> },
          {
            title: say('whom'),
            cell: entry => <span title={entry.resource.id ?? undefined}>{targetOf(entry, names)}</span>,
          },
          {
            title: say('details'),
            cell: ({ details }) =>
              Object.keys(details).length > 0 && (
                <details>
                  <summary>{Object.keys(details).join(', ')}</summary>
                  <pre class="text">{JSON.stringify(details, null, 2)}</pre>
                </details>
              ),
          },
        ]}
      />
    </section>
  )
}
