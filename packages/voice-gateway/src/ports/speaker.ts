/** Options of a text's speech. */
export interface SpeechOptions {
  /** Samples a second of the audio that is wanted. */
  readonly rate: number
  /** Such as `en-GB`; null if unknown. */
  readonly language: string | null
  /** Aborts if the audio is no longer wanted, or not in time. Everything that was opened MUST be released then. */
  readonly signal: AbortSignal
}

/** Turns text into speech. */
export interface Speaker {
  /**
   * Speaks a sentence as a rule: 16-bit little-endian PCM, one channel, at `rate`, in chunks of any size with an even
   * number of bytes. The first chunk should come soon: it is played while the rest is made. It may throw; then the text
   * is not spoken, and the call goes on.
   */
  speak(text: string, options: SpeechOptions): AsyncIterable<Uint8Array>
}
