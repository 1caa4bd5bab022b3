import { useEffect, useState } from 'preact/hooks'
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
import { UndoNote } from '../../ui/undo-note.tsx'
import { type ConfigField, fieldsOf, readValue, writtenOf } from './config-fields.ts'
import { say } from './texts.ts'

type Config = Awaited<ReturnType<typeof api.readRealTimeConfig>>

type Variables = Record<string, unknown>

type Schema = NonNullable<Config['schema']>

/** The agent and config of a form. */
interface FormOf {
  readonly agentId: string
  readonly config: Config
}

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

/** Writes variables. Returns a function that undoes it, except for fields that somebody else has changed since. */
async function write({ agentId, config: { clientEnv, variables: before } }: FormOf, after: Variables) {
  const of = { agentId, clientEnv }
  await api.updateRealTimeConfigVariables({ ...of, body: { variables: after } })
  return async () => {
    const { variables } = await api.readRealTimeConfig(of)
    const ours = Object.keys(after).filter(name => isSame(variables[name], after[name]))
    const back = Object.fromEntries(ours.map(name => [name, before[name] ?? null]))
    await api.updateRealTimeConfigVariables({ ...of, body: { variables: back } })
  }
}

/** Writes the schema. Returns a function that undoes it, unless somebody else has changed it since. */
async function writeSchema({ agentId, config }: FormOf, after: Schema | null) {
  const of = { agentId, clientEnv: config.clientEnv }
  await api.replaceRealTimeConfigSchema({ ...of, body: { schema: after } })
  return async () => {
    const { schema } = await api.readRealTimeConfig(of)
    if (!isSame(schema, after)) return
    await api.replaceRealTimeConfigSchema({ ...of, body: { schema: config.schema ?? null } })
  }
}

interface FieldProps {
  readonly field: ConfigField
  readonly text: string
  readonly fault: string | null
  readonly onChange: (text: string) => void
}

/** Shows a variable, as its kind is written. */
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

interface FormProps extends FormOf {
  /** Called with a function that undoes the save. */
  readonly onSaved: (undo: () => Promise<unknown>) => void
}

/** Shows the variables, by the schema if there is one. They take effect once they are saved, so that is asked for. */
function VariablesForm({ agentId, config, onSaved }: FormProps) {
  const { clientEnv, schema, variables } = config
  const fields = fieldsOf(schema, variables)
  const [changed, setChanged] = useState<ReadonlyMap<string, string>>(new Map())
  /** Saved texts, shown as entered until the server's values have arrived. */
  const [saved, setSaved] = useState<ReadonlyMap<string, string>>(new Map())
  useEffect(() => setSaved(new Map()), [config])
  const textOf = (field: ConfigField): string =>
    changed.get(field.name) ?? saved.get(field.name) ?? writtenOf(field)
  const faults = fields.map(field => (changed.has(field.name) ? faultOf(field.kind, textOf(field)) : null))
  const save = useAction(async () => {
    const given = fields.flatMap(field => {
      const text = changed.get(field.name)
      return text === undefined ? [] : [[field.name, readValue(field.kind, text) ?? null] as const]
    })
    const undo = await write({ agentId, config }, Object.fromEntries(given))
    setSaved(changed)
    // Text typed in the meantime stays.
    setChanged(now => new Map([...now].filter(([name, text]) => changed.get(name) !== text)))
    onSaved(undo)
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
        <Empty icon="settings" title={say('config.none')}>
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
            icon="check"
            kind="main"
            type="submit"
            disabled={save.pending || changed.size === 0 || faults.some(fault => fault !== null)}
          >
            {say('config.save', { lane: sayEnvironment(clientEnv) })}
          </Button>
          {changed.size > 0 && (
            <Button icon="undo" kind="bare" onClick={() => setChanged(new Map())}>
              {say('config.discard')}
            </Button>
          )}
        </div>
      )}
    </form>
  )
}

/** Shows a variable that no schema names yet. */
function NewVariable({ agentId, config, onSaved }: FormProps) {
  const [name, setName] = useState('')
  const [text, setText] = useState('')
  const fault = text === '' ? null : faultOf('json', text)
  const add = useAction(async () => {
    onSaved(await write({ agentId, config }, { [name.trim()]: readValue('json', text) ?? null }))
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
            icon="add"
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

/** Shows the schema, which the form is made of and every variable has to fit. */
function SchemaForm({ agentId, config, onSaved }: FormProps) {
  const start = config.schema === undefined ? '' : JSON.stringify(config.schema, null, 2)
  const [text, setText] = useState(start)
  const fault = text.trim() === '' ? null : faultOf('json', text)
  const save = useAction(async () => {
    const schema = text.trim() === '' ? null : (JSON.parse(text) as Schema)
    onSaved(await writeSchema({ agentId, config }, schema))
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
            <Button icon="check" type="submit" disabled={save.pending || text === start || fault !== null}>
              {say('config.schema.save')}
            </Button>
          </div>
        )}
      </form>
    </details>
  )
}

function Loaded(of: { readonly agentId: string; readonly clientEnv: Environment }) {
  const { agentId, clientEnv } = of
  const { value, error, reload } = useResource(
    signal => api.readRealTimeConfig(of, { signal }),
    [agentId, clientEnv],
  )
  const [undo, setUndo] = useState<{ readonly act: () => Promise<unknown> } | null>(null)
  if (value === undefined) return error === null ? <Pending /> : <Failure error={error} again={reload} />
  function follow(act: (() => Promise<unknown>) | null): void {
    setUndo(act && { act })
    reload()
  }
  const parts = { agentId, config: value, onSaved: follow }
  // Saved values are shown as on the server. Variables being edited stay, unless the schema has changed.
  const key = JSON.stringify(value)
  const schemaKey = JSON.stringify(value.schema ?? null)
  return (
    <div class="stack">
      {value.lastUpdated !== undefined && (
        <p class="quiet small">
          {say('changed')}: <Time at={value.lastUpdated} />
        </p>
      )}
      {undo !== null && (
        <UndoNote
          text={say('config.saved', { lane: sayEnvironment(clientEnv) })}
          undo={undo.act}
          onUndone={() => follow(null)}
        />
      )}
      <VariablesForm key={schemaKey} {...parts} />
      {may('releaser') && <NewVariable key={key} {...parts} />}
      <SchemaForm key={key} {...parts} />
    </div>
  )
}

/** Shows the real-time config of an agent in an environment, which applies without a release. */
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
