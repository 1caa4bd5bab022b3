import type { DeskQueue } from '@colloquy/client/http'
import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { useResource } from '../../data/resource.ts'
import { useWritten } from '../../data/written.ts'
import { openState } from '../../open-state.ts'
import { say } from '../../texts/hours.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { Badge, Empty, Pending, Table } from '../../ui/parts.tsx'
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
export function QueueHours({ accountId }: { readonly accountId: string }) {
  const { value, error, reload } = useResource(
    async signal => (await api.listDeskQueues({}, { signal })).queues,
    [accountId],
  )
  const [form, setForm] = useState<DeskQueue | 'new' | null>(null)
  const [removed, setRemoved] = useState<DeskQueue | null>(null)
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
          caption={say('hours')}
          rows={value}
          keyOf={({ queue_name }) => queue_name}
          isStacked
          columns={[
            { title: say('queue'), cell: ({ queue_name }) => queue_name },
            { title: say('zone'), cell: ({ time_zone }) => time_zone },
            {
              title: say('state'),
              cell: queue => <Badge tone={queue.is_open ? 'good' : 'warn'}>{openState(queue)}</Badge>,
            },
            {
              title: '',
              cell: queue => (
                <div class="actions">
                  <Button
                    kind="bare"
                    label={say('change.of', { name: queue.queue_name })}
                    onClick={() => setForm(queue)}
                  >
                    {say('change')}
                  </Button>
                  <Button
                    kind="bare"
                    label={say('remove.of', { name: queue.queue_name })}
                    onClick={() => setRemoved(queue)}
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
        <HoursForm
          queue={form === 'new' ? null : form}
          onClose={() => setForm(null)}
          onDone={() => {
            setForm(null)
            reload()
          }}
        />
      )}
      {removed !== null && (
        <Confirm
          title={say('remove.of', { name: removed.queue_name })}
          why={say('remove.why')}
          action={say('remove')}
          onClose={() => setRemoved(null)}
          run={() => api.deleteQueueHours({ queueName: removed.queue_name })}
          onDone={() => {
            setRemoved(null)
            reload()
          }}
        />
      )}
    </section>
  )
}
