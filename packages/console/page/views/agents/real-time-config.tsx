import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { useResource } from '../../data/resource.ts'
import { type Environment, environmentOf } from '../../environments.ts'
import { route, setQuery } from '../../router.ts'
import { may } from '../../session.ts'
import { say as sayEnvironment } from '../../texts/environments.ts'
import { Button } from '../../ui/button.tsx'
import { EnvironmentSelect } from '../../ui/environment-select.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Select, TextArea, TextField } from '../../ui/field.tsx'
import { Empty, Pending, Time } from '../../ui/parts.tsx'
import { type ConfigField, fieldsOf, readValue, writtenOf } from './config-fields.ts'
import { say } from './texts.ts'

type Config = Awaited<ReturnType<typeof api.readRealTimeConfig>>

interface FieldProps {
  readonly field: ConfigField
  readonly text: string
  readonly fault: string | null
  readonly onChange: (text: string) => void
}

/** A variable, as its kind is written. */
function Field({ field: { kind, label, hint, choices }, text, fault, onChange }: FieldProps) {
  const disabled = !may('releaser')
  const props = { label, fault, disabled, onChange, value: text, ...(hint === null ? {} : { hint }) }
  if (kind === 'boolean' || kind === 'choice') {
    const values = kind === 'boolean' ? ['true', 'false'] : choices
    return <Select {...props} options={[['', '–'], ...values.map(one => [one, one] as const)]} />
  }
  return kind === 'json' ? <TextArea {...props} rows={3} /> : <TextField {...props} />
}

const faultOf = (kind: ConfigField['kind'], text: string): string | null => {
  try {
    readValue(kind, text)
    return null
  } catch {
    return say(kind === 'number' ? 'config.no-number' : 'config.no-json')
  }
}

interface FormProps {
  readonly agentId: string
  readonly config: Config
  readonly onSaved: () => void
}

/** The variables, by the schema where there is one. They take effect once they are saved, so that is asked for. */
function Variables({ agentId, config, onSaved }: FormProps) {
  const { clientEnv, schema, variables } = config
  const fields = fieldsOf(schema, variables)
  const [changed, setChanged] = useState<ReadonlyMap<string, string>>(new Map())
  const textOf = (field: ConfigField): string => changed.get(field.name) ?? writtenOf(field)
  const faults = fields.map(field => (changed.has(field.name) ? faultOf(field.kind, textOf(field)) : null))
  const save = useAction(async () => {
    const given = fields.flatMap(field => {
      const text = changed.get(field.name)
      return text === undefined ? [] : [[field.name, readValue(field.kind, text) ?? null] as const]
    })
    await api.updateRealTimeConfigVariables({
      ...{ agentId, clientEnv, body: { variables: Object.fromEntries(given) } },
    })
    onSaved()
  })
  return (
    <form
      class="stack"
      onSubmit={event => {
        event.preventDefault()
        void save.start()
      }}
    >
      {fields.length === 0 && (
        <Empty title={say('config.none')}>
          <p>{say('config.none.why')}</p>
        </Empty>
      )}
      {fields.map((field, at) => (
        <Field
          key={field.name}
          field={field}
          text={textOf(field)}
          fault={faults[at] ?? null}
          onChange={text => setChanged(before => new Map(before).set(field.name, text))}
        />
      ))}
      <Failure error={save.error} />
      {may('releaser') && fields.length > 0 && (
        <div class="actions">
          <Button
            kind="main"
            type="submit"
            disabled={save.pending || changed.size === 0 || faults.some(fault => fault !== null)}
          >
            {say('config.save', { lane: sayEnvironment(clientEnv) })}
          </Button>
          {changed.size > 0 && (
            <Button kind="bare" onClick={() => setChanged(new Map())}>
              {say('config.undo')}
            </Button>
          )}
        </div>
      )}
    </form>
  )
}

/** A variable that no schema names yet. */
function NewVariable({ agentId, config, onSaved }: FormProps) {
  const [name, setName] = useState('')
  const [text, setText] = useState('')
  const fault = text === '' ? null : faultOf('json', text)
  const add = useAction(async () => {
    const body = { variables: { [name.trim()]: readValue('json', text) } }
    await api.updateRealTimeConfigVariables({ agentId, clientEnv: config.clientEnv, body })
    onSaved()
  })
  return (
    <details>
      <summary>{say('config.add')}</summary>
      <form
        class="stack tight"
        onSubmit={event => {
          event.preventDefault()
          void add.start()
        }}
      >
        <TextField label={say('config.name')} value={name} onChange={setName} />
        <TextArea
          label={say('config.value')}
          hint={say('config.value.hint')}
          fault={fault}
          rows={2}
          value={text}
          onChange={setText}
        />
        <Failure error={add.error} />
        <div>
          <Button
            type="submit"
            disabled={add.pending || name.trim() === '' || text.trim() === '' || fault !== null}
          >
            {say('config.add')}
          </Button>
        </div>
      </form>
    </details>
  )
}

/** The schema, which the form is made of and every variable has to fit. */
function Schema({ agentId, config, onSaved }: FormProps) {
  const start = config.schema === undefined ? '' : JSON.stringify(config.schema, null, 2)
  const [text, setText] = useState(start)
  const fault = text.trim() === '' ? null : faultOf('json', text)
  const save = useAction(async () => {
    const schema = text.trim() === '' ? null : (JSON.parse(text) as Record<string, unknown>)
    await api.replaceRealTimeConfigSchema({ agentId, clientEnv: config.clientEnv, body: { schema } })
    onSaved()
  })
  return (
    <details>
      <summary>{say('config.schema')}</summary>
      <form
        class="stack tight"
        onSubmit={event => {
          event.preventDefault()
          void save.start()
        }}
      >
        <TextArea
          label={say('config.schema')}
          hint={say('config.schema.hint')}
          fault={fault}
          rows={12}
          disabled={!may('releaser')}
          value={text}
          onChange={setText}
        />
        <Failure error={save.error} />
        {may('releaser') && (
          <div>
            <Button type="submit" disabled={save.pending || text === start || fault !== null}>
              {say('config.schema.save')}
            </Button>
          </div>
        )}
      </form>
    </details>
  )
}

function Loaded({ agentId, clientEnv }: { readonly agentId: string; readonly clientEnv: Environment }) {
  const { value, error, reload } = useResource(
    signal => api.readRealTimeConfig({ agentId, clientEnv }, { signal }),
    [agentId, clientEnv],
  )
  if (value === undefined) return error === null ? <Pending /> : <Failure error={error} again={reload} />
  // What was written is shown as the server has it.
  const parts = { agentId, config: value, onSaved: reload, key: JSON.stringify(value) }
  return (
    <div class="stack">
      {value.lastUpdated !== undefined && (
        <p class="quiet small">
          {say('changed')}: <Time at={value.lastUpdated} />
        </p>
      )}
      <Variables {...parts} />
      {may('releaser') && <NewVariable {...parts} />}
      <Schema {...parts} />
    </div>
  )
}

/** What an agent is told in an environment while it runs, without a release. */
export function RealTimeConfig({ agentId }: { readonly agentId: string }) {
  const clientEnv = environmentOf(route.value.query.environment, 'sandbox')
  return (
    <section class="stack narrow">
      <p class="quiet">{say('config.why')}</p>
      <div class="filters">
        <EnvironmentSelect
          value={clientEnv}
          onChange={value => setQuery({ environment: value === 'sandbox' ? undefined : value })}
        />
      </div>
      <Loaded key={clientEnv} agentId={agentId} clientEnv={clientEnv} />
    </section>
  )
}
