import type { CustomMetadata } from './event.ts'

/** The latencies of a spoken turn, milliseconds. */
export type SpokenTurn = {
  /** From the visitor's last sound to the end of the utterance. */
  readonly endpoint_ms: number
  /** From there to its words. */
  readonly stt_ms: number
  /** From the words to the first sentence of the reply. */
  readonly first_text_ms: number
  /** From that to its first audio. */
  readonly first_audio_ms: number
}

/** The latencies of a turn's reply, which are known once it is heard: the next message of the call brings them. */
export type SpokenReplyLatency = Pick<SpokenTurn, 'first_text_ms' | 'first_audio_ms'> & {
  /** `client_event_id` of the message that was answered. */
  readonly to: string
}

/** A visitor's message in a call, as `metadata.custom` says (voice-gateway/PROTOCOL.md, What messages say). */
export type SpokenMessage = {
  /** The call's id. */
  readonly call: string
  /** The visitor has said nothing for some time, or has pressed keys. @default words */
  readonly kind?: 'silence' | 'keys'
  /** Heard characters of earlier replies, by message id. Only replies that the visitor cut. */
  readonly heard: Readonly<Record<string, number>>
  /** The latencies of its own utterance. */
  readonly latency?: Pick<SpokenTurn, 'endpoint_ms' | 'stt_ms'>
  /** The latencies of the reply to an earlier message. */
  readonly reply?: SpokenReplyLatency
}

/** The place up to which the caller of a phone call has heard. Only a line of the phone cannot keep it itself. */
export type HeardMark = {
  /** Names the sentence (voice-gateway/PROTOCOL.md, Marks). */
  readonly id: string
  /** The session's newest event when the sentence's reply began, and the number of the sentence in the reply. */
  readonly since: number
  readonly number: number
  /** Milliseconds of the sentence. */
  readonly playedMs: number
  /** All of the sentence. */
  readonly done: boolean
}

const order = ({ done, number, playedMs, since }: HeardMark): readonly number[] => [
  since,
  number,
  done ? 1 : 0,
  playedMs,
]

/** Reports whether a mark is further than another one. Marks of a line that is gone may come late. */
export function isFurther(mark: HeardMark, other: HeardMark): boolean {
  const [ours, theirs] = [order(mark), order(other)]
  const at = ours.findIndex((value, index) => value !== theirs[index])
  return at >= 0 && (ours[at] ?? 0) > (theirs[at] ?? 0)
}

/** The names in `metadata.custom` under which the gateway of calls says how a message was said. */
const MARKS = ['voice', 'voice_heard', 'voice_kind', 'voice_latency', 'voice_reply']

/** As many replies of one message are read; a visitor cuts one, or two. */
const MOST_REPLIES = 20

const HEARD = /^([\w-]{1,100}):(\d{1,7})$/
const LATENCY = /^(\d{1,7}) (\d{1,7})$/
const REPLY = /^([\w.-]{1,200}) (\d{1,7}) (\d{1,7})$/

function latencyOf(text = ''): Pick<SpokenMessage, 'latency'> {
  const [whole, endpoint, stt] = LATENCY.exec(text) ?? []
  return whole === undefined ? {} : { latency: { endpoint_ms: Number(endpoint), stt_ms: Number(stt) } }
}

function replyOf(text = ''): Pick<SpokenMessage, 'reply'> {
  const [, to, first, audio] = REPLY.exec(text) ?? []
  if (to === undefined) return {}
  return { reply: { to, first_text_ms: Number(first), first_audio_ms: Number(audio) } }
}

/** Returns null for a message that was written. */
export function spokenOf(custom: CustomMetadata | null): SpokenMessage | null {
  const call = custom?.voice
  if (call === undefined || call === '') return null
  const { voice_heard = '', voice_kind: kind, voice_latency, voice_reply } = custom ?? {}
  const pairs = voice_heard.split(' ', MOST_REPLIES).flatMap(pair => {
    const [, messageId, characters] = HEARD.exec(pair) ?? []
    return messageId === undefined ? [] : [[messageId, Number(characters)] as const]
  })
  return {
    call: call.slice(0, 100),
    ...(kind === 'silence' || kind === 'keys' ? { kind } : {}),
    heard: Object.fromEntries(pairs),
    ...latencyOf(voice_latency),
    ...replyOf(voice_reply),
  }
}

/** Reports whether a message says that the visitor of a call was silent. Its text is for other clients. */
export const isSilence = (custom: CustomMetadata | null): boolean => spokenOf(custom)?.kind === 'silence'

/** Returns the metadata of a client that is no gateway: it cannot say that something was spoken. */
export function withoutMarks(custom: CustomMetadata | null): CustomMetadata | null {
  if (custom === null || !MARKS.some(name => Object.hasOwn(custom, name))) return custom
  return Object.fromEntries(Object.entries(custom).filter(([name]) => !MARKS.includes(name)))
}
