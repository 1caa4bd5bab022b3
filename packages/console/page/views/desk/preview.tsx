import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { useWatched } from '../../data/watched.ts'
import { go } from '../../router.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { TextField } from '../../ui/field.tsx'
import { Empty, Pending } from '../../ui/parts.tsx'
import { Beside } from './beside.tsx'
import { decline, desk, take } from './desk-session.ts'
import { isForOther } from './desk-state.ts'
import { Lines } from './lines.tsx'
import { Name } from './queue.tsx'
import { say } from './texts.ts'
import { Came } from './transfer.tsx'
import { WhoButton } from './who.tsx'

/** Interval at which somebody else's open conversation is read again, milliseconds. */
const PACE = 3_000

function Refusal({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const [reason, setReason] = useState('')
  const refusing = useAction(async () => {
    await api.rejectHandoff({ id, body: reason === '' ? {} : { reason } })
    onClose()
    go(['desk'])
  })
  return (
    <FormDialog
      title={say('refuse')}
      action={say('refuse')}
      isDangerous
      onClose={onClose}
      onSend={() => void refusing.start()}
      pending={refusing.pending}
      error={refusing.error}
    >
      <p>{say('refuse.why')}</p>
      <TextField label={say('reason')} value={reason} onChange={setReason} autofocus />
    </FormDialog>
  )
}

/** Shows a visitor whom this person has not taken: what was said so far. */
export function Preview({ id }: { readonly id: string }) {
  const known = desk.value.handoffs.get(id)
  const [isRefusing, setRefusing] = useState(false)
  // The desk's stream only reports visitors, so other people's messages are polled.
  const { value, error, reload } = useWatched(
    signal => api.readHandoff({ id }, { signal }),
    [id, known?.status],
    PACE,
  )
  const [isTakingOver, setTakingOver] = useState(false)
  const taking = useAction(() => take(id))
  const declining = useAction(() => decline(id))
  if (known === undefined && value?.status === 'over')
    return (
      <Empty icon="desk" title={say('gone')}>
        <p>{say('gone.why')}</p>
      </Empty>
    )
  const handoff = known ?? value
  const isOthers = known !== undefined && known.status !== 'active' && isForOther(desk.value, known)
  const name = (isOthers ? known.offered_to?.name : known?.agent?.name) ?? ''
  return (
    <section class="desk-talk">
      <header class="desk-head actions apart">
        {handoff === undefined ? <h2>{say('visitor')}</h2> : <Name handoff={handoff} />}
        {known !== undefined && known.status !== 'active' && (
          <div class="actions">
            <WhoButton handoff={known} />
            <Button kind="danger" icon="refuse" onClick={() => setRefusing(true)}>
              {say('refuse')}
            </Button>
            {known.offered_to?.id === desk.value.me && (
              <Button icon="transfer" disabled={declining.pending} onClick={() => void declining.start()}>
                {say('decline')}
              </Button>
            )}
            <Button
              kind={isOthers ? 'plain' : 'main'}
              icon="take"
              disabled={taking.pending}
              onClick={() => (isOthers ? setTakingOver(true) : void taking.start())}
            >
              {say('take')}
            </Button>
          </div>
        )}
        {known?.status === 'active' && (
          <div class="actions">
            <p>{say('with', { name })}</p>
            <WhoButton handoff={known} />
            <Button icon="take" onClick={() => setTakingOver(true)}>
              {say('take-over')}
            </Button>
          </div>
        )}
      </header>
      {handoff !== undefined && <Came handoff={handoff} />}
      <Failure error={taking.error ?? declining.error} />
      <Failure error={error} again={reload} />
      {value === undefined && error === null && <Pending />}
      {value !== undefined && (
        <Beside handoff={handoff ?? value} notes={value.notes} summary={value.summary}>
          <Lines id={id} lines={value.transcript.map(line => ({ ...line, id: null, state: 'done' }))} />
        </Beside>
      )}
      {isTakingOver && isOthers && (
        <Confirm
          title={say('take-offered.title', { name })}
          why={say('take-offered.why', { name })}
          action={say('take')}
          onClose={() => setTakingOver(false)}
          run={() => take(id, true)}
          onDone={() => setTakingOver(false)}
        />
      )}
      {isTakingOver && known?.status === 'active' && (
        <Confirm
          title={say('take-over.title', { name })}
          why={say('take-over.why', { name })}
          action={say('take-over')}
          onClose={() => setTakingOver(false)}
          run={() => take(id, true)}
          onDone={() => setTakingOver(false)}
        />
      )}
      {isRefusing && <Refusal id={id} onClose={() => setRefusing(false)} />}
    </section>
  )
}
