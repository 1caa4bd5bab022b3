import type { ConversationEvent } from './event.ts'
import type { SentFile } from './event-payloads.ts'
import { filesBeside, filesOfEvent } from './sent-files.ts'
import { type SpokenMessage, spokenOf } from './spoken.ts'

/** The speaker in a conversation. */
export type TranscriptSpeaker = 'visitor' | 'ai_agent' | 'live_agent'

/** The steps of a conversation that are not speech. */
export type TranscriptStep = 'handoff' | 'joined' | 'left' | 'handoff_failed' | 'ended'

/** A line of a transcript, made from an event of the log. */
export interface TranscriptLine {
  readonly sequence: number
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly what: 'said' | TranscriptStep
  /** The speaker. Null for a step. */
  readonly from: TranscriptSpeaker | null
  /** The text that was said. For a step, the name of the live agent or the reason, if there is one. */
  readonly text: string
  /** The files that a message names. @default none */
  readonly files?: readonly SentFile[]
  /** Names a message. Later parts of a transcript may tell how much of it was heard. @default it has none */
  readonly messageId?: string
  /** The visitor has said it with their voice. @default false */
  readonly spoken?: true
  /** The marks of a message of a call, which also tell of earlier messages. @default it was not said in a call */
  readonly voice?: SpokenMessage & { readonly id: string }
  /** The part of the text that the visitor has heard, where they cut it with their voice. @default all of it */
  readonly heard?: string
}

const SPEAKERS: Partial<Record<ConversationEvent['type'], TranscriptSpeaker>> = {
  USER_MESSAGE: 'visitor',
  AI_AGENT_MESSAGE: 'ai_agent',
  AI_AGENT_MESSAGE_CHUNK: 'ai_agent',
  LIVE_AGENT_MESSAGE: 'live_agent',
}

const STEPS: Partial<Record<ConversationEvent['type'], TranscriptStep>> = {
  AI_AGENT_TRIGGERED_HANDOFF: 'handoff',
  CLIENT_HANDOFF_REQUIRED: 'handoff',
  LIVE_AGENT_JOINED: 'joined',
  LIVE_AGENT_LEFT: 'left',
  HANDOFF_FAILED: 'handoff_failed',
  HANDOFF_TIMEOUT: 'handoff_failed',
  SESSION_END: 'ended',
}

/** Returns the text of an event. For a streamed reply, returns all of it. */
export function textOfEvent({ payload: { text, chunks } }: Pick<ConversationEvent, 'payload'>): string {
  const before = Array.isArray(chunks) ? chunks.join('') : ''
  return before + (typeof text === 'string' ? text : '')
}

function nameOrReason({ payload: { agent, reason } }: ConversationEvent): string {
  const name: unknown = Reflect.get(Object(agent), 'name')
  if (typeof name === 'string') return name
  return typeof reason === 'string' ? reason : ''
}

const calledAs = (
  voice: SpokenMessage | null,
  { custom }: ConversationEvent,
): Pick<TranscriptLine, 'spoken' | 'voice'> =>
  voice === null
    ? {}
    : {
        ...(voice.kind === undefined ? { spoken: true } : {}),
        voice: { ...voice, id: custom?.client_event_id ?? '' },
      }

/** Returns the line of a transcript for an event; null for one that it does not show (RC71). */
export function transcriptLine(event: ConversationEvent): TranscriptLine | null {
  const { sequence, at, type } = event
  const from = SPEAKERS[type]
  if (from !== undefined) {
    const files = filesBeside({ files: filesOfEvent(event) })
    const { message_id: messageId } = event.payload
    const named = typeof messageId === 'string' && from !== 'visitor' ? { messageId } : {}
    const voice = from === 'visitor' ? spokenOf(event.custom) : null
    const text = voice?.kind === 'silence' ? '' : textOfEvent(event)
    return { sequence, at, what: 'said', from, text, ...named, ...files, ...calledAs(voice, event) }
  }
  const what = STEPS[type]
  return what === undefined ? null : { sequence, at, what, from: null, text: nameOrReason(event) }
}

/**
 * Returns the lines of a part of a log (RC71). A reply that was cut by a spoken message of the same part says what was
 * heard of it.
 */
export function transcriptLines(events: readonly ConversationEvent[]): readonly TranscriptLine[] {
  const heard = new Map<string, number>()
  for (const { custom, type } of events)
    if (type === 'USER_MESSAGE' && custom !== null)
      for (const [id, characters] of Object.entries(spokenOf(custom)?.heard ?? {})) heard.set(id, characters)
  return events.flatMap(event => {
    const line = transcriptLine(event)
    const { message_id: id } = event.payload
    const characters = typeof id === 'string' && event.type !== 'USER_MESSAGE' ? heard.get(id) : undefined
    if (line === null) return []
    return characters === undefined ? [line] : [{ ...line, heard: line.text.slice(0, characters) }]
  })
}
