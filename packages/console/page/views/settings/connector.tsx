import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { useResource } from '../../data/resource.ts'
import { useWritten } from '../../data/written.ts'
import { localOf } from '../../moments.ts'
import { go, href } from '../../router.ts'
import { say as sayEnvironment } from '../../texts/environments.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { EnvironmentName } from '../../ui/environment.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Page } from '../../ui/page.tsx'
import { Pending, Table, Time } from '../../ui/parts.tsx'
import { type ConnectorDraft, ConnectorFields, connectorOf, isWhole } from './connector-fields.tsx'
import { CredentialState, Moment } from './credential-state.tsx'
import { Secret } from './secret.tsx'
import { say } from './texts.ts'
import { WidgetTag } from './widget-tag.tsx'

type Given = Awaited<ReturnType<typeof api.readConnector>>

const draftOf = ({ name, environment, hosts, variantId, handoff, expiresAt }: Given): ConnectorDraft => ({
  ...{ name, environment, hosts: hosts.join('\n'), variantId: variantId ?? '' },
  ...{ mode: handoff.mode, queueName: handoff.queueName, ends: localOf(expiresAt) },
})

interface ChangeProps {
  readonly connector: Given
  readonly onClose: () => void
  readonly onChanged: () => void
}

function Change({ connector, onClose, onChanged }: ChangeProps) {
  const { id, agentId, name } = connector
  const written = useWritten(`connector ${id}`, draftOf(connector))
  const draft = written.value
  const change = useAction(async () => {
    await api.updateConnector({ id, body: connectorOf(draft) })
    written.sent()
    onChanged()
  })
  return (
    <FormDialog
      title={say('connector.change.title', { name: name || id })}
      action={say('save')}
      onClose={onClose}
      onSend={() => void change.start()}
      pending={change.pending}
      error={change.error}
      isIncomplete={!isWhole(draft)}
    >
      <ConnectorFields agentId={agentId} draft={draft} onChange={written.change} />
    </FormDialog>
  )
}

interface ContextKeysProps {
  readonly connector: Given
  readonly onChanged: () => void
}

/** Shows the keys with which a host's server signs the identity of visitors. */
function ContextKeys({ connector: { id, contextKeys }, onChanged }: ContextKeysProps) {
  const [made, setMade] = useState<{ readonly kid: string; readonly secret: string } | null>(null)
  const rotate = useAction(async () => {
    setMade(await api.rotateContextKeys({ id, body: {} }))
    onChanged()
  })
  const revoke = useAction(async () => {
    await api.revokeContextKeys({ id })
    onChanged()
  })
  return (
    <section class="stack" aria-labelledby="context-keys">
      <h2 id="context-keys">{say('context-keys')}</h2>
      <p class="quiet">{say(contextKeys.length === 0 ? 'context-keys.none' : 'context-keys.why')}</p>
      {contextKeys.length > 0 && (
        <Table
          caption={say('context-keys')}
          rows={contextKeys}
          keyOf={({ kid }) => kid}
          columns={[
            { title: say('id'), cell: ({ kid }) => <code>{kid}</code> },
            { title: say('created'), cell: ({ createdAt }) => <Moment at={createdAt} /> },
            {
              title: say('state'),
              cell: ({ verifiesUntil }) =>
                verifiesUntil === null ? (
                  say('active')
                ) : (
                  <>
                    {say('ends')} <Time at={verifiesUntil} />
                  </>
                ),
            },
          ]}
        />
      )}
      <Failure error={rotate.error ?? revoke.error} />
      <div class="actions">
        <Button icon="refresh" onClick={() => void rotate.start()} disabled={rotate.pending}>
          {say('context-keys.rotate')}
        </Button>
        {contextKeys.length > 0 && (
          <Button icon="refuse" kind="danger" onClick={() => void revoke.start()} disabled={revoke.pending}>
            {say('context-keys.revoke')}
          </Button>
        )}
      </div>
      {made !== null && (
        <Secret
          isReadable
          title={say('context-keys.secret', { kid: made.kid })}
          secret={made.secret}
          onClose={() => setMade(null)}
        />
      )}
    </section>
  )
}

/** Shows a connector: what it opens, and what can be done with it. */
export function Connector({ id }: { readonly id: string }) {
  const { value, error, reload } = useResource(signal => api.readConnector({ id }, { signal }), [id])
  const [asked, setAsked] = useState<'change' | 'revoke' | null>(null)
  const close = () => setAsked(null)
  const done = () => {
    close()
    reload()
  }
  const name = value?.name || id
  return (
    <Page
      title={name}
      trail={[
        [say('title'), href(['settings'])],
        [say('connectors'), href(['settings', 'connectors'])],
      ]}
      actions={
        value !== undefined && (
          <>
            <Button icon="edit" onClick={() => setAsked('change')}>
              {say('change')}
            </Button>
            <Button icon="refuse" kind="danger" onClick={() => setAsked('revoke')}>
              {say('revoke')}
            </Button>
          </>
        )
      }
    >
      <Failure error={error} again={reload} />
      {value === undefined && error === null && <Pending />}
      {value !== undefined && (
        <div class="stack narrow">
          <Facts>
            <Fact name={say('state')}>
              <CredentialState {...value} />
            </Fact>
            <Fact name={say('agent')}>
              <a href={href(['agents', value.agentId])}>{value.agentId}</a>
            </Fact>
            <Fact name={sayEnvironment('environment')}>
              <EnvironmentName of={value.environment} />
            </Fact>
            <Fact name={say('variant')}>{value.variantId ?? say('variant.default')}</Fact>
            <Fact name={say('hosts')}>{value.hosts.join(', ')}</Fact>
            <Fact name={say('handoff')}>
              {say(`handoff.${value.handoff.mode}`)}
              {value.handoff.queueName !== '' && ` · ${say('queue')}: ${value.handoff.queueName}`}
            </Fact>
            <Fact name={say('begins')}>
              <code>{value.prefix}…</code>
            </Fact>
            <Fact name={say('created')}>
              <Moment at={value.createdAt} />
            </Fact>
            <Fact name={say('used')}>
              <Moment at={value.lastUsedAt} />
            </Fact>
          </Facts>
          <section class="stack" aria-labelledby="widget-tag">
            <h2 id="widget-tag">{say('tag')}</h2>
            <WidgetTag prefix={value.prefix} />
          </section>
          <ContextKeys connector={value} onChanged={reload} />
        </div>
      )}
      {value !== undefined && asked === 'change' && (
        <Change connector={value} onClose={close} onChanged={done} />
      )}
      {asked === 'revoke' && (
        <Confirm
          title={say('connector.revoke.title', { name })}
          why={say('connector.revoke.why')}
          action={say('revoke')}
          onClose={close}
          run={() => api.revokeConnector({ id })}
          onDone={() => go(['settings', 'connectors'])}
        />
      )}
    </Page>
  )
}
