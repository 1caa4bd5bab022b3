import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { agentOptions, useAgentNames, useAgents } from '../../data/agents.ts'
import { usePages } from '../../data/pages.ts'
import { useWritten } from '../../data/written.ts'
import { href } from '../../router.ts'
import { say as sayCommon } from '../../texts/common.ts'
import { say as sayEnvironment } from '../../texts/environments.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { EnvironmentName } from '../../ui/environment.tsx'
import { Select } from '../../ui/field.tsx'
import { PagedTable } from '../../ui/paged-table.tsx'
import { Empty } from '../../ui/parts.tsx'
import {
  type ConnectorDraft,
  ConnectorFields,
  connectorOf,
  isWhole,
  NEW_CONNECTOR,
} from './connector-fields.tsx'
import { CredentialState, Moment } from './credential-state.tsx'
import { Secret } from './secret.tsx'
import { say } from './texts.ts'
import { WidgetTag } from './widget-tag.tsx'

interface NewConnectorProps {
  readonly accountId: string
  readonly onClose: () => void
  readonly onMade: (token: string) => void
}

function NewConnector({ accountId, onClose, onMade }: NewConnectorProps) {
  const agents = useAgents(accountId)
  const [chosen, setChosen] = useState<string | null>(null)
  const agentId = chosen ?? agents.value?.[0]?.agentId ?? ''
  const { value: draft, change, sent } = useWritten<ConnectorDraft>('connector new', NEW_CONNECTOR)
  const create = useAction(async () => {
    const { token } = await api.createConnector({ body: { accountId, agentId, ...connectorOf(draft) } })
    sent()
    onMade(token)
  })
  return (
    <FormDialog
      title={say('connectors.new')}
      action={sayCommon('create')}
      onClose={onClose}
      onSend={() => void create.start()}
      pending={create.pending}
      error={agents.error ?? create.error}
      isIncomplete={agentId === '' || !isWhole(draft)}
    >
      <Select
        label={say('agent')}
        value={agentId}
        onChange={setChosen}
        options={agentOptions(agents.value ?? [])}
      />
      <ConnectorFields agentId={agentId} draft={draft} onChange={change} />
    </FormDialog>
  )
}

/** Shows the connectors of an account. */
export function Connectors({ accountId }: { readonly accountId: string }) {
  const pages = usePages(
    async (cursor, signal) => {
      const page = await api.listConnectors({ accountId, ...cursor }, { signal })
      return { rows: page.connectors, cursor: page.next_cursor }
    },
    [accountId],
  )
  const nameOf = useAgentNames(accountId)
  const [isMaking, setMaking] = useState(false)
  const [token, setToken] = useState<string | null>(null)
  return (
    <section class="stack">
      <div class="actions apart">
        <span class="quiet">{say('connectors.why')}</span>
        <Button icon="add" kind="main" onClick={() => setMaking(true)}>
          {say('connectors.new')}
        </Button>
      </div>
      <PagedTable
        pages={pages}
        empty={<Empty icon="conversations" title={say('connectors.none')} />}
        caption={say('connectors')}
        keyOf={({ id }) => id}
        columns={[
          {
            title: sayCommon('name'),
            cell: ({ id, name, revokedAt }) =>
              revokedAt === null ? (
                <a href={href(['settings', 'connectors', id])}>{name || id}</a>
              ) : (
                name || id
              ),
          },
          { title: say('agent'), cell: ({ agentId }) => nameOf(agentId) },
          {
            title: sayEnvironment('environment'),
            cell: ({ environment }) => <EnvironmentName of={environment} />,
          },
          { title: say('hosts'), cell: ({ hosts }) => hosts.join(', ') },
          { title: say('used'), cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} /> },
          { title: say('state'), cell: connector => <CredentialState {...connector} /> },
        ]}
      />
      {isMaking && (
        <NewConnector
          accountId={accountId}
          onClose={() => setMaking(false)}
          onMade={made => {
            setMaking(false)
            setToken(made)
            pages.reload()
          }}
        />
      )}
      {token !== null && (
        <Secret title={say('connector.token')} secret={token} onClose={() => setToken(null)}>
          <WidgetTag token={token} />
        </Secret>
      )}
    </section>
  )
}
