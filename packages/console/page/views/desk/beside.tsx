import type { DeskNote, DeskSummary, Handoff } from '@colloquy/client/http'
import type { ComponentChildren } from 'preact'
import { withNotes } from '../../data/notes.ts'
import { Notes } from '../../ui/notes.tsx'
import { desk, writeNote } from './desk-session.ts'
import { Summary } from './summary.tsx'
import { isWide, Who } from './who.tsx'

interface BesideProps {
  readonly handoff: Handoff
  /** Notes that were read by others than the stream. @default none */
  readonly notes?: readonly DeskNote[]
  /** A summary that was read by others than the stream. @default none */
  readonly summary?: DeskSummary | undefined
  readonly children: ComponentChildren
}

/** Shows beside a conversation who the visitor is, and the notes about it. */
export function Beside({ handoff, notes = [], summary, children }: BesideProps) {
  const { handoff_id: id } = handoff
  const known = desk.value.summaries.get(id)
  const shown = summary !== undefined && summary.at > (known?.at ?? '') ? summary : known
  return (
    <div class="desk-both">
      <div class="desk-said">
        {shown !== undefined && <Summary id={id} summary={shown} />}
        {children}
      </div>
      <div class="desk-side">
        {isWide.value && <Who handoff={handoff} />}
        <Notes
          place={id}
          notes={withNotes(desk.value.notes.get(id) ?? [], notes)}
          write={note => writeNote(id, note)}
        />
      </div>
    </div>
  )
}
