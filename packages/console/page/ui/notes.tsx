import type { DeskNote } from '@colloquy/client/http'
import { useEffect, useRef } from 'preact/hooks'
import { useAction } from '../data/action.ts'
import { newId } from '../data/new-id.ts'
import { useWritten } from '../data/written.ts'
import { say } from '../texts/notes.ts'
import { Button } from './button.tsx'
import { Failure } from './failure.tsx'
import { TextArea } from './field.tsx'
import { Time } from './parts.tsx'

interface NotesProps {
  readonly notes: readonly DeskNote[]
  /** Names the conversation: what is begun is kept by it. */
  readonly place: string
  /** Writes a note. What was sent again has the same id. */
  readonly write: (note: { readonly text: string; readonly note_id: string }) => Promise<unknown>
  /** @default true */
  readonly isTitled?: boolean
}

/** Shows what colleagues noted about a conversation, and takes a new note. */
export function Notes({ notes, place, write, isTitled = true }: NotesProps) {
  const list = useRef<HTMLDivElement>(null)
  const written = useWritten(`notes ${place}`, { text: '' })
  const { text } = written.value
  // A note that may have arrived keeps its id until its text changes.
  const sent = useRef({ text: '', id: '' })
  const adding = useAction(async () => {
    const trimmed = text.trim()
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
              </p>
              <p class="notes-text">{note.text}</p>
            </div>
          ))}
        </div>
      )}
      <form
        class="stack tight"
        onSubmit={event => {
          event.preventDefault()
          if (text.trim() !== '') void adding.start()
        }}
      >
        <TextArea
          label={say('new')}
          value={text}
          onChange={next => written.change({ text: next })}
          rows={2}
          hint={say('why')}
        />
        <Failure error={adding.error} />
        <div class="actions">
          <Button type="submit" disabled={adding.pending || text.trim() === ''}>
            {say('add')}
          </Button>
        </div>
      </form>
    </section>
  )
}
