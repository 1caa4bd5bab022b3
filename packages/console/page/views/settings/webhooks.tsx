import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { usePages } from '../../data/pages.ts'
import { useWritten } from '../../data/written.ts'
import { href } from '../../router.ts'
import { say as sayCommon } from '../../texts/common.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { Checkbox, TextField } from '../../ui/field.tsx'
import { PagedTable } from '../../ui/paged-table.tsx'
import { Badge, Empty } from '../../ui/parts.tsx'
import { Secret } from './secret.tsx'
import { say } from './texts.ts'

export type Endpoint = Awaited<ReturnType<typeof api.readWebhookEndpoint>>
type EventType = Parameters<typeof api.createWebhookEndpoint>[0]['body']['event_types'][number]

const EVENT_TYPES: readonly EventType[] = [
  'conversation.completed',
  'handoff.requested',
  'handoff.accepted',
  'handoff.failed',
  'handoff.returned',
  'handoff.transferred',
  'replay.finished',
  'rollout.ended',
  'alerts.triggered',
  'alerts.resolved',
]

/** A webhook as its form has it. */
export interface WebhookDraft {
  readonly name: string
  readonly url: string
  readonly event_types: readonly EventType[]
  readonly enabled: boolean
}

export const draftOf = ({ name, url, event_types, enabled }: Endpoint): WebhookDraft => ({
  ...{ name, url, enabled },
  event_types: EVENT_TYPES.filter(type => event_types.includes(type)),
})

export const isWhole = ({ name, url, event_types }: WebhookDraft): boolean =>
  name.trim() !== '' && url.trim() !== '' && event_types.length > 0

interface WebhookFieldsProps {
  readonly draft: WebhookDraft
  readonly onChange: (draft: WebhookDraft) => void
}

/** Edits a webhook. */
export function WebhookFields({ draft, onChange }: WebhookFieldsProps) {
  const set = (changes: Partial<WebhookDraft>) => onChange({ ...draft, ...changes })
  const { event_types: chosen } = draft
  return (
    <>
      <TextField
        label={sayCommon('name')}
        value={draft.name}
        onChange={name => set({ name })}
        autofocus
        required
      />
      <TextField
        label={say('url')}
        hint={say('url.hint')}
        value={draft.url}
        onChange={url => set({ url })}
        placeholder="https://"
        required
      />
      <fieldset class="plain">
        <legend>{say('events')}</legend>
        {EVENT_TYPES.map(type => (
          <Checkbox
            key={type}
            label={type}
            value={chosen.includes(type)}
            onChange={isChosen =>
              set({
                event_types: EVENT_TYPES.filter(one => (one === type ? isChosen : chosen.includes(one))),
              })
            }
          />
        ))}
      </fieldset>
      <Checkbox label={say('enabled')} value={draft.enabled} onChange={enabled => set({ enabled })} />
    </>
  )
}

interface NewWebhookProps {
  readonly onClose: () => void
  readonly onMade: (name: string, secret: string) => void
}

function NewWebhook({ onClose, onMade }: NewWebhookProps) {
  const {
    value: draft,
    change,
    sent,
  } = useWritten<WebhookDraft>('webhook new', {
    ...{ name: '', url: '', enabled: true },
    event_types: ['conversation.completed'],
  })
  const create = useAction(async () => {
    const made = await api.createWebhookEndpoint({ body: draft })
    sent()
    onMade(made.name, made.signing_secret)
  })
  return (
    <FormDialog
      title={say('webhooks.new')}
      action={sayCommon('create')}
      onClose={onClose}
      onSend={() => void create.start()}
      pending={create.pending}
      error={create.error}
      isIncomplete={!isWhole(draft)}
    >
      <WebhookFields draft={draft} onChange={change} />
    </FormDialog>
  )
}

/** Shows the webhooks, to which the events of an account are sent. */
export function Webhooks({ accountId }: { readonly accountId: string }) {
  const pages = usePages(
    async (cursor, signal) => {
      const page = await api.listWebhookEndpoints(cursor, { signal })
      return { rows: page.data, cursor: page.cursor ?? null }
    },
    [accountId],
  )
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<{ readonly name: string; readonly secret: string } | null>(null)
  return (
    <section class="stack">
      <div class="actions apart">
        <span class="quiet">{say('webhooks.why')}</span>
        <Button icon="add" kind="main" onClick={() => setMaking(true)}>
          {say('webhooks.new')}
        </Button>
      </div>
      <PagedTable
        pages={pages}
        empty={
          <Empty icon="webhooks" title={say('webhooks.none')}>
            <p>{say('webhooks.none.why')}</p>
          </Empty>
        }
        caption={say('webhooks')}
        keyOf={({ id }) => id}
        columns={[
          {
            title: sayCommon('name'),
            cell: ({ id, name }) => <a href={href(['settings', 'webhooks', id])}>{name || id}</a>,
          },
          { title: say('url'), cell: ({ url }) => <span class="clipped">{url}</span> },
          { title: say('events'), cell: ({ event_types }) => event_types.join(', ') },
          { title: say('state'), cell: endpoint => <EndpointState {...endpoint} /> },
        ]}
      />
      {isMaking && (
        <NewWebhook
          onClose={() => setMaking(false)}
          onMade={(name, secret) => {
            setMaking(false)
            setMade({ name, secret })
            pages.reload()
          }}
        />
      )}
      {made !== null && (
        <Secret
          isReadable
          title={say('webhook.secret', { name: made.name })}
          secret={made.secret}
          onClose={() => setMade(null)}
        />
      )}
    </section>
  )
}

/** Shows whether the endpoint gets events, and why not. */
export function EndpointState({ enabled, disabled_reason }: Endpoint) {
  if (enabled) return <Badge tone="good">{say('active')}</Badge>
  return (
    <>
      <Badge tone="over">{say('disabled')}</Badge>{' '}
      {disabled_reason !== undefined && <span class="quiet small">{say('disabled.gone')}</span>}
    </>
  )
}
