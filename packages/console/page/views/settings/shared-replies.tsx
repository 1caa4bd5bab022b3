import type { SharedReply } from '@colloquy/client/http'
import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { agentOptions, type ListedAgent, useAgents } from '../../data/agents.ts'
import { useResource } from '../../data/resource.ts'
import { useWritten } from '../../data/written.ts'
import { say as sayCommon } from '../../texts/common.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Select, TextArea, TextField } from '../../ui/field.tsx'
import { Empty, Pending, Table } from '../../ui/parts.tsx'
import { say } from './reply-texts.ts'

/** Stands for itself: the texts of a hint name placeholders. */
const PLACEHOLDERS = { visitor: '{visitor}', agent: '{agent}', me: '{me}' }

interface FormProps {
  readonly reply: SharedReply | null
  readonly agents: readonly ListedAgent[]
  readonly onClose: () => void
  readonly onDone: () => void
}

function ReplyForm({ reply, agents, onClose, onDone }: FormProps) {
  const written = useWritten(`shared reply ${reply?.id ?? 'new'}`, {
    code: reply?.code ?? '',
    text: reply?.text ?? '',
    language: reply?.language ?? '',
    agentId: reply?.project_id ?? '',
  })
  const { code, text, language, agentId } = written.value
  const put = (field: keyof typeof written.value) => (typed: string) => written.change({ [field]: typed })
  const send = useAction(async () => {
    const body = { code: code.trim(), text, language: language.trim() || null, project_id: agentId || null }
    if (reply === null) await api.createSharedReply({ body })
    else await api.updateSharedReply({ replyId: reply.id, body })
    written.sent()
    onDone()
  })
  return (
    <FormDialog
      title={reply === null ? say('new') : say('change.of', { code: reply.code })}
      action={reply === null ? sayCommon('create') : say('save')}
      onClose={onClose}
      onSend={() => void send.start()}
      pending={send.pending}
      error={send.error}
      isIncomplete={code.trim() === '' || text === ''}
    >
      <TextField
        label={say('code')}
        hint={say('code.hint')}
        value={code}
        onChange={put('code')}
        autofocus
        required
      />
      <TextArea
        label={say('text')}
        hint={say('text.hint', PLACEHOLDERS)}
        value={text}
        onChange={put('text')}
        rows={5}
      />
      <Select
        label={say('agent')}
        value={agentId}
        onChange={put('agentId')}
        options={[['', say('agent.all')], ...agentOptions(agents)]}
      />
      <TextField
        label={say('language')}
        hint={say('language.hint')}
        value={language}
        onChange={put('language')}
      />
    </FormDialog>
  )
}

/** The replies that the live agents of an account share. */
export function SharedReplies({ accountId }: { readonly accountId: string }) {
  const { value, error, reload } = useResource(
    async signal => (await api.listSharedReplies({}, { signal })).replies,
    [accountId],
  )
  const agents = useAgents(accountId).value ?? []
  const [form, setForm] = useState<SharedReply | 'new' | null>(null)
  const [removed, setRemoved] = useState<SharedReply | null>(null)
  const nameOf = (id: string | null): string =>
    id === null ? say('agent.all') : (agents.find(one => one.agentId === id)?.agentName ?? id)
  return (
    <section class="stack">
      <div class="actions apart">
        <span class="quiet">{say('why')}</span>
        <Button kind="main" onClick={() => setForm('new')}>
          {say('new')}
        </Button>
      </div>
      <Failure error={error} again={reload} />
      {value === undefined && error === null && <Pending />}
      {value?.length === 0 && <Empty icon="desk" title={say('none')} />}
      {value !== undefined && value.length > 0 && (
        <Table
          caption={say('replies')}
          rows={value}
          keyOf={({ id }) => id}
          isStacked
          columns={[
            { title: say('code'), cell: ({ code }) => <code>/{code}</code> },
            { title: say('text'), cell: ({ text }) => <span class="clipped">{text}</span> },
            { title: say('agent'), cell: ({ project_id }) => nameOf(project_id) },
            { title: say('language'), cell: ({ language }) => language ?? '' },
            {
              title: '',
              cell: reply => (
                <div class="actions">
                  <Button
                    kind="bare"
                    label={say('change.of', { code: reply.code })}
                    onClick={() => setForm(reply)}
                  >
                    {say('change')}
                  </Button>
                  <Button
                    kind="bare"
                    label={say('delete.of', { code: reply.code })}
                    onClick={() => setRemoved(reply)}
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
        <ReplyForm
          reply={form === 'new' ? null : form}
          agents={agents}
          onClose={() => setForm(null)}
          onDone={() => {
            setForm(null)
            reload()
          }}
        />
      )}
      {removed !== null && (
        <Confirm
          title={say('delete.of', { code: removed.code })}
          why={say('delete.why')}
          action={say('delete')}
          onClose={() => setRemoved(null)}
          run={() => api.deleteSharedReply({ replyId: removed.id })}
          onDone={() => {
            setRemoved(null)
            reload()
          }}
        />
      )}
    </section>
  )
}
