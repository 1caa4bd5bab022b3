import type { Message } from '@colloquy/client/messaging'

/** Someone who came or went. */
export interface Note {
  /** The place of its event in the log. */
  readonly sequence: number
  readonly kind: 'joined' | 'left'
  readonly name: string
  /** ISO 8601, by the server's clock. */
  readonly timestamp: string
}

/** A line of the log as it is shown. */
export type Entry =
  | { readonly kind: 'day'; readonly key: string; readonly timestamp: string }
  | { readonly kind: 'note'; readonly key: string; readonly note: Note }
  | {
      readonly kind: 'message'
      readonly key: string
      readonly message: Message
      /** The first, the last of what the same one said in a row. */
      readonly first: boolean
      readonly last: boolean
    }

/** Messages further apart stand apart, milliseconds. */
const TOGETHER = 300_000

const isTogether = (one: Message, other: Message): boolean =>
  one.from === other.from && !(Date.parse(other.timestamp) - Date.parse(one.timestamp) >= TOGETHER)

/** A complete reply has another key, so that a screen reader, which ignored its pieces, reads it once and whole. */
const keyOf = ({ id, state }: Message): string => (state === 'streaming' ? `${id} …` : id)

/**
 * Returns the lines of a log: messages in their order, notes between them by their time, and a line where a day begins.
 */
export function entriesOf(messages: readonly Message[], notes: readonly Note[]): readonly Entry[] {
  const entries: Entry[] = []
  let day = ''
  let before: Message | null = null
  let next = 0
  function begin(timestamp: string): void {
    const its = timestamp && new Date(timestamp).toDateString()
    if (its === '' || its === day) return
    day = its
    before = null
    entries.push({ kind: 'day', key: its, timestamp })
  }
  function putNotes(until: string): void {
    for (; next < notes.length; next += 1) {
      const note = notes[next]
      if (note === undefined || (until !== '' && note.timestamp > until)) return
      begin(note.timestamp)
      before = null
      entries.push({ kind: 'note', key: `note ${note.sequence}`, note })
    }
  }
  for (const message of messages) {
    putNotes(message.timestamp)
    begin(message.timestamp)
    const first: boolean = before === null || !isTogether(before, message)
    const previous = entries.at(-1)
    if (!first && previous?.kind === 'message') entries[entries.length - 1] = { ...previous, last: false }
    entries.push({ kind: 'message', key: keyOf(message), message, first, last: true })
    before = message
  }
  putNotes('')
  return entries
}
