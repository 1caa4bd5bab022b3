import type { DeskQueue } from '@colloquy/client/http'
import { api } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { useWritten } from '../../data/written.ts'
import { openState } from '../../open-state.ts'
import { say } from '../../texts/hours.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { EditedList } from '../../ui/edited-list.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { Badge } from '../../ui/parts.tsx'
import { DAYS, datesOf, timesOf, timesText } from './hours.ts'

interface FormProps {
  readonly queue: DeskQueue | null
  readonly onClose: () => void
  readonly onDone: () => void
}

const fieldOf = (day: (typeof DAYS)[number]) => `day${day}` as const

function HoursForm({ queue, onClose, onDone }: FormProps) {
  const weekly = queue?.weekly ?? []
  const written = useWritten(`hours ${queue?.queue_name ?? 'new'}`, {
    name: queue?.queue_name ?? '',
    zone: queue?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    holidays: queue?.holidays.join('\n') ?? '',
    ...{ day1: timesText(weekly, 1), day2: timesText(weekly, 2), day3: timesText(weekly, 3) },
    ...{ day4: timesText(weekly, 4), day5: timesText(weekly, 5), day6: timesText(weekly, 6) },
    day7: timesText(weekly, 7),
  })
  const { name, zone, holidays } = written.value
  const put = (field: keyof typeof written.value) => (typed: string) => written.change({ [field]: typed })
  const times = DAYS.map(day => timesOf(day, written.value[fieldOf(day)]))
  const dates = datesOf(holidays)
  const send = useAction(async () => {
    const body = { time_zone: zone.trim(), weekly: times.flatMap(day => day ?? []), holidays: dates ?? [] }
    await api.replaceQueueHours({ queueName: name.trim(), body })
    written.sent()
    onDone()
  })
  return (
    <FormDialog
      title={queue === null ? say('new') : say('change.of', { name: queue.queue_name })}
      action={say('save')}
      onClose={onClose}
      onSend={() => void send.start()}
      pending={send.pending}
      error={send.error}
      isIncomplete={name.trim() === '' || zone.trim() === '' || dates === null || times.includes(null)}
    >
      <TextField
        label={say('queue')}
        hint={say('queue.hint')}
        value={name}
        onChange={put('name')}
        disabled={queue !== null}
        required
      />
      <TextField label={say('zone')} hint={say('zone.hint')} value={zone} onChange={put('zone')} required />
      {DAYS.map((day, at) => (
        <TextField
          key={day}
          label={say(`day.${day}`)}
          {...(day === 1 ? { hint: say('day.hint') } : {})}
          fault={times[at] === null ? say('day.fault') : null}
          value={written.value[fieldOf(day)]}
          onChange={put(fieldOf(day))}
        />
      ))}
      <TextArea
        label={say('holidays')}
        hint={say('holidays.hint')}
        fault={dates === null ? say('holidays.fault') : null}
        value={holidays}
        onChange={put('holidays')}
        rows={3}
      />
    </FormDialog>
  )
}

/** The hours of the queues of an account. */
export const QueueHours = ({ accountId }: { readonly accountId: string }) => (
  <EditedList
    accountId={accountId}
    texts={{
      ...{ caption: say('hours'), why: say('why'), create: say('new'), none: say('none') },
      ...{ change: say('change'), changeOf: name => say('change.of', { name }) },
      ...{
        remove: say('remove'),
        removeOf: name => say('remove.of', { name }),
        removeWhy: say('remove.why'),
      },
    }}
    read={async signal => (await api.listDeskQueues({}, { signal })).queues}
    keyOf={({ queue_name }) => queue_name}
    nameOf={({ queue_name }) => queue_name}
    columns={[
      { title: say('queue'), cell: ({ queue_name }) => queue_name },
      { title: say('zone'), cell: ({ time_zone }) => time_zone },
      {
        title: say('state'),
        cell: queue => <Badge tone={queue.is_open ? 'good' : 'warn'}>{openState(queue)}</Badge>,
      },
    ]}
    form={(queue, ends) => <HoursForm queue={queue} {...ends} />}
    remove={({ queue_name: queueName }) => api.deleteQueueHours({ queueName })}
  />
)
