import type { JsonObject } from '../domain/json.ts'

/** A voice that a provider offers. No two have the same `provider` and `providerVoiceId`. */
export interface OfferedVoice {
  /** The provider of the voice, for example `OPENAI`: 1 to 100 characters without a colon. */
  readonly provider: string
  /** The provider's own id: 1 to 200 characters. */
  readonly providerVoiceId: string
  /** 1 to 200 characters. */
  readonly name: string
  /** Settings with which it is spoken. @default {} */
  readonly config?: JsonObject
  /** The known traits. Libraries are filtered by `language` and `gender`. @default none */
  readonly metadata?: JsonObject
}

/** The speech to make. */
export interface SpeechToSynthesize {
  /** 1 to 10,000 characters. */
  readonly text: string
  /** The voice and its settings: the `config` of the host's voices, and the fields that callers have added. */
  readonly config: JsonObject
  /** For example `en-GB`; null if the voice says it. */
  readonly language: string | null
  /** The voice that is wanted, where `config` names none. @default the provider's own choice */
  readonly voice?: { readonly provider: string; readonly providerVoiceId: string }
  /** Aborts after `speechDeadline`. */
  readonly signal: AbortSignal
}

/** The voice of which a sample is wanted. */
export interface VoiceToSample {
  readonly provider: string
  readonly providerVoiceId: string
  readonly config: JsonObject
  /** Aborts after `speechDeadline`. */
  readonly signal: AbortSignal
}

/** The address of a spoken sample. */
export interface SpokenSample {
  /** An absolute address, which may be a `data:` one. */
  readonly url: string
  /** The time that the address is valid: a whole number above 0. */
  readonly expiresInSeconds: number
  /** The words in it. */
  readonly text: string
}

/**
 * Speaks. Calls may come at once. One that takes longer than its signal allows, or rejects, is a failure of the
 * provider: callers see `SPEECH_PROVIDER_FAILED` and none of its words; the host's `onError` gets the reason (VL8).
 */
export interface SpeechProvider {
  /** Returns all voices that it offers, in an order of its own. */
  voices(asked: { readonly signal: AbortSignal }): Promise<readonly OfferedVoice[]>
  /** The sound as a WAV. */
  synthesize(speech: SpeechToSynthesize): Promise<Uint8Array>
  /** A sample of a voice, also of one that `voices` does not name. */
  sample(voice: VoiceToSample): Promise<SpokenSample>
}
