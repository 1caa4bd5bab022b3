import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { type ListedAgent, useAgents } from '../../data/agents.ts'
import { useWritten } from '../../data/written.ts'
import { go, href, route } from '../../router.ts'
import { account, may } from '../../session.ts'
import { say as sayCommon } from '../../texts/common.ts'
import { AgentAvatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Pending, Table, Time } from '../../ui/parts.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { say } from './texts.ts'
import { plain } from './topic-search.ts'

function NewAgent({ accountId, onClose }: { readonly accountId: string; readonly onClose: () => void }) {
  const written = useWritten(`${accountId} new agent`, { name: '', greeting: say('greeting.start') })
  const { name, greeting } = written.value
  const create = useAction(async () => {
    const body = { name, responseSettings: { greeting } }
    const { agentId } = await api.createAgent({ accountId, body })
    written.sent()
    go(['agents', agentId, 'branches'])
  })
  return (
    <FormDialog
      title={say('agents.new')}
      action={sayCommon('create')}
      onClose={onClose}
      onSend={() => void create.start()}
      pending={create.pending}
      error={create.error}
      isIncomplete={name.trim() === '' || greeting.trim() === ''}
    >
      <TextField
        label={sayCommon('name')}
        value={name}
        onChange={text => written.change({ name: text })}
        autofocus
        required
      />
      <TextArea
        label={say('greeting')}
        hint={say('greeting.hint')}
        value={greeting}
        onChange={text => written.change({ greeting: text })}
        rows={2}
      />
    </FormDialog>
  )
}

/** The number of agents that fit on the screen. With more there is a search. */
const FEW = 8

/** Returns the agents that have every word in their name, or the text in their id. */
function findAgents(agents: readonly ListedAgent[], text: string): readonly ListedAgent[] {
  const asked = plain(text).trim()
  const words = asked.split(/\s+/)
  return agents.filter(({ agentId, agentName }) => {
    const name = plain(agentName)
    return plain(agentId).includes(asked) || words.every(word => name.includes(word))
  })
}

/** Shows the agents of the account, the one changed last first. */
export function AgentList() {
  const accountId = account.value?.id ?? ''
  const { value, error, reload } = useAgents(accountId)
  const [isMaking, setMaking] = useState(false)
  const make = may('author') ? (
    <Button icon="add" kind="main" onClick={() => setMaking(true)}>
      {say('agents.new')}
    </Button>
  ) : null
  const agents = value?.toSorted((one, other) => other.updatedAt.localeCompare(one.updatedAt))
  const found = findAgents(agents ?? [], route.value.query.find ?? '')
  return (
    <Page title={say('agents')} actions={agents?.length === 0 ? null : make}>
      <Failure error={error} again={reload} />
      {agents === undefined && error === null && <Pending />}
      {agents?.length === 0 && (
        <Empty icon="agents" title={say('agents.none')}>
          <p>{say('agents.none.why')}</p>
          {make}
        </Empty>
      )}
      {agents !== undefined && agents.length > FEW && (
        <search class="filters">
          <SearchField label={say('agents.find')} name="find" />
        </search>
      )}
      {agents !== undefined && agents.length > 0 && found.length === 0 && (
        <p class="quiet" role="status">
          {say('agents.found.none')}
        </p>
      )}
      {found.length > 0 && (
        <Table
          caption={say('agents')}
          rows={found}
          keyOf={({ agentId }) => agentId}
          columns={[
            {
              title: say('agent'),
              cell: ({ agentId, agentName }) => (
                <span class="named">
                  <AgentAvatar />
                  <a href={href(['agents', agentId])}>{agentName}</a>
                </span>
              ),
            },
            { title: say('id'), cell: ({ agentId }) => <code>{agentId}</code> },
            {
              title: say('content'),
              cell: ({ agentId }) => (
                <a href={href(['agents', agentId, 'branches', 'main'])}>{say('content')}</a>
              ),
            },
            { title: say('branches'), cell: ({ branchCount }) => branchCount, isNumber: true },
            { title: say('changed'), cell: ({ updatedAt }) => <Time at={updatedAt} /> },
          ]}
        />
      )}
      {isMaking && <NewAgent accountId={accountId} onClose={() => setMaking(false)} />}
    </Page>
  )
}
