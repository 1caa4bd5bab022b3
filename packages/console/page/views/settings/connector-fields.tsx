import { api } from '../../api.ts'
import { useResource } from '../../data/resource.ts'
import type { Environment } from '../../environments.ts'
import { linesOf } from '../../lines.ts'
import { instantOf } from '../../moments.ts'
import { say as sayCommon } from '../../texts/common.ts'
import { EnvironmentSelect } from '../../ui/environment-select.tsx'
import { Select, TextArea, TextField } from '../../ui/field.tsx'
import { say } from './texts.ts'

/** A connector as its form has it. */
export interface ConnectorDraft {
  readonly name: string
  readonly environment: Environment
  /** One a line. */
  readonly hosts: string
  /** `""` for the default variant. */
  readonly variantId: string
  readonly mode: 'server' | 'client'
  readonly queueName: string
  /** As the field of the browser gives it; `""` for never. */
  readonly ends: string
}

export const NEW_CONNECTOR: ConnectorDraft = {
  name: '',
  environment: 'live',
  hosts: '',
  variantId: '',
  mode: 'server',
  queueName: '',
  ends: '',
}

/** Returns the connector in a draft, as the server takes it. */
export function connectorOf({ name, environment, hosts, variantId, mode, queueName, ends }: ConnectorDraft) {
  return {
    ...{ name, environment, hosts: linesOf(hosts), variantId: variantId || null },
    handoff: { mode, ...(queueName.trim() === '' ? {} : { queueName: queueName.trim() }) },
    expiresAt: instantOf(ends) ?? null,
  }
}

export const isWhole = ({ name, hosts }: ConnectorDraft): boolean =>
  name.trim() !== '' && linesOf(hosts).length > 0

interface ConnectorFieldsProps {
  readonly agentId: string
  readonly draft: ConnectorDraft
  readonly onChange: (draft: ConnectorDraft) => void
}

/** Edits a connector, except for its agent. */
export function ConnectorFields({ agentId, draft, onChange }: ConnectorFieldsProps) {
  const variants = useResource(
    async signal => (agentId === '' ? null : api.listVariants({ agentId, branchId: 'main' }, { signal })),
    [agentId],
  )
  const set = (changes: Partial<ConnectorDraft>) => onChange({ ...draft, ...changes })
  return (
    <>
      <TextField
        label={sayCommon('name')}
        value={draft.name}
        onChange={name => set({ name })}
        autofocus
        required
      />
      <TextArea
        label={say('hosts')}
        hint={say('hosts.hint')}
        rows={2}
        value={draft.hosts}
        onChange={hosts => set({ hosts })}
      />
      <EnvironmentSelect value={draft.environment} onChange={environment => set({ environment })} />
      <Select
        label={say('variant')}
        value={draft.variantId}
        onChange={variantId => set({ variantId })}
        options={[
          ['', say('variant.default')],
          ...(variants.value?.variants ?? []).map(({ id, name }) => [id, name] as const),
        ]}
      />
      <Select
        label={say('handoff')}
        value={draft.mode}
        onChange={mode => set({ mode: mode === 'client' ? 'client' : 'server' })}
        options={[
          ['server', say('handoff.server')],
          ['client', say('handoff.client')],
        ]}
      />
      <TextField label={say('queue')} value={draft.queueName} onChange={queueName => set({ queueName })} />
      <TextField
        label={say('expires')}
        hint={say('expires.hint')}
        type="datetime-local"
        value={draft.ends}
        onChange={ends => set({ ends })}
      />
    </>
  )
}
