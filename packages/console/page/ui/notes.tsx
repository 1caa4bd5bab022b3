import type { DeskNote } from '@colloquy/client/http'
import { useEffect, useRef } from 'preact/hooks'
import { useAction } from '../data/action.ts'
import { newId } from '../data/new-id.ts'
import { standing } from '../data/notes.ts'
import { useWritten } from '../data/written.ts'
import { me } from '../session.ts'
import { say as sayCommon } from '../texts/common.ts'
import { say } from '../texts/notes.ts'
import { Button, IconButton } from './button.tsx'
import { Failure } from './failure.tsx'
import { TextArea } from './field.tsx'
import { Time } from './parts.tsx'

interface NotesProps {
  readonly notes: readonly DeskNote[]
  /** Names the conversation: what is begun is kept by it. */
  readonly place: string
  /** Writes a note, or changes that of a number. What was sent again has the same id. */
  readonly write: (note: {
    readonly text: string
    readonly note_id: string
    readonly changes?: number
  }) => Promise<unknown>
  /** @default true */
  readonly isTitled?: boolean
}

/** Shows what colleagues noted about a conversation. Takes a new note, and changes to the person's own. */
export function Notes({ notes: all, place, write, isTitled = true }: NotesProps) {
  const notes = standing(all)
  const list = useRef<HTMLDivElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const written = useWritten(`notes ${place}`, { text: '', edited: '' })
  const { text } = written.value
  const edited = notes.find(({ note_id }) => note_id === written.value.edited)
  // A note that may have arrived keeps its id until its text changes.
  const sent = useRef({ text: '', id: '' })
  const change = async ({ note_id, number }: DeskNote, words: string): Promise<void> => {
    await write({ text: words, note_id, changes: number })
    written.sent()
  }
  const removing = useAction(async () => edited && change(edited, ''))
  const adding = useAction(async () => {
    const trimmed = text.trim()
    if (edited !== undefined) return change(edited, trimmed)
    if (sent.current.text !== trimmed) sent.current = { text: trimmed, id: newId() }
    await write({ text: trimmed, note_id: sent.current.id })
    sent.current = { text: '', id: '' }
    written.sent()
  })
  useEffect(() => {
    const element = list.current
    if (element !== null) element.scrollTop = element.scrollHeight
  }, [notes.length])
  return (
    <section class="notes stack" aria-label={say('title')}>
      {isTitled && (
        <h2>
          {say('title')} {notes.length > 0 && <span class="quiet">{notes.length}</span>}
        </h2>
      )}
      {notes.length === 0 ? (
        <p class="quiet small">{say('none')}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <div class="notes-list" ref={list} role="log" aria-label={say('title')} tabIndex={0}>
          {notes.map(note => (
            <div key={note.number}>
              <p class="quiet small">
                {note.author.name} · <Time at={note.at} />
                {note.changed_at !== undefined && <> · {say('edited')}</>}
                {note.author.id === me.value?.person.id && (
                  <IconButton
                    icon="edit"
                    label={say('edit')}
                    onClick={() => {
                      written.change({ text: note.text, edited: note.note_id })
                      form.current?.querySelector('textarea')?.focus()
                    }}
                  />
                )}
              </p>
              <p class="notes-text">{note.text}</p>
            </div>
          ))}
        </div>
      )}
      <form
        class="stack tight"
        ref={form}
        onSubmit={event => {
          event.preventDefault()
          if (text.trim() !== '') void adding.start()
        }}
      >
        <TextArea
          label={say(edited === undefined ? 'new' : 'edit')}
          value={text}
          onChange={next => written.change({ text: next })}
          rows={2}
          hint={say('why')}
        />
        <Failure error={adding.error ?? removing.error} />
        <div class="actions">
          <Button type="submit" disabled={adding.pending || text.trim() === ''}>
            {say(edited === undefined ? 'add' : 'save')}
          </Button>
          {edited !== undefined && (
            <>
              <Button onClick={() => void removing.start()} disabled={removing.pending}>
                {say('remove')}
              </Button>
              <Button onClick={written.sent}>{sayCommon('cancel')}</Button>
            </>
          )}
        </div>
      </form>
    </section>
  )
}
