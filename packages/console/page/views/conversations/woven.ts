import type { SentFile } from '../../data/sent-file.ts'

/**
 * A turn of a conversation with the agent's actions, as the server returns it. Data that it never stored is missing.
 */
export interface Turn {
  readonly user_input: string
  readonly agent_response: string
  readonly user_input_datetime: string
  readonly agent_response_datetime: string
  /** Seconds. */
  readonly latency: number
  readonly intents: readonly string[]
  readonly is_ood: boolean
  readonly is_silence: boolean
  readonly retrieved_topics?: readonly string[]
  readonly cited_topic?: string
  readonly function_events?: readonly Readonly<Record<string, unknown>>[]
  readonly handoff_destination?: string
  readonly deployment_id?: string
  /** State of a debug chat. */
  readonly state?: Readonly<Record<string, unknown>>
  /** Reason that a turn failed. */
  readonly error?: string
}

/** Latencies of a spoken turn, milliseconds. Those of the reply come with the visitor's next message. */
export interface Latency {
  readonly endpoint_ms: number
  readonly stt_ms: number
  readonly first_text_ms?: number
  readonly first_audio_ms?: number
}

/** The marks of a message of a call, which also tell of earlier messages. */
export interface VoiceOfLine {
  /** Id by which later messages name it. */
  readonly id: string
  readonly kind?: 'silence' | 'keys'
  /** Heard characters of earlier replies, by message id. */
  readonly heard: Readonly<Record<string, number>>
  readonly latency?: Pick<Latency, 'endpoint_ms' | 'stt_ms'>
  readonly reply?: Pick<Required<Latency>, 'first_text_ms' | 'first_audio_ms'> & { readonly to: string }
}

/** A message or an event of the log. */
export interface Line {
  readonly sequence: number
  readonly at: string
  readonly what: 'said' | 'handoff' | 'joined' | 'left' | 'handoff_failed' | 'ended'
  readonly from: 'visitor' | 'ai_agent' | 'live_agent' | null
  readonly text: string
  /** Files that a message names. */
  readonly files?: readonly SentFile[]
  /** The visitor said it with their voice. @default false */
  readonly spoken?: true
  /** The part that the visitor heard of a reply that they cut. @default all of it */
  readonly heard?: string
  /** Id of a reply. */
  readonly messageId?: string
  readonly voice?: VoiceOfLine
}

/** A turn, or a line that belongs to none. */
export type Entry =
  | {
      readonly turn: Turn
      readonly number: number
      readonly line: null
      /** Files of the visitor's message. */
      readonly files: readonly SentFile[]
      /** The visitor said it with their voice. */
      readonly spoken: boolean
      /** The part of the answer that was heard; undefined for all of it. */
      readonly heard: string | undefined
      readonly latency: Latency | undefined
    }
  | { readonly turn: null; readonly line: Line }

/** Returns the lines with what later ones say of them, which may have come long after them. */
function withLater(lines: readonly Line[]): readonly (Line & { readonly latency?: Latency })[] {
  const voices = lines.flatMap(({ voice }) => (voice === undefined ? [] : [voice]))
  const heard = new Map(voices.flatMap(one => Object.entries(one.heard)))
  const replies = new Map(voices.flatMap(({ reply }) => (reply === undefined ? [] : [[reply.to, reply]])))
  return lines.flatMap(line => {
    const { messageId = '', text, voice } = line
    // The turn says that the visitor was silent.
    if (voice?.kind === 'silence') return []
    const characters = heard.get(messageId)
    return [
      {
        ...line,
        ...(characters === undefined ? {} : { heard: text.slice(0, characters) }),
        ...(voice?.latency === undefined ? {} : { latency: { ...voice.latency, ...replies.get(voice.id) } }),
      },
    ]
  })
}

/** Returns the lines of each turn, its place among all lines, and the lines that turns take. */
function placesOf<One extends Line>(turns: readonly Turn[], lines: readonly One[]) {
  const taken = new Set<number>()
  const take = (from: Line['from'], text: string): number => {
    if (text === '') return -1
    const at = lines.findIndex((one, index) => !taken.has(index) && one.from === from && one.text === text)
    if (at !== -1) taken.add(at)
    return at
  }
  const places = turns.map(turn => {
    const asked = take('visitor', turn.user_input)
    const answered = take('ai_agent', turn.agent_response)
    const found = { asked: lines[asked], answered: lines[answered] }
    if (asked !== -1 || answered !== -1) return { ...found, place: asked === -1 ? answered : asked }
    const later = lines.findIndex(({ at }) => at > turn.agent_response_datetime)
    return { ...found, place: later === -1 ? lines.length : later - 0.5 }
  })
  return { taken, places }
}

/**
 * Returns the transcript of a conversation: each turn of the agent in the place of its visitor's message, and between
 * them all that was said without the agent, and what happened. Nothing is left out and nothing is there twice; a
 * message that the agent has not answered yet stands alone.
 */
export function woven(turns: readonly Turn[], given: readonly Line[]): readonly Entry[] {
  const lines = withLater(given)
  const { taken, places } = placesOf(turns, lines)
  const entries = [
    ...turns.map((turn, at) => {
      const { place = 0, asked, answered } = places[at] ?? {}
      const { files = [], spoken = false, latency } = asked ?? {}
      const heard = answered?.heard
      return { place, entry: { turn, number: at, line: null, files, spoken, heard, latency } }
    }),
    ...lines.flatMap((line, place) => (taken.has(place) ? [] : [{ place, entry: { turn: null, line } }])),
  ]
  return entries.toSorted((one, other) => one.place - other.place).map(({ entry }) => entry)
}

/** Returns the name of the live agent who was in the conversation at a line: of the last one who joined before. */
export const personAt = (lines: readonly Line[], sequence: number): string =>
  lines.findLast(line => line.what === 'joined' && line.sequence <= sequence)?.text ?? ''
