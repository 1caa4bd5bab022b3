import * as z from 'zod'
import { UP_RATE } from '../audio/pcm.ts'

const ms = z.number().min(0).max(86_400_000)
/** A language tag, such as `en-GB`. */
const language = z.string().regex(/^[A-Za-z0-9]{1,8}(?:-[A-Za-z0-9]{1,8}){0,4}$/)
const mark = z.object({
  id: z.string().max(200),
  played_ms: ms,
  done: z.boolean().optional(),
  cleared: z.boolean().optional(),
})

const clientFrame = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('voice.start'),
    rate: z.literal(UP_RATE),
    language: language.optional(),
    call: z.string().max(100).optional(),
    heard: mark.optional(),
  }),
  z.object({ type: z.literal('audio.from'), at_ms: z.int().min(0).max(86_400_000) }),
  mark.extend({ type: z.literal('mark') }),
  z.object({ type: z.literal('mute'), muted: z.boolean() }),
  z.object({ type: z.literal('interrupt') }),
  z.object({
    type: z.literal('dtmf'),
    digits: z.string().regex(/^[0-9*#]{1,64}$/),
    id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  }),
  z.object({ type: z.literal('recording'), consent: z.boolean() }),
  z.object({ type: z.literal('voice.stop') }),
])

/** A text frame of the client (PROTOCOL.md, From the client). */
export type ClientFrame = z.output<typeof clientFrame>

/** The heard part of a piece. */
export type Mark = z.output<typeof mark>

/** Returns the frame, or what is wrong with it. */
export function readFrame(text: string): ClientFrame | { readonly problem: string } {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return { problem: 'A text frame must be a JSON object with a type.' }
  }
  const read = clientFrame.safeParse(json)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const field = issue?.path.join('.') || 'frame'
  return { problem: `The field ${field} does not fit: ${issue?.message ?? 'unknown'}.`.slice(0, 500) }
}

/** The reasons for the end of a call (PROTOCOL.md, Ends). */
export type StopReason = 'CLIENT' | 'SESSION_ENDED' | 'TRANSFERRED' | 'TOO_LONG' | 'SILENCE'

/** The codes of errors (PROTOCOL.md, Errors). */
export type VoiceErrorCode =
  | 'INVALID_MESSAGE'
  | 'TOO_FAST'
  | 'TRANSCRIPTION_FAILED'
  | 'SPEECH_FAILED'
  | 'NOT_TAKEN'
  | 'STALLED'
  | 'REPLACED'

/** The party whose words are spoken. */
export type SpokenBy = 'ai_agent' | 'live_agent'

/** A text frame of the server (PROTOCOL.md, From the server). */
export type ServerFrame =
  | {
      readonly type: 'voice.started'
      readonly call: string
      readonly rate: number
      readonly from_ms: number
    }
  | { readonly type: 'speech.started'; readonly at_ms: number }
  | { readonly type: 'speech.ended'; readonly at_ms: number; readonly taken: boolean }
  | { readonly type: 'transcript'; readonly text: string; readonly final: false }
  | {
      readonly type: 'transcript'
      readonly text: string
      readonly final: true
      readonly client_id: string
      readonly until_ms: number
    }
  | {
      readonly type: 'audio.begin'
      readonly id: string
      readonly message_id: string
      readonly text: string
      readonly by: SpokenBy
      readonly from_ms: number
    }
  | {
      readonly type: 'audio.end'
      readonly id: string
      readonly duration_ms: number
      readonly failed?: true
    }
  | { readonly type: 'clear' }
  | {
      readonly type: 'recording'
      readonly state: 'asked' | 'on' | 'off'
      readonly reason?: 'WITHDRAWN' | 'FAILED' | 'FULL'
    }
  | {
      readonly type: 'voice.stopped'
      readonly reason: StopReason
      /** The number for which the call has left. */
      readonly destination?: string
    }
  | { readonly type: 'error'; readonly code: VoiceErrorCode; readonly message: string }
