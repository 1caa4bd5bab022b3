import type { SpokenTurn } from '@colloquy/core/transport'
import type { TurnDetector } from '../ports/turn-detector.ts'
import type { ConsentRules, ConsentState, ConsentStep } from './consent.ts'
import type { Mark, ServerFrame, StopReason } from './frames.ts'
import type { Piece } from './piece.ts'
import { isPlaying, type OpenReply, type Playback, SILENT } from './playback.ts'

/** Times are milliseconds. */
export interface CallLimits {
  /** Voice from which on an utterance is heard at all; less is a click. */
  readonly shortestVoice: number
  /** Voice that stops the agent. */
  readonly bargeIn: number
  /** The longest utterance. It ends there, and the next one begins. */
  readonly longestUtterance: number
  /** From the end of an utterance to its words. */
  readonly transcription: number
  /** The time limit for the client's answer to `clear`. */
  readonly clearance: number
  /** Audio that the client may have without having played it. */
  readonly ahead: number
  /** The longest time without playback while audio waits. */
  readonly stall: number
  /** The longest time in which nobody speaks. */
  readonly silence: number
  /** Silence of the visitor that the agent answers; 0 for none. */
  readonly silentTurn: number
  /** Silent turns in a row. */
  readonly silentTurns: number
  /** The longest call. */
  readonly call: number
}

/** An utterance that is being heard. */
export interface Utterance {
  readonly id: number
  readonly startMs: number
  readonly voicedMs: number
  /** A transcription is open. */
  readonly isOpen: boolean
  /** It began while the agent spoke. */
  readonly overPlayback: boolean
  readonly partial: string
}

/** An utterance that is over, and whose words are waited for. */
export interface PendingUtterance {
  readonly id: number
  readonly endMs: number
  /** The silence behind it, milliseconds. */
  readonly endpointMs: number
  readonly endedAt: number
  /** Undefined until it is known; null if nothing was understood. */
  readonly words?: { readonly text: string | null; readonly failed: boolean; readonly at: number }
}

/** Words on their way into the session. Their client keeps the sound until it has the frame. */
export interface UntakenWords {
  readonly clientId: string
  readonly untilMs: number
  readonly text: string
}

/** A turn whose reply has not been heard yet. */
export interface AskedTurn {
  readonly clientId: string
  /** Null for a turn that was not spoken. */
  readonly latency: { readonly endpointMs: number; readonly sttMs: number } | null
  readonly saidAt: number
  readonly reply: { readonly messageId: string; readonly at: number } | null
}

/** A call. Positions are milliseconds of the visitor's audio, times those of a monotonic clock. */
export interface CallState {
  readonly call: string
  readonly startedAt: number
  /** The detector's own. */
  readonly detector: unknown
  /** Voice of the detector's utterance that belongs to one that was ended before. */
  readonly base: number
  readonly nextId: number
  readonly utterance: Utterance | null
  readonly pending: readonly PendingUtterance[]
  /** In the order in which they were said. */
  readonly untaken: readonly UntakenWords[]
  readonly playback: Playback
  /** Heard characters of replies that were stopped with a button. The next message says them. */
  readonly heard: ReadonlyMap<string, number>
  readonly asked: AskedTurn | null
  /** The latencies of the newest reply, as the next message says them. */
  readonly measured: string | null
  /** Silent turns since the visitor has said something. */
  readonly silences: number
  readonly isMuted: boolean
  readonly consent: ConsentState
  /** The number for which the call leaves. */
  readonly destination: string | null
  /** Up to there the visitor's words are in the session. It has said so. */
  readonly takenMs: number
  /** The end of the newest window, and how much came over this socket. */
  readonly positionMs: number
  readonly receivedMs: number
  readonly activeAt: number
  readonly ending: StopReason | null
  readonly isOver: boolean
}

/** An event of a call, with its time. */
export type CallEvent = { readonly now: number } & Told

/** An event of a call. */
export type Told =
  | { readonly type: 'window'; readonly samples: Int16Array; readonly toMs: number }
  | { readonly type: 'mute'; readonly muted: boolean }
  | { readonly type: 'partial'; readonly id: number; readonly text: string }
  | { readonly type: 'end of turn'; readonly id: number }
  | { readonly type: 'words'; readonly id: number; readonly text: string | null; readonly failed: boolean }
  | {
      readonly type: 'reply'
      readonly reply: OpenReply & { readonly complete: boolean }
      readonly pieces: readonly Piece[]
    }
  | { readonly type: 'reply dropped'; readonly messageId: string }
  | { readonly type: 'taken'; readonly untilMs: number }
  | { readonly type: 'session ended' }
  /** The agent hands the call over to a number. */
  | { readonly type: 'leaves'; readonly destination: string }
  /** The session did not take a message. */
  | { readonly type: 'refused'; readonly clientId: string; readonly message: string }
  | { readonly type: 'sound'; readonly id: string; readonly ms: number }
  | { readonly type: 'spoken'; readonly id: string; readonly failed: boolean }
  | { readonly type: 'mark'; readonly mark: Mark }
  | { readonly type: 'interrupt' }
  | { readonly type: 'dtmf'; readonly digits: string; readonly id: string }
  /** The visitor's client says whether the call may be recorded. */
  | { readonly type: 'recording'; readonly consent: boolean }
  /** The call begins on its line. */
  | { readonly type: 'begin' }
  /** The recording can go on no longer. */
  | { readonly type: 'unrecorded'; readonly reason: 'full' | 'failed' }
  | { readonly type: 'stop' }
  /** `isAttended`: the AI agent answers. */
  | { readonly type: 'tick'; readonly isAttended: boolean }

/** An action that the shell carries out. */
export type CallAction =
  | { readonly type: 'frame'; readonly frame: ServerFrame }
  /** Opens a transcription, with the audio from a position on. */
  | { readonly type: 'open'; readonly id: number; readonly fromMs: number }
  /** No audio of the utterance comes any more. */
  | { readonly type: 'end'; readonly id: number }
  /** Its words are no longer wanted. */
  | { readonly type: 'drop'; readonly id: number }
  | {
      readonly type: 'say'
      readonly text: string
      readonly custom: Readonly<Record<string, string>>
    }
  | { readonly type: 'speak'; readonly piece: Piece }
  /** Ends the speech in progress. */
  | { readonly type: 'hush' }
  /** Begins a recording, with that consent, or withdraws it. */
  | { readonly type: 'record'; readonly act: NonNullable<ConsentStep['act']> }
  | { readonly type: 'report'; readonly turn: SpokenTurn }
  | { readonly type: 'close'; readonly reason: 'ended' | 'flooding' | 'too_slow' }

/** Rules of all calls. */
export interface CallRules {
  readonly limits: CallLimits
  readonly detector: TurnDetector
  /** True for words that only say that somebody listens, such as "uh-huh". */
  readonly isFiller: (text: string) => boolean
  readonly consent: ConsentRules
}

/** Returns a call that begins, or goes on behind what is in the session already. */
export const initialCall = (
  { detector }: Pick<CallRules, 'detector'>,
  {
    asked = null,
    call,
    elapsedMs = 0,
    now,
    takenMs,
  }: {
    /** A message that has no reply yet, by its client's id. @default none */
    readonly asked?: string | null
    readonly call: string
    /** The time that it has lasted over lines before. @default 0 */
    readonly elapsedMs?: number
    readonly now: number
    readonly takenMs: number
  },
): CallState => ({
  ...{ call, startedAt: now - elapsedMs, takenMs, positionMs: takenMs, activeAt: now },
  receivedMs: elapsedMs,
  ...{ detector: detector.initial, base: 0, nextId: 1, utterance: null, pending: [] },
  ...{ untaken: [], playback: SILENT, heard: new Map(), measured: null },
  asked: asked === null ? null : { clientId: asked, latency: null, saidAt: now, reply: null },
  ...{ ending: null, isOver: false },
  ...{ silences: 0, isMuted: false, destination: null, consent: 'none' },
})

/** The phase of a call, for people and tests. */
export type CallPhase = 'listening' | 'hearing' | 'thinking' | 'speaking' | 'bargeIn' | 'over'

export function phaseOf({ asked, isOver, pending, playback, utterance }: CallState): CallPhase {
  if (isOver) return 'over'
  if (playback.cut !== null) return 'bargeIn'
  if (utterance?.isOpen === true) return 'hearing'
  if (isPlaying(playback)) return 'speaking'
  return pending.length > 0 || asked !== null ? 'thinking' : 'listening'
}
