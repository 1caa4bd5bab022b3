import type { SharedReply } from '@colloquy/client/http'
import { api } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { agentOptions, type ListedAgent, useAgents } from '../../data/agents.ts'
import { useWritten } from '../../data/written.ts'
import { say as sayCommon } from '../../texts/common.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { EditedList } from '../../ui/edited-list.tsx'
import { Select, TextArea, TextField } from '../../ui/field.tsx'
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
  const agents = useAgents(accountId).value ?? []
  const agentName = (id: string | null): string =>
    id === null ? say('agent.all') : (agents.find(one => one.agentId === id)?.agentName ?? id)
  return (
    <EditedList
      accountId={accountId}
      texts={{
        ...{ caption: say('replies'), why: say('why'), create: say('new'), none: say('none') },
        ...{ change: say('change'), changeOf: code => say('change.of', { code }) },
        ...{
          remove: say('delete'),
          removeOf: code => say('delete.of', { code }),
          removeWhy: say('delete.why'),
        },
      }}
      read={async signal => (await api.listSharedReplies({}, { signal })).replies}
      keyOf={({ id }) => id}
      nameOf={({ code }) => code}
      columns={[
        { title: say('code'), cell: ({ code }) => <code>/{code}</code> },
        { title: say('text'), cell: ({ text }) => <span class="clipped">{text}</span> },
        { title: say('agent'), cell: ({ project_id }) => agentName(project_id) },
        { title: say('language'), cell: ({ language }) => language ?? '' },
      ]}
      form={(reply, ends) => <ReplyForm reply={reply} agents={agents} {...ends} />}
      remove={({ id: replyId }) => api.deleteSharedReply({ replyId })}
    />
  )
}
