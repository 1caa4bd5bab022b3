/** A microphone that is open. */
export interface Microphone {
  /** Samples per second. */
  readonly rate: number
  /** A muted one hears nothing. */
  mute(muted: boolean): void
  close(): void
}

/** Listener of an open microphone. */
export interface MicrophoneListener {
  /** Samples from -1 to 1, one channel, in chunks of any length. */
  samples(chunk: Float32Array): void
  /** It is no longer there. */
  lost(): void
}

/**
 * Opens a microphone. Rejects with an error whose `name` is that of `getUserMedia`, or with one whose `code` is a code
 * of a problem.
 */
export type OpenMicrophone = (listener: MicrophoneListener) => Promise<Microphone>

/** Plays audio of 24,000 samples per second, one channel. */
export interface Speaker {
  /** Its clock, milliseconds. It stands still while nothing may be played. */
  now(): number
  /** Plays samples at a time of its clock. */
  play(samples: Float32Array<ArrayBuffer>, at: number): void
  /** Stops at once, and drops what was to be played later. */
  stop(): void
  /** From 0 to 1. */
  volume(value: number): void
  close(): void
}

/** Opens a speaker. Called when the visitor starts a call, so that the browser lets the page play. */
export type OpenSpeaker = () => Speaker

/** A WebSocket, as browsers, Node from version 22 on, and the package `ws` have it. */
export interface VoiceSocket {
  binaryType: string
  readonly bufferedAmount: number
  send(frame: string | Uint8Array<ArrayBuffer>): void
  close(code?: number): void
  addEventListener(
    type: 'open' | 'message' | 'close' | 'error',
    listener: (event: { readonly data?: unknown; readonly code?: number }) => void,
  ): void
}
