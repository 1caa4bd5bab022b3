import type { CustomMetadata } from './event.ts'

/** A message that was spoken, as `metadata.custom` says (voice-gateway/PROTOCOL.md, Barge-in). */
export interface SpokenMessage {
  /** The call's id. */
  readonly call: string
  /** Heard characters of earlier replies, by message id. Only replies that the visitor cut. */
  readonly heard: Readonly<Record<string, number>>
}

/** As many replies of one message are read; a visitor cuts one, or two. */
const MOST_REPLIES = 20

const HEARD = /^([\w-]{1,100}):(\d{1,7})$/

/** Returns null for a message that was written. What a client makes up concerns its own conversation alone. */
export function spokenOf(custom: CustomMetadata | null): SpokenMessage | null {
  const call = custom?.voice
  if (call === undefined || call === '') return null
  const pairs = (custom?.voice_heard ?? '').split(' ', MOST_REPLIES).flatMap(pair => {
    const [, messageId, characters] = HEARD.exec(pair) ?? []
    return messageId === undefined ? [] : [[messageId, Number(characters)] as const]
  })
  return { call: call.slice(0, 100), heard: Object.fromEntries(pairs) }
}
