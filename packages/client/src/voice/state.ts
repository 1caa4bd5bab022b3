import type { Mark, Playback } from './playback.ts'

/**
 * The reason why a call does not run, or why something in it failed. `NOT_SUPPORTED`: no microphone or no audio in this
 * browser, or a page without HTTPS. `MICROPHONE_REFUSED`: the visitor, the browser or the page's policy does not allow
 * it. `NO_MICROPHONE`: there is none. `MICROPHONE_FAILED`: another program uses it, or it was unplugged.
 * `WORKLET_REFUSED`: the page's Content-Security-Policy lets the code of the microphone not run. `UNREACHABLE`: the
 * server did not answer. `LOST`: a lost connection did not come back. `ENDED`: the session of the chat is over. Other
 * codes are the server's: those of errors, and reasons why it ended a call.
 */
export type ProblemCode =
  | 'NOT_SUPPORTED'
  | 'MICROPHONE_REFUSED'
  | 'NO_MICROPHONE'
  | 'MICROPHONE_FAILED'
  | 'WORKLET_REFUSED'
  | 'UNREACHABLE'
  | 'LOST'
  | 'ENDED'
  | 'INVALID_MESSAGE'
  | 'TOO_FAST'
  | 'TRANSCRIPTION_FAILED'
  | 'SPEECH_FAILED'
  | 'NOT_TAKEN'
  | 'STALLED'
  | 'REPLACED'
  | 'SESSION_ENDED'
  | 'TRANSFERRED'
  | 'TOO_LONG'
  | 'SILENCE'
  | (string & {})

/** An error for the page. */
export interface VoiceProblem {
  readonly code: ProblemCode
  /** A sentence for developers. */
  readonly message: string
}

/**
 * Phase of a call. `asking`: the microphone is asked for. `opening`: a socket opens, or the server has not answered.
 * `waiting`: a connection was lost, and the next attempt waits.
 */
export type Phase = 'off' | 'asking' | 'opening' | 'open' | 'waiting'

/** Words that are spoken at the moment. */
export interface Caption {
  readonly from: 'visitor' | 'agent' | 'live agent'
  readonly text: string
  /** False while more may be understood. */
  readonly final: boolean
}

/**
 * Whether the call is recorded. `off`: it is not. `asked`: it is not, and the visitor is to be asked for consent. `on`:
 * it is, which has to be shown, with a way to say no.
 */
export type RecordingState = 'off' | 'asked' | 'on'

/** The state of voice as plain data. Only `step` makes the next one. */
export interface State {
  readonly phase: Phase
  /** Number of the socket in progress. Inputs of older ones are ignored. */
  readonly attempt: number
  /** Number of the call, which has one microphone. */
  readonly calls: number
  /** Attempts that failed since the server answered last. */
  readonly failures: number
  /** The call's id; null before the server gave one. */
  readonly call: string | null
  /** Language of the visitor; null for the agent's. */
  readonly language: string | null
  readonly muted: boolean
  /** Position behind the audio that was sent, milliseconds. */
  readonly sent: number
  /** Position behind the newest audio. */
  readonly heard: number
  /** The least that has waited in the socket since a position of the call. */
  readonly backlog: { readonly bytes: number; readonly since: number }
  /** The visitor speaks. */
  readonly speaking: boolean
  /** The visitor has said something, and the reply has not begun. */
  readonly awaiting: boolean
  /** The visitor wants silence, and the server has not confirmed it. */
  readonly clearing: boolean
  readonly playback: Playback
  /** The newest mark, which says at which word a lost call goes on. */
  readonly mark: Mark | null
  /** Words that were understood of the visitor; null once the agent speaks. */
  readonly understood: { readonly text: string; readonly final: boolean } | null
  readonly problem: VoiceProblem | null
  readonly recording: RecordingState
  /** The visitor's answer to whether the call may be recorded; null before it. */
  readonly consent: boolean | null
}

/** Names of timers; each runs once at most at a time. */
export type TimerName = 'deadline' | 'retry' | 'abandon' | 'mark'

/** Inputs of voice. Those with an `attempt` are of a socket, those with `calls` of a microphone. */
export interface Inputs {
  readonly start: { readonly language: string | null }
  readonly stop: object
  /** The session is over, or another one. */
  readonly ended: object
  readonly mute: { readonly muted: boolean }
  readonly interrupt: object
  readonly consent: { readonly given: boolean }
  readonly microphone: { readonly calls: number }
  /** The microphone was refused, or is no longer there. */
  readonly unheard: { readonly calls: number; readonly problem: VoiceProblem }
  /** The microphone has heard audio up to that position; so many bytes wait in the socket. */
  readonly audio: { readonly heard: number; readonly backlog: number }
  readonly connected: { readonly attempt: number }
  readonly frame: { readonly attempt: number; readonly data: unknown }
  readonly closed: { readonly attempt: number; readonly code: number }
  readonly timer: { readonly name: TimerName }
}

export type InputType = keyof Inputs

/** One of them, and when it happened: milliseconds by the speaker's clock. */
export type Input<Type extends InputType = InputType> = {
  readonly [Key in Type]: { readonly type: Key; readonly now: number } & Inputs[Key]
}[Type]

/** Actions for the shell. */
export type Effect =
  | { readonly type: 'open microphone'; readonly calls: number }
  | { readonly type: 'close microphone' }
  | { readonly type: 'mute'; readonly muted: boolean }
  | { readonly type: 'connect'; readonly attempt: number }
  | { readonly type: 'hang up' }
  | { readonly type: 'send'; readonly frame: string }
  /** Sends all audio from a position on, or from the oldest that is there, which the server is told. */
  | { readonly type: 'send audio'; readonly from: number }
  | { readonly type: 'play'; readonly pcm: ArrayBuffer; readonly at: number }
  /** Stops playing, also what was to be played later. */
  | { readonly type: 'be silent' }
  /** From 0 to 1. */
  | { readonly type: 'volume'; readonly value: number }
  | { readonly type: 'set timer'; readonly name: TimerName; readonly after: number }
  | { readonly type: 'clear timer'; readonly name: TimerName }

/**
 * Activity of a call. `off`: none. `asking`: the browser asks for the microphone. `connecting`, `reconnecting`: what is
 * said now is kept and sent later. `listening`: nobody speaks. `hearing`: the visitor speaks. `thinking`: the agent has
 * not begun to speak. `speaking`: a reply is played.
 */
export type VoiceStatus =
  | 'off'
  | 'asking'
  | 'connecting'
  | 'reconnecting'
  | 'listening'
  | 'hearing'
  | 'thinking'
  | 'speaking'

/** Voice as it is shown. A new object whenever something in it has changed. */
export interface VoiceView {
  readonly status: VoiceStatus
  readonly muted: boolean
  /** The newest words that are spoken; null for none. */
  readonly caption: Caption | null
  /** The reason why the last call ended, or why something in this one failed; null for none. */
  readonly problem: VoiceProblem | null
  readonly recording: RecordingState
}
