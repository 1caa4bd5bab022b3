import { useState } from 'preact/hooks'
import { api, telephony } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { useWritten } from '../../data/written.ts'
import type { Environment } from '../../environments.ts'
import { linesOf } from '../../lines.ts'
import { say as sayEnvironment } from '../../texts/environments.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { EnvironmentName } from '../../ui/environment.tsx'
import { EnvironmentSelect } from '../../ui/environment-select.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Select, TextArea } from '../../ui/field.tsx'
import { Empty, Table } from '../../ui/parts.tsx'
import type { TelephonyConnector } from './telephony-connectors.tsx'
import { say } from './telephony-texts.ts'

type PhoneNumber = Awaited<ReturnType<typeof telephony.listPhoneNumbers>>['phoneNumbers'][number]

interface NumbersFormProps {
  readonly title: string
  readonly onClose: () => void
  readonly onDone: () => void
  readonly send: (numbers: readonly string[], environment: Environment) => Promise<unknown>
  /** Whether they belong to an environment. */
  readonly inEnvironment: boolean
}

const NO_NUMBERS: { readonly text: string; readonly environment: Environment } = {
  text: '',
  environment: 'live',
}

/** Edits a list of numbers, one a line. */
export function NumbersForm({ title, onClose, onDone, send, inEnvironment }: NumbersFormProps) {
  const written = useWritten(`numbers ${title}`, NO_NUMBERS)
  const { text, environment } = written.value
  const action = useAction(async () => {
    await send(linesOf(text), environment)
    written.sent()
    onDone()
  })
  return (
    <FormDialog
      title={title}
      action={title}
      onClose={onClose}
      onSend={() => void action.start()}
      pending={action.pending}
      error={action.error}
      isIncomplete={linesOf(text).length === 0}
    >
      <TextArea
        label={say('numbers.field')}
        hint={say('numbers.hint')}
        rows={4}
        value={text}
        onChange={lines => written.change({ text: lines })}
      />
      {inEnvironment && (
        <EnvironmentSelect value={environment} onChange={chosen => written.change({ environment: chosen })} />
      )}
    </FormDialog>
  )
}

interface PhoneNumbersProps {
  readonly agentId: string
  readonly connectors: readonly TelephonyConnector[]
  readonly phoneNumbers: readonly PhoneNumber[]
  readonly onChanged: () => void
}

/** Shows the numbers of an agent, each with the connector that it reaches. */
export function PhoneNumbers({ agentId, connectors, phoneNumbers, onChanged }: PhoneNumbersProps) {
  const [isImporting, setImporting] = useState(false)
  const [deleted, setDeleted] = useState<string | null>(null)
  const assign = useAction(async (phoneNumber: string, connectorId: string) => {
    await telephony.updatePhoneNumber({ agentId, phoneNumber, body: { connectorId } })
    onChanged()
  })
  const done = () => {
    setImporting(false)
    setDeleted(null)
    onChanged()
  }
  const options = connectors.map(({ connectorId, name }) => [connectorId, name] as const)
  return (
    <section class="stack" aria-labelledby="phone-numbers">
      <div class="actions apart">
        <h2 id="phone-numbers">{say('numbers')}</h2>
        <Button icon="add" onClick={() => setImporting(true)}>
          {say('numbers.import')}
        </Button>
      </div>
      <p class="quiet">{say('numbers.why')}</p>
      <Failure error={assign.error} />
      {phoneNumbers.length === 0 ? (
        <Empty icon="phone" title={say('numbers.none')} />
      ) : (
        <Table
          caption={say('numbers')}
          rows={phoneNumbers}
          keyOf={({ number }) => number}
          columns={[
            { title: say('number'), cell: ({ number }) => <code>{number}</code> },
            {
              title: sayEnvironment('environment'),
              cell: ({ clientEnv }) => <EnvironmentName of={clientEnv} />,
            },
            {
              title: say('connector'),
              cell: ({ number, connectorId }) => (
                <Select
                  label={say('number.assign', { number })}
                  isPlain
                  value={connectorId ?? ''}
                  onChange={chosen => void assign.start(number, chosen)}
                  options={connectorId === undefined ? [['', say('connector.none')], ...options] : options}
                  disabled={assign.pending}
                />
              ),
            },
            {
              title: '',
              cell: ({ number }) => (
                <Button
                  icon="delete"
                  kind="bare"
                  onClick={() => setDeleted(number)}
                  label={`${say('delete')}: ${number}`}
                >
                  {say('delete')}
                </Button>
              ),
            },
          ]}
        />
      )}
      {isImporting && (
        <NumbersForm
          title={say('numbers.import')}
          onClose={() => setImporting(false)}
          onDone={done}
          send={(phoneNumbers, environment) =>
            api.givePhoneNumbers({ body: { agentId, phoneNumbers, environment } })
          }
          inEnvironment
        />
      )}
      {deleted !== null && (
        <Confirm
          title={say('number.delete.title', { number: deleted })}
          why={say('number.delete.why')}
          action={say('delete')}
          onClose={() => setDeleted(null)}
          run={() => telephony.deletePhoneNumber({ agentId, phoneNumber: deleted })}
          onDone={done}
        />
      )}
    </section>
  )
}
