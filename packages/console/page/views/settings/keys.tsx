import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { agentOptions, useAgentNames, useAgents } from '../../data/agents.ts'
import { usePages } from '../../data/pages.ts'
import { useWritten } from '../../data/written.ts'
import { instantOf } from '../../moments.ts'
import { say as sayCommon } from '../../texts/common.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { PagedTable } from '../../ui/paged-table.tsx'
import { Empty } from '../../ui/parts.tsx'
import { CredentialState, isRevoked, Moment } from './credential-state.tsx'
import { Secret } from './secret.tsx'
import { say } from './texts.ts'

type Key = Awaited<ReturnType<typeof api.listApiKeys>>['apiKeys'][number]

const KINDS = ['workspace', 'project', 'external_events', 'desk'] as const

interface KeyDraft {
  readonly name: string
  readonly kind: (typeof KINDS)[number]
  /** `""` for all agents of the account. */
  readonly agentId: string
  /** As the field of the browser gives it; `""` for never. */
  readonly ends: string
}

const NEW_KEY: KeyDraft = { name: '', kind: 'workspace', agentId: '', ends: '' }

interface NewKeyProps {
  readonly accountId: string
  readonly onClose: () => void
  readonly onMade: (secret: string) => void
}

function NewKey({ accountId, onClose, onMade }: NewKeyProps) {
  const written = useWritten('key new', NEW_KEY)
  const { name, kind, agentId, ends } = written.value
  const agents = useAgents(accountId)
  const create = useAction(async () => {
    const expiresAt = instantOf(ends)
    const { key } = await api.createApiKey({
      body: {
        ...{ kind, accountId, name },
        ...(agentId === '' || kind === 'desk' ? {} : { agentId }),
        ...(expiresAt === undefined ? {} : { expiresAt }),
      },
    })
    written.sent()
    onMade(key)
  })
  return (
    <FormDialog
      title={say('keys.new')}
      action={sayCommon('create')}
      onClose={onClose}
      onSend={() => void create.start()}
      pending={create.pending}
      error={agents.error ?? create.error}
      isIncomplete={name.trim() === ''}
    >
      <TextField
        label={sayCommon('name')}
        value={name}
        onChange={text => written.change({ name: text })}
        autofocus
        required
      />
      <Select
        label={say('kind')}
        value={kind}
        onChange={value => written.change({ kind: KINDS.find(one => one === value) ?? kind })}
        options={KINDS.map(one => [one, say(`kind.${one}`)] as const)}
      />
      {kind !== 'desk' && (
        <Select
          label={say('key.agent')}
          value={agentId}
          onChange={chosen => written.change({ agentId: chosen })}
          options={[['', say('key.agent.all')], ...agentOptions(agents.value ?? [])]}
        />
      )}
      <TextField
        label={say('expires')}
        hint={say('expires.hint')}
        type="datetime-local"
        value={ends}
        onChange={text => written.change({ ends: text })}
      />
    </FormDialog>
  )
}

/** Shows the API keys of an account. */
export function Keys({ accountId }: { readonly accountId: string }) {
  const pages = usePages(
    async (cursor, signal) => {
      const page = await api.listApiKeys({ accountId, ...cursor }, { signal })
      return { rows: page.apiKeys, cursor: page.next_cursor }
    },
    [accountId],
  )
  const nameOf = useAgentNames(accountId)
  const [isMaking, setMaking] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const [revoked, setRevoked] = useState<Key | null>(null)
  return (
    <section class="stack">
      <div class="actions apart">
        <span class="quiet">{say('keys.why')}</span>
        <Button icon="add" kind="main" onClick={() => setMaking(true)}>
          {say('keys.new')}
        </Button>
      </div>
      <PagedTable
        pages={pages}
        empty={
          <Empty icon="key" title={say('keys.none')}>
            <p>{say('keys.none.why')}</p>
          </Empty>
        }
        caption={say('keys')}
        keyOf={({ id }) => id}
        columns={[
          {
            title: sayCommon('name'),
            cell: ({ name, id, prefix }) => (
              <>
                {name || id} <code class="quiet small block">{prefix}…</code>
              </>
            ),
          },
          {
            title: say('kind'),
            cell: ({ kind, agentId }) => (
              <span title={agentId ?? undefined}>
                {[say(`kind-word.${kind}`), agentId && nameOf(agentId)].filter(Boolean).join(' · ')}
              </span>
            ),
          },
          { title: say('created'), cell: ({ createdAt }) => <Moment at={createdAt} /> },
          { title: say('used'), cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} /> },
          { title: say('state'), cell: key => <CredentialState {...key} /> },
          {
            title: '',
            cell: key =>
              !isRevoked(key) && (
                <Button
                  icon="refuse"
                  kind="bare"
                  label={`${say('revoke')}: ${key.name || key.id}`}
                  onClick={() => setRevoked(key)}
                >
                  {say('revoke')}
                </Button>
              ),
          },
        ]}
      />
      {isMaking && (
        <NewKey
          accountId={accountId}
          onClose={() => setMaking(false)}
          onMade={made => {
            setMaking(false)
            setSecret(made)
            pages.reload()
          }}
        />
      )}
      {secret !== null && <Secret title={say('key.new')} secret={secret} onClose={() => setSecret(null)} />}
      {revoked !== null && (
        <Confirm
          title={say('key.revoke.title', { name: revoked.name || revoked.id })}
          why={say('key.revoke.why')}
          action={say('revoke')}
          onClose={() => setRevoked(null)}
          run={() => api.revokeApiKey({ id: revoked.id })}
          onDone={() => {
            setRevoked(null)
            pages.reload()
          }}
        />
      )}
    </section>
  )
}
