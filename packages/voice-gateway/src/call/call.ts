import type { Clock } from '@colloquy/core'
import type { EventNames, Handshake, SpokenTurn } from '@colloquy/core/transport'
import type { CallRules } from '../domain/call-state.ts'
import type { ServerFrame } from '../domain/frames.ts'
import type { Speaker } from '../ports/speaker.ts'
import type { Transcriber } from '../ports/transcriber.ts'
import { OpenCall } from './open-call.ts'

/** The visitor's line, whatever carries it. None of its functions throws. */
export interface CallLine {
  send(frame: ServerFrame): void
  /** PCM at 24,000 Hz. */
  sound(bytes: Uint8Array): void
  close(code: number, reason: string): void
}

/** Parts that all calls of a gateway share. */
export interface CallParts {
  readonly rules: CallRules
  readonly transcriber: Transcriber
  readonly speaker: Speaker
  readonly clock: Clock
  readonly uuid: () => string
  readonly names: EventNames
  readonly deadlines: { readonly speech: number; readonly transcription: number; readonly sentence: number }
  readonly onError: (error: unknown, where: string) => void
  readonly onTurn: (turn: SpokenTurn, of: { readonly sessionId: string; readonly call: string }) => void
  /** The open calls by session: the newest one of a session wins. */
  readonly calls: Map<string, Call>
}

/** One visitor's call over one line. */
export interface Call {
  /** A text frame of the client. */
  frame(text: string): void
  /** PCM at 16,000 Hz. Returns false while too much waits for the transcriber, until `settled` resolves. */
  audio(bytes: Uint8Array): boolean
  /** The line is gone. */
  closed(): void
  settled(): Promise<void>
  /** Another call of the session began. */
  replaced(): void
}

/** The part of a call in its session. */
export interface CallOfSession {
  /**
   * The session ends with the call. `when over`: but not with its line, since another line may go on with it, which has
   * no memory of its own.
   *
   * @default never
   */
  readonly ends?: 'with its line' | 'when over'
  /** The time that the call has lasted over lines before, milliseconds. @default 0 */
  readonly elapsedMs?: number
}

/** Opens a call on a line. It begins with the client's first frame. */
export function openCall(
  parts: CallParts,
  handshake: Handshake,
  line: CallLine,
  of: CallOfSession = {},
): Call {
  return new OpenCall(parts, handshake, line, of)
}
