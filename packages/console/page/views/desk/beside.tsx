import type { DeskNote } from '@colloquy/client/http'
import type { ComponentChildren } from 'preact'
import { withNotes } from '../../data/notes.ts'
import { Notes } from '../../ui/notes.tsx'
import { desk, writeNote } from './desk-session.ts'

interface BesideProps {
  readonly id: string
  /** Notes that were read by others than the stream. @default none */
  readonly notes?: readonly DeskNote[]
  readonly children: ComponentChildren
}

/** Shows the notes about a conversation beside it. */
export const Beside = ({ id, notes = [], children }: BesideProps) => (
  <div class="desk-both">
    <div class="desk-said">{children}</div>
    <Notes
      place={id}
      notes={withNotes(desk.value.notes.get(id) ?? [], notes)}
      write={note => writeNote(id, note)}
    />
  </div>
)
