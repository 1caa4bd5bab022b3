import type { Conversation, Message } from '@colloquy/client/messaging'

/** A message of an earlier conversation, as it is kept on the device. */
export interface PastMessage {
  readonly from: Message['from']
  readonly name: string
  readonly text: string
  readonly timestamp: string
}

/** An earlier conversation. */
export interface Past {
  /** The id of its first message: the same in every tab, and after a reload. */
  readonly id: string
  readonly messages: readonly PastMessage[]
}

/** The longest that is kept of all conversations, characters: a browser gives a site a few million. */
const MOST = 400_000

/** Returns the record of a conversation to keep; null if the visitor has said nothing yet. */
export function pastOf({ messages }: Conversation): Past | null {
  const done = messages.filter(({ state }) => state === 'done')
  const [first] = done
  if (first === undefined || !done.some(({ from }) => from === 'visitor')) return null
  return {
    id: first.id,
    messages: done.map(({ from, name, text, timestamp }) => ({ from, name, text, timestamp })),
  }
}

const sizeOf = ({ messages }: Past): number =>
  messages.reduce((sum, { name, text }) => sum + text.length + name.length + 100, 0)

/** Returns the stored conversations, newest first, with one added or updated: at most `most`, while there is room. */
export function withPast(all: readonly Past[], past: Past, most: number): readonly Past[] {
  const next = [past, ...all.filter(({ id }) => id !== past.id)].slice(0, most)
  let room = MOST
  return next.filter(one => {
    room -= sizeOf(one)
    return room >= 0
  })
}

const isText = (value: unknown): value is string => typeof value === 'string'

const isMessage = (value: unknown): value is PastMessage => {
  const { from, name, text, timestamp } = Object(value)
  return ['visitor', 'agent', 'live agent'].includes(from) && [name, text, timestamp].every(isText)
}

/** Parses stored conversations; leaves out invalid ones. */
export function readPast(json: string | null): readonly Past[] {
  try {
    const list: unknown = JSON.parse(json ?? '')
    return (Array.isArray(list) ? list : []).filter(
      (one): one is Past =>
        isText(Object(one).id) && Array.isArray(one.messages) && one.messages.every(isMessage),
    )
  } catch {
    return []
  }
}
