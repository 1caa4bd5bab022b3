import { useLayoutEffect, useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { go, href, route } from '../../router.ts'
import { account, me } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Table } from '../../ui/parts.tsx'
import { ClosedQueues } from './closed-queues.tsx'
import { Colleagues } from './colleagues.tsx'
import { desk, look, openDesk, setAway, sound, take } from './desk-session.ts'
import { besides, nextOf, takenByOthers, waitingOf } from './desk-state.ts'
import { DeskTabs, Figures } from './figures.tsx'
import { allowNotices, hasNotices, notices } from './notices.ts'
import { Preview } from './preview.tsx'
import { Queue } from './queue.tsx'
import { actOf, SHORTCUTS } from './shortcuts.ts'
import { TalkPane } from './talk-pane.tsx'
import { say } from './texts.ts'

function Help({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title={say('shortcuts')} onClose={onClose}>
      <Table
        caption={say('shortcuts')}
        rows={SHORTCUTS}
        keyOf={({ act }) => act}
        columns={[
          { title: say('key'), cell: ({ keys }) => <kbd>{keys}</kbd> },
          { title: say('does'), cell: ({ act }) => say(`shortcut.${act}`) },
        ]}
      />
    </Dialog>
  )
}

/** Shows the choices for this device when somebody comes. System notifications need the person's permission first. */
function Choices() {
  const [isRefused, setRefused] = useState(false)
  const change = async (isOn: boolean): Promise<void> => {
    const isAllowed = !isOn || (await allowNotices())
    notices.value = isOn && isAllowed ? 'on' : 'off'
    setRefused(!isAllowed)
  }
  return (
    <>
      <Checkbox
        label={say('sound')}
        value={sound.value === 'on'}
        onChange={isOn => {
          sound.value = isOn ? 'on' : 'off'
        }}
      />
      {hasNotices && (
        <Checkbox
          label={say('notices')}
          value={notices.value === 'on'}
          onChange={isOn => void change(isOn)}
        />
      )}
      {isRefused && (
        <p class="fault small" role="alert">
          {say('notices.refused')}
        </p>
      )}
    </>
  )
}

function Pane({ id }: { readonly id: string }) {
  const talk = desk.value.talks.get(id)
  return talk === undefined ? <Preview key={id} id={id} /> : <TalkPane key={id} talk={talk} />
}

const press = (name: string): void => document.querySelector<HTMLElement>(`[data-act="${name}"]`)?.click()

/** Shows the desk, or for operators its figures. */
export function View() {
  const isOperator = me.value?.person.roles.includes('operator') === true
  return isOperator && route.value.path[1] === 'figures' ? <Figures /> : <Visitors isOperator={isOperator} />
}

/** Shows waiting visitors, this person's talks, and the open conversation. */
function Visitors({ isOperator }: { readonly isOperator: boolean }) {
  const [, id] = route.value.path
  const [isHelpOpen, setHelpOpen] = useState(false)
  // Applies at once: effects after the next frame would let keys and messages slip in between.
  useLayoutEffect(openDesk, [account.value?.id, me.value?.person.id])
  useLayoutEffect(() => {
    look(id ?? null)
    return () => look(null)
  }, [id])
  const taking = useAction(async (handoffId: string) => {
    await take(handoffId)
    go(['desk', handoffId])
  })
  const isAway = desk.value.pausing.has(desk.value.me)
  const pausing = useAction(setAway)
  const first = nextOf(desk.value)
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const act = actOf(event)
      if (act === null || document.querySelector('dialog[open]') !== null) return
      event.preventDefault()
      if (act === 'help') setHelpOpen(true)
      else if (act === 'next') {
        const next = nextOf(desk.value)
        if (next !== undefined) void taking.start(next.handoff_id)
      } else if (act === 'down' || act === 'up') {
        const other = besides(desk.value, id, act === 'down' ? 1 : -1)
        if (other !== null) go(['desk', other])
      } else if (act === 'write') document.querySelector<HTMLElement>('.composer textarea')?.focus()
      else press(act)
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [id])
  return (
    <Page
      title={say('title')}
      actions={
        <>
          <Choices />
          {!isAway && (
            <Button icon="clock" disabled={pausing.pending} onClick={() => void pausing.start(true)}>
              {say('away.go')}
            </Button>
          )}
          <Button kind="bare" icon="keyboard" onClick={() => setHelpOpen(true)}>
            {say('shortcuts')}
          </Button>
        </>
      }
    >
      {!desk.value.isLive && desk.value.handoffs.size > 0 && (
        <p class="note" role="status">
          {say('lost')}
        </p>
      )}
      {isOperator && <DeskTabs current="desk" />}
      {isAway && (
        <div class="note actions apart" role="status">
          <span>{say('away.is')}</span>
          <Button kind="main" disabled={pausing.pending} onClick={() => void pausing.start(false)}>
            {say('away.back')}
          </Button>
        </div>
      )}
      <Failure error={taking.error ?? pausing.error} />
      <div class={id === undefined ? 'desk' : 'desk open'}>
        <div class="desk-lists stack">
          <ClosedQueues />
          <Queue
            title={say('waiting')}
            empty={say('waiting.none')}
            current={id}
            handoffs={waitingOf(desk.value)}
          >
            {first !== undefined && (
              <Button
                kind="main"
                icon="take"
                disabled={taking.pending}
                onClick={() => void taking.start(first.handoff_id)}
              >
                {say('take.next')}
              </Button>
            )}
          </Queue>
          <Queue
            title={say('mine')}
            empty={say('mine.none')}
            current={id}
            handoffs={[...desk.value.talks.values()].map(({ handoff }) => handoff)}
          />
          {takenByOthers(desk.value).length > 0 && (
            <Queue title={say('others')} empty="" current={id} handoffs={takenByOthers(desk.value)} />
          )}
          <Colleagues />
        </div>
        <div class="desk-pane">
          {id === undefined ? (
            <Empty icon="desk" title={say('choose')} />
          ) : (
            <>
              <a class="desk-back" href={href(['desk'])} aria-label={say('back')}>
                <Icon name="back" />
              </a>
              <Pane id={id} />
            </>
          )}
        </div>
      </div>
      {isHelpOpen && <Help onClose={() => setHelpOpen(false)} />}
    </Page>
  )
}
