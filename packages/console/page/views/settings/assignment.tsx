import type { QueueAssignment } from '@colloquy/client/http'
import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { useResource } from '../../data/resource.ts'
import { useWritten } from '../../data/written.ts'
import { say } from '../../texts/assignment.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { Badge, Empty, Pending, Table } from '../../ui/parts.tsx'

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
      <TextField label={say('skills')} hint={say('skills.hint')} value={skills} onChange={put('skills')} />
    </FormDialog>
  )
}

/** To whom the visitors of the queues of an account are offered. */
export function Assignment({ accountId }: { readonly accountId: string }) {
  const { value, error, reload } = useResource(
    async signal => (await api.listQueueAssignments({}, { signal })).assignments,
    [accountId],
  )
  const [form, setForm] = useState<QueueAssignment | 'new' | null>(null)
  const [removed, setRemoved] = useState<QueueAssignment | null>(null)
  const done = (): void => {
    setForm(null)
    setRemoved(null)
    reload()
  }
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
          caption={say('assignment')}
          rows={value}
          keyOf={({ queue_name }) => queue_name}
          isStacked
          columns={[
            { title: say('queue'), cell: ({ queue_name }) => queue_name },
            { title: say('mode'), cell: ({ mode }) => say(mode) },
            {
              title: say('skills'),
              cell: ({ skills }) =>
                skills.length === 0 ? (
                  <span class="quiet">{say('skills.none')}</span>
                ) : (
                  <span class="actions">
                    {skills.map(skill => (
                      <Badge key={skill}>{skill}</Badge>
                    ))}
                  </span>
                ),
            },
            {
              title: '',
              cell: one => (
                <div class="actions">
                  <Button
                    kind="bare"
                    label={say('change.of', { name: one.queue_name })}
                    onClick={() => setForm(one)}
                  >
                    {say('change')}
                  </Button>
                  <Button
                    kind="bare"
                    label={say('remove.of', { name: one.queue_name })}
                    onClick={() => setRemoved(one)}
                  >
                    {say('remove')}
                  </Button>
                </div>
              ),
            },
          ]}
        />
      )}
      {form !== null && (
        <AssignmentForm
          assignment={form === 'new' ? null : form}
          onClose={() => setForm(null)}
          onDone={done}
        />
      )}
      {removed !== null && (
        <Confirm
          title={say('remove.of', { name: removed.queue_name })}
          why={say('remove.why')}
          action={say('remove')}
          onClose={() => setRemoved(null)}
          run={() => api.deleteQueueAssignment({ queueName: removed.queue_name })}
          onDone={done}
        />
      )}
    </section>
  )
}
