/** An event of a transcription. */
export type TranscriptEvent =
  /** The whole text so far. It replaces the partial before. */
  | { readonly type: 'partial'; readonly text: string }
  /**
   * A part of the utterance that will not change. Parts are put together by `segment`, from 0; the first one of a
   * number counts.
   */
  | { readonly type: 'final'; readonly text: string; readonly segment: number }
  /** The visitor is done, as the transcriber judges. The turn ends without waiting for more silence. */
  | { readonly type: 'endOfTurn' }

/** One utterance that is being transcribed. */
export interface Transcription {
  /**
   * Takes the next audio: 16-bit little-endian PCM, one channel, at the rate of `open`. Resolves when it wants more;
   * the gateway waits for that, up to its deadline. It MUST NOT keep the array without a copy.
   */
  write(frame: Uint8Array): void | Promise<void>
  /**
   * Read once. It MUST end after `end` once everything is understood. It may throw; then the visitor is told that they
   * were not understood.
   */
  readonly events: AsyncIterable<TranscriptEvent>
  /** The utterance is over: no more audio comes. */
  end(): void | Promise<void>
}

/** Options of a transcription. */
export interface TranscriptionOptions {
  /** Samples a second. @default 16000, whatever the caller's line has */
  readonly rate: number
  /** Such as `en-GB`; null if unknown. */
  readonly language: string | null
  /** Aborts if the words are no longer wanted, or not in time. Everything that was opened MUST be released then. */
  readonly signal: AbortSignal
}

/**
 * Turns speech into text. It is opened for every utterance, when the visitor begins to speak, and several may be open
 * at once. A transcriber that keeps a connection for many utterances does so behind this port.
 */
export interface Transcriber {
  open(options: TranscriptionOptions): Transcription | Promise<Transcription>
}
