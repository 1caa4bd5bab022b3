import type { DeskNote, Handoff } from '@colloquy/client/http'
import type { ComponentChildren } from 'preact'
import { withNotes } from '../../data/notes.ts'
import { Notes } from '../../ui/notes.tsx'
import { desk, writeNote } from './desk-session.ts'
import { isWide, Who } from './who.tsx'

interface BesideProps {
  readonly handoff: Handoff
  /** Notes that were read by others than the stream. @default none */
  readonly notes?: readonly DeskNote[]
  readonly children: ComponentChildren
}

/** Shows beside a conversation who the visitor is, and the notes about it. */
export function Beside({ handoff, notes = [], children }: BesideProps) {
  const { handoff_id: id } = handoff
  return (
    <div class="desk-both">
      <div class="desk-said">{children}</div>
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
