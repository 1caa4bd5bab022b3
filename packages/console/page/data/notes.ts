import type { DeskNote } from '@colloquy/client/http'

/** Those that their writers have not taken back. */
export const standing = (notes: readonly DeskNote[]): readonly DeskNote[] =>
  notes.filter(({ text }) => text !== '')

/** Notes of a conversation with others of it, each once as it is last, in the order in which they were written. */
export function withNotes(known: readonly DeskNote[], more: readonly DeskNote[]): readonly DeskNote[] {
  const fresh = more.filter(
    one => !known.some(({ note_id, number }) => note_id === one.note_id && number >= one.number),
  )
  if (fresh.length === 0) return known
  const kept = known.filter(one => !fresh.some(({ note_id }) => note_id === one.note_id))
  return [...kept, ...fresh].toSorted(
    (one, other) => one.at.localeCompare(other.at) || one.number - other.number,
  )
}
