import type { DeskNote } from '@colloquy/client/http'

/** Notes of a conversation with others of it, each once, in the order in which they were written. */
export function withNotes(known: readonly DeskNote[], more: readonly DeskNote[]): readonly DeskNote[] {
  const fresh = more.filter(one => !known.some(({ number }) => number === one.number))
  return fresh.length === 0 ? known : [...known, ...fresh].toSorted((one, other) => one.number - other.number)
}
