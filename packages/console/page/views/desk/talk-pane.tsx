import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { keepDraft, readDraft } from '../../data/drafts.ts'
import { go } from '../../router.ts'
import { Button } from '../../ui/button.tsx'
import { isComposing } from '../../ui/composing.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { say as sayAssist } from './assist-texts.ts'
import { AttachButton, Attached, useAttaching } from './attaching.tsx'
import { Beside } from './beside.tsx'
import { inserted } from './canned.ts'
import { desk, end, isTakenNow, putAway, say as speak } from './desk-session.ts'
import type { Talk } from './desk-state.ts'
import { Lines } from './lines.tsx'
import { Name } from './queue.tsx'
import { Replies } from './replies.tsx'
import { SlashList, useSlashMenu } from './slash-menu.tsx'
import { Suggestions, useSuggestions } from './suggestions.tsx'
import { say, sayOver } from './texts.ts'
import { Came, Transfer } from './transfer.tsx'
import { WhoButton } from './who.tsx'

/** After how much silence the visitor no longer sees that something is written, milliseconds. */
const REST = 4_000

/** The interval for repeating the typing indicator, milliseconds. It expires after 10 s. */
const AGAIN = 5_000

/** Sends the visitor a typing indicator: repeatedly while the person types, and once when they stop. */
function useTyping(id: string) {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  const told = useRef(0)
  const show = (state: 'started' | 'stopped'): void => {
    // A lost typing indicator harms nobody.
    api.showHandoffTyping({ id, body: { state } }, { retries: 0 }).catch(() => {})
  }
  const stop = (): void => {
    if (timer.current === null) return
    clearTimeout(timer.current)
    timer.current = null
    show('stopped')
  }
  useEffect(() => stop, [id])
  const typed = (): void => {
    const now = Date.now()
    if (timer.current === null || Math.abs(now - told.current) >= AGAIN) {
      told.current = now
      show('started')
    }
    if (timer.current !== null) clearTimeout(timer.current)
    timer.current = setTimeout(stop, REST)
  }
  return { typed, stop }
}

/** Returns the place of the unsent text to a visitor. A person writes to several. */
const placeOf = (id: string): string => `desk ${id}`

function begunIn(place: string): string {
  const draft = readDraft(place)
  return typeof draft === 'string' ? draft : ''
}

function Composer({ id }: { readonly id: string }) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(begunIn(placeOf(id)))
  const [isChoosing, setChoosing] = useState(false)
  const [caret, setCaret] = useState<{ readonly at: number } | null>(null)
  const { typed, stop } = useTyping(id)
  const attaching = useAttaching(id)
  const isEmpty = text.trim() === '' && attaching.items.length === 0
  useEffect(() => {
    if (isTakenNow(id)) field.current?.focus()
  }, [id])
  const write = (next: string): void => {
    keepDraft(placeOf(id), next === '' ? null : next)
    setText(next)
  }
  const send = (): void => {
    if (isEmpty || attaching.isBusy) return
    suggesting.dismiss()
    stop()
    void speak(id, { text: text.trim(), files: attaching.take() })
    write('')
    field.current?.focus()
  }
  /** Takes files of a paste or a drag, which the browser would open in place of the page. */
  const give = (event: Event, data: DataTransfer | null): void => {
    const given = [...(data?.files ?? [])]
    if (given.length === 0 || attaching.takes === null) return
    event.preventDefault()
    attaching.add(given)
  }
  const place = (reply: string, selection: { readonly start: number; readonly end: number }): void => {
    const next = inserted(text, selection, reply)
    write(next.text)
    setChoosing(false)
    setCaret({ at: next.cursor })
  }
  // With the text that it stands in: a frame later it would move under what is typed meanwhile.
  useLayoutEffect(() => {
    if (caret === null) return
    field.current?.focus()
    field.current?.setSelectionRange(caret.at, caret.at)
  }, [caret])
  const insert = (reply: string): void => {
    const { selectionStart: start = text.length, selectionEnd: end = text.length } = field.current ?? {}
    place(reply, { start, end })
  }
  const menu = useSlashMenu(id, place)
  const suggesting = useSuggestions(id)
  const { offered } = menu
  return (
    <form
      class="composer"
      onSubmit={event => {
        event.preventDefault()
        send()
      }}
      onPaste={event => give(event, event.clipboardData)}
      onDragOver={event => {
        if (attaching.takes !== null) event.preventDefault()
      }}
      onDrop={event => give(event, event.dataTransfer)}
    >
      <SlashList menu={menu} />
      <Suggestions
        suggesting={suggesting}
        onChoose={reply => {
          suggesting.dismiss()
          insert(reply)
        }}
      />
      <textarea
        ref={field}
        rows={3}
        value={text}
        aria-label={say('message')}
        placeholder={say('message')}
        aria-autocomplete="list"
        aria-controls={offered === null || offered.length === 0 ? undefined : menu.listId}
        aria-activedescendant={
          offered === null || offered.length === 0 ? undefined : menu.optionId(menu.chosen)
        }
        onInput={event => {
          const { selectionStart, value } = event.currentTarget
          write(value)
          menu.look(value, selectionStart)
          typed()
        }}
        onKeyDown={event => {
          if (menu.key(event)) return
          if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return
          event.preventDefault()
          send()
        }}
      />
      <Attached attaching={attaching} />
      <div class="actions apart">
        <div class="actions">
          <Button kind="bare" icon="replies" act="replies" onClick={() => setChoosing(true)}>
            {say('replies')}
          </Button>
          <AttachButton attaching={attaching} />
          {desk.value.canSuggest && (
            <Button
              kind="bare"
              icon="suggest"
              act="suggest"
              disabled={suggesting.isPending}
              onClick={suggesting.ask}
            >
              {sayAssist('suggest')}
            </Button>
          )}
        </div>
        <Button kind="main" icon="send" type="submit" disabled={isEmpty || attaching.isBusy}>
          {say('send')}
        </Button>
      </div>
      {isChoosing && <Replies onChoose={insert} onClose={() => setChoosing(false)} />}
    </form>
  )
}

/** A conversation with a visitor whom this person has taken. */
export function TalkPane({ talk }: { readonly talk: Talk }) {
  const { handoff, lines, isTyping, over } = talk
  const id = handoff.handoff_id
  const [asking, setAsking] = useState<'leave' | 'return' | 'transfer' | null>(null)
  const close = (): void => setAsking(null)
  return (
    <section class="desk-talk">
      <header class="desk-head actions apart">
        <Name handoff={handoff} />
        {over === null ? (
          <div class="actions desk-acts">
            <WhoButton handoff={handoff} />
            <Button icon="transfer" onClick={() => setAsking('transfer')}>
              {say('transfer')}
            </Button>
            {handoff.can_return && (
              <Button icon="undo" onClick={() => setAsking('return')}>
                {say('return')}
              </Button>
            )}
            <Button icon="leave" act="leave" onClick={() => setAsking('leave')}>
              {say('leave')}
            </Button>
          </div>
        ) : (
          <Button
            icon="close"
            onClick={() => {
              go(['desk'])
              putAway(id)
            }}
          >
            {say('put-away')}
          </Button>
        )}
      </header>
      <Came handoff={handoff} />
      <Beside handoff={handoff}>
        <Lines
          id={id}
          lines={lines}
          isTyping={isTyping}
          onAgain={({ files, id: lineId, text }) =>
            void speak(id, { text, ...(files && { files }), ...(lineId === null ? {} : { id: lineId }) })
          }
        />
        {over === null ? (
          <Composer id={id} />
        ) : (
          <p class="note" role="status">
            {over.with === undefined ? sayOver(over.reason) : say('is-with', { name: over.with })}
          </p>
        )}
      </Beside>
      {asking === 'transfer' && <Transfer id={id} onClose={close} />}
      {(asking === 'leave' || asking === 'return') && (
        <Confirm
          title={say(`${asking}.title`)}
          why={say(`${asking}.why`)}
          action={say(asking)}
          isDangerous={asking === 'leave'}
          onClose={close}
          run={() => end(talk, asking)}
          onDone={close}
        />
      )}
    </section>
  )
}
