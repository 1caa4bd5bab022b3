import type { Handoff } from '@colloquy/client/http'
import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { useResource } from '../../data/resource.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { desk, transfer } from './desk-session.ts'
import { say } from './texts.ts'

/** From which colleague a visitor came, and why. */
export const Came = ({ handoff: { transferred } }: { readonly handoff: Handoff }) =>
  transferred === undefined ? null : (
    <p class="note small">
      {say('came', { name: transferred.from.name })}
      {transferred.reason !== '' && `: ${transferred.reason}`}
    </p>
  )

/** Chooses the target of a transfer. */
export function Transfer({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { value, error, reload } = useResource(signal => api.listColleagues({}, { signal }), [])
  const [to, setTo] = useState('')
  const [reason, setReason] = useState('')
  const others = (value?.colleagues ?? []).filter(one => one.id !== desk.value.me && one.away_since === null)
  const known = [...desk.value.handoffs.values()].map(({ queue_name }) => queue_name)
  // A live agent without a list of queues serves all.
  const queues = others.some(one => one.queues === null) ? known : []
  const served = [...new Set([...queues, ...others.flatMap(one => one.queues ?? [])])].sort()
  const options = [
    ...others.map(one => [`@${one.id}`, `${one.name} (${one.talks})`] as const),
    ...served.map(name => [`#${name}`, say('queue', { name })] as const),
  ]
  const chosen = to === '' ? (options[0]?.[0] ?? '') : to
  const sending = useAction(async () => {
    const name = chosen.slice(1)
    await transfer(id, { ...(chosen[0] === '@' ? { agent_id: name } : { queue_name: name }), reason })
    onClose()
  })
  return (
    <FormDialog
      title={say('transfer.title')}
      action={say('transfer')}
      onClose={onClose}
      onSend={() => void sending.start()}
      pending={sending.pending}
      error={sending.error}
      isIncomplete={chosen === ''}
    >
      <Failure error={error} again={reload} />
      {value !== undefined && others.length === 0 ? (
        <p>{say('transfer.none')}</p>
      ) : (
        <>
          <Select label={say('transfer.to')} value={chosen} onChange={setTo} options={options} />
          <TextField label={say('reason')} value={reason} onChange={setReason} hint={say('transfer.why')} />
        </>
      )}
    </FormDialog>
  )
}
