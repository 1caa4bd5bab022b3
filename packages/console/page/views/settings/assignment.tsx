import type { QueueAssignment } from '@colloquy/client/http'
import { api } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { useWritten } from '../../data/written.ts'
import { say } from '../../texts/assignment.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { EditedList } from '../../ui/edited-list.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { Badge } from '../../ui/parts.tsx'

interface FormProps {
  readonly assignment: QueueAssignment | null
  readonly onClose: () => void
  readonly onDone: () => void
}

const MODES = ['round_robin', 'least_busy'] as const

/** Parses skills, which commas separate. */
const skillsOf = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map(one => one.trim())
      .filter(one => one !== ''),
  ),
]

function AssignmentForm({ assignment, onClose, onDone }: FormProps) {
  const known = assignment?.queue_name
  const written = useWritten(`assignment ${known ?? 'new'}`, {
    name: known ?? '',
    mode: assignment?.mode ?? 'round_robin',
    skills: assignment?.skills.join(', ') ?? '',
  })
  const { name, mode, skills } = written.value
  const put = (field: keyof typeof written.value) => (typed: string) => written.change({ [field]: typed })
  const send = useAction(async () => {
    const chosen = MODES.find(one => one === mode) ?? 'round_robin'
    const body = { mode: chosen, skills: skillsOf(skills) }
    await api.replaceQueueAssignment({ queueName: name.trim(), body })
    written.sent()
    onDone()
  })
  return (
    <FormDialog
      title={known === undefined ? say('new') : say('change.of', { name: known })}
      action={say('save')}
      onClose={onClose}
      onSend={() => void send.start()}
      pending={send.pending}
      error={send.error}
      isIncomplete={name.trim() === ''}
    >
      <TextField
        label={say('queue')}
        hint={say('queue.hint')}
        value={name}
        onChange={put('name')}
        disabled={known !== undefined}
        required
      />
      <Select
        label={say('mode')}
        value={mode}
        onChange={put('mode')}
        options={MODES.map(one => [one, say(one)] as const)}
      />
      <TextField
        label={say('skills')}
        hint={say('skills.hint', { language: '{language}' })}
        value={skills}
        onChange={put('skills')}
      />
    </FormDialog>
  )
}

/** To whom the visitors of the queues of an account are offered. */
export const Assignment = ({ accountId }: { readonly accountId: string }) => (
  <EditedList
    accountId={accountId}
    texts={{
      ...{ caption: say('assignment'), why: say('why'), create: say('new'), none: say('none') },
      ...{ change: say('change'), changeOf: name => say('change.of', { name }) },
      ...{
        remove: say('remove'),
        removeOf: name => say('remove.of', { name }),
        removeWhy: say('remove.why'),
      },
    }}
    read={async signal => (await api.listQueueAssignments({}, { signal })).assignments}
    keyOf={({ queue_name }) => queue_name}
    nameOf={({ queue_name }) => queue_name}
    columns={[
      { title: say('queue'), cell: ({ queue_name }) => queue_name },
      { title: say('mode'), cell: ({ mode }) => say(mode) },
      { title: say('skills'), cell: ({ skills }) => <Skills skills={skills} /> },
    ]}
    form={(assignment, ends) => <AssignmentForm assignment={assignment} {...ends} />}
    remove={({ queue_name: queueName }) => api.deleteQueueAssignment({ queueName })}
  />
)

const Skills = ({ skills }: { readonly skills: readonly string[] }) =>
  skills.length === 0 ? (
    <span class="quiet">{say('skills.none')}</span>
  ) : (
    <span class="actions">
      {skills.map(skill => (
        <Badge key={skill}>{skill}</Badge>
      ))}
    </span>
  )
