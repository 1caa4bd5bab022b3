import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { usePages } from '../../data/pages.ts'
import { useResource } from '../../data/resource.ts'
import { instantOf } from '../../moments.ts'
import { route, setQuery } from '../../router.ts'
import { KnownSelect } from '../../ui/known-select.tsx'
import { PagedTable } from '../../ui/paged-table.tsx'
import { Empty, Time } from '../../ui/parts.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { TimeField } from '../../ui/time-field.tsx'
import { actionNames } from './audit-actions.ts'
import { say as sayAction } from './audit-texts.ts'
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

/** Things that have a name, with the word of their kind. */
const useNamed = (accountId: string) =>
  useResource(
    async signal => {
      const [agents, { apiKeys }, { connectors }, { data: webhooks }, { data: rules }] = await Promise.all([
        api.listAgents({ accountId }, { signal }),
        api.listApiKeys({ accountId }, { signal }),
        api.listConnectors({ accountId }, { signal }),
        api.listWebhookEndpoints({}, { signal }),
        api.listAlertRules({}, { signal }),
      ])
      const named = [
        ...agents.map(({ agentId, agentName }) => ['agent', agentId, agentName] as const),
        ...apiKeys.map(({ id, name }) => ['api_key', id, name] as const),
        ...connectors.map(({ id, name }) => ['connector', id, name] as const),
        ...webhooks.map(({ id, name }) => ['webhook_endpoint', id, name] as const),
        ...rules.map(({ id, name }) => ['alert_rule', id, name] as const),
      ]
      return named.toSorted(([, , one], [, , other]) => one.localeCompare(other))
    },
    [accountId],
  ).value ?? []

/** Shows a target by its name, with its kind, or by an id: most have no name, such as conversations. */
function TargetField({ named }: { readonly named: ReturnType<typeof useNamed> }) {
  const { id = '' } = route.value.query
  const [isTyped, setTyped] = useState(false)
  return (
    <>
      <KnownSelect
        label={say('whom')}
        value={isTyped ? ID : id}
        all={say('all')}
        options={[
          ...named.map(([kind, of, name]) => [of, `${name || of} · ${sayAction(kind)}`] as const),
          [ID, say('audit.resource')],
        ]}
        onChange={value => {
          setTyped(value === ID)
          setQuery({ id: value === ID ? undefined : value || undefined })
        }}
      />
      {isTyped && <SearchField label={say('audit.resource')} name="id" />}
    </>
  )
}

/** The choice of an id that is typed. No target has it. */
const ID = '#'

/**
 * Shows the audit log of an account: actions with their person and time, newest first. The filters are in the address.
 */
export function AuditLog({ accountId }: { readonly accountId: string }) {
  const { query } = route.value
  const named = useNamed(accountId)
  const names = new Map(named.map(([, id, name]) => [id, name] as const))
  const actions = actionNames()
  const words = new Map(actions)
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
        <KnownSelect
          label={say('what')}
          value={query.action ?? ''}
          all={say('all')}
          options={actions}
          onChange={action => setQuery({ action: action || undefined })}
        />
        <TargetField named={named} />
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
          {
            title: say('what'),
            cell: ({ action }) => <span title={action}>{words.get(action) ?? action}</span>,
          },
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
