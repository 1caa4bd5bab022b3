import { useState } from 'preact/hooks'
import { api, telephony } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { useResource } from '../../data/resource.ts'
import { useWritten } from '../../data/written.ts'
import { say as sayCommon } from '../../texts/common.ts'
import { say as sayEnvironment } from '../../texts/environments.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { EnvironmentName } from '../../ui/environment.tsx'
import { EnvironmentSelect } from '../../ui/environment-select.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { Empty, Table } from '../../ui/parts.tsx'
import { say } from './telephony-texts.ts'

export type TelephonyConnector = Awaited<
  ReturnType<typeof telephony.listTelephonyConnectors>
>['connectors'][number]

interface FormProps {
  readonly accountId: string
  readonly agentId: string
  /** Null for one that is to be made. */
  readonly connector: TelephonyConnector | null
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Shows the name and environment of a connector are set once. Its language and voice can be changed. */
function ConnectorForm({ accountId, agentId, connector, onClose, onDone }: FormProps) {
  const written = useWritten(`line ${connector?.connectorId ?? `new ${agentId}`}`, {
    name: connector?.name ?? '',
    environment: connector?.clientEnv ?? 'live',
    variantId: connector?.variantId ?? '',
    asrLangCode: connector?.asrLangCode ?? 'en-US',
    voiceName: connector?.voiceName ?? '',
  })
  const { name, environment, variantId, asrLangCode, voiceName } = written.value
  const variants = useResource(
    async signal => (await api.listVariants({ agentId, branchId: 'main' }, { signal })).variants,
    [agentId],
  )
  const send = useAction(async () => {
    const chosen = { variantId: variantId || null, asrLangCode, voiceName }
    if (connector === null)
      await telephony.createTelephonyConnector({
        body: { accountId, agentId, environment, name, ...chosen },
      })
    else
      await telephony.updateTelephonyConnector({
        ...{ agentId, connectorId: connector.connectorId, body: chosen },
      })
    written.sent()
    onDone()
  })
  return (
    <FormDialog
      title={connector === null ? say('connectors.new') : say('connector.change', { name: connector.name })}
      action={connector === null ? sayCommon('create') : say('save')}
      onClose={onClose}
      onSend={() => void send.start()}
      pending={send.pending}
      error={send.error}
      isIncomplete={name.trim() === ''}
    >
      {connector === null && (
        <>
          <TextField
            label={sayCommon('name')}
            value={name}
            onChange={text => written.change({ name: text })}
            autofocus
            required
          />
          <EnvironmentSelect
            value={environment}
            onChange={chosen => written.change({ environment: chosen })}
          />
        </>
      )}
      <Select
        label={say('variant')}
        value={variantId}
        onChange={chosen => written.change({ variantId: chosen })}
        options={[
          ['', say('variant.none')],
          ...(variants.value ?? []).map(({ id, name: its }) => [id, its] as const),
        ]}
      />
      <TextField
        label={say('heard')}
        hint={say('heard.hint')}
        value={asrLangCode}
        onChange={text => written.change({ asrLangCode: text })}
      />
      <TextField
        label={say('spoken')}
        hint={say('spoken.hint')}
        value={voiceName}
        onChange={text => written.change({ voiceName: text })}
      />
    </FormDialog>
  )
}

interface TelephonyConnectorsProps {
  readonly accountId: string
  readonly agentId: string
  readonly connectors: readonly TelephonyConnector[]
  readonly onChanged: () => void
}

/** Shows the telephony connectors of an agent. */
export function TelephonyConnectors({ accountId, agentId, connectors, onChanged }: TelephonyConnectorsProps) {
  const [form, setForm] = useState<TelephonyConnector | 'new' | null>(null)
  const [deleted, setDeleted] = useState<TelephonyConnector | null>(null)
  const done = () => {
    setForm(null)
    setDeleted(null)
    onChanged()
  }
  return (
    <section class="stack" aria-labelledby="telephony-connectors">
      <div class="actions apart">
        <h2 id="telephony-connectors">{say('connectors')}</h2>
        <Button icon="add" onClick={() => setForm('new')}>
          {say('connectors.new')}
        </Button>
      </div>
      <p class="quiet">{say('connectors.why')}</p>
      {connectors.length === 0 ? (
        <Empty icon="phone" title={say('connectors.none')} />
      ) : (
        <Table
          caption={say('connectors')}
          rows={connectors}
          keyOf={({ connectorId }) => connectorId}
          columns={[
            { title: sayCommon('name'), cell: ({ name }) => name },
            {
              title: sayEnvironment('environment'),
              cell: ({ clientEnv }) => <EnvironmentName of={clientEnv} />,
            },
            { title: say('heard'), cell: ({ asrLangCode }) => asrLangCode },
            { title: say('spoken'), cell: ({ voiceName }) => voiceName },
            {
              title: '',
              cell: one => (
                <div class="actions">
                  <Button
                    icon="edit"
                    kind="bare"
                    onClick={() => setForm(one)}
                    label={`${say('change')}: ${one.name}`}
                  >
                    {say('change')}
                  </Button>
                  <Button
                    icon="delete"
                    kind="bare"
                    onClick={() => setDeleted(one)}
                    label={`${say('delete')}: ${one.name}`}
                  >
                    {say('delete')}
                  </Button>
                </div>
              ),
            },
          ]}
        />
      )}
      {form !== null && (
        <ConnectorForm
          {...{ accountId, agentId }}
          connector={form === 'new' ? null : form}
          onClose={() => setForm(null)}
          onDone={done}
        />
      )}
      {deleted !== null && (
        <Confirm
          title={say('connector.delete.title', { name: deleted.name })}
          why={say('connector.delete.why')}
          action={say('delete')}
          onClose={() => setDeleted(null)}
          run={() => telephony.deleteTelephonyConnector({ agentId, connectorId: deleted.connectorId })}
          onDone={done}
        />
      )}
    </section>
  )
}
