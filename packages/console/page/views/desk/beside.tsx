import type { DeskNote, DeskSummary, Handoff } from '@colloquy/client/http'
import type { ComponentChildren } from 'preact'
import { standing, withNotes } from '../../data/notes.ts'
import { say as sayNotes } from '../../texts/notes.ts'
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

/** Shows beside a conversation who the visitor is, and the notes about it; below it, folded, where there is no room. */
export function Beside({ handoff, notes = [], summary, children }: BesideProps) {
  const { handoff_id: id } = handoff
  const known = desk.value.summaries.get(id)
  const noted = {
    place: id,
    notes: standing(withNotes(desk.value.notes.get(id) ?? [], notes)),
    write: (note: Parameters<typeof writeNote>[1]) => writeNote(id, note),
  }
  const shown = summary !== undefined && summary.at > (known?.at ?? '') ? summary : known
  return (
    <div class="desk-both">
      <div class="desk-said">
        {shown !== undefined && <Summary id={id} summary={shown} />}
        {children}
      </div>
      <div class="desk-side">
        {isWide.value ? (
          <>
            <Who handoff={handoff} />
            <Notes {...noted} />
          </>
        ) : (
          <details class="desk-notes">
            <summary>
              {sayNotes('title')} {noted.notes.length > 0 && <span class="quiet">{noted.notes.length}</span>}
            </summary>
            <Notes {...noted} isTitled={false} />
          </details>
        )}
      </div>
    </div>
  )
}
