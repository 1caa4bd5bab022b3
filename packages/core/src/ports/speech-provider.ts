import type { JsonObject } from '../domain/json.ts'

/** A voice that a provider offers. No two have the same `provider` and `providerVoiceId`. */
export interface OfferedVoice {
  /** Who speaks, for example `OPENAI`: 1 to 100 characters without a colon. */
  readonly provider: string
  /** The provider's own id: 1 to 200 characters. */
  readonly providerVoiceId: string
  /** 1 to 200 characters. */
  readonly name: string
  /** Settings with which it is spoken. @default {} */
  readonly config?: JsonObject
  /** What is known of it; libraries are filtered by `language` and `gender`. @default none */
  readonly metadata?: JsonObject
}

/** What is to be said. */
export interface SpeechToSynthesize {
  /** 1 to 10,000 characters. */
  readonly text: string
  /** Which voice, and how: what the host's voices have as `config`, and what callers have put beside it. */
  readonly config: JsonObject
  /** For example `en-GB`; null where the voice says it. */
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

/** Where a sample can be heard. */
export interface SpokenSample {
  /** An absolute address, which may be a `data:` one. */
  readonly url: string
  /** How long the address is good: a whole number above 0. */
  readonly expiresInSeconds: number
  /** What is said in it. */
  readonly text: string
}

/**
 * Speaks. Calls may come at once. One that takes longer than its signal allows, or rejects, is a failure of the
 * provider: callers see `SPEECH_PROVIDER_FAILED` and none of its words; the host's `onError` gets the reason (VL8).
 */
export interface SpeechProvider {
  /** All voices that it offers, in an order of its own. */
  voices(asked: { readonly signal: AbortSignal }): Promise<readonly OfferedVoice[]>
  /** The sound as a WAV. */
  synthesize(speech: SpeechToSynthesize): Promise<Uint8Array>
  /** A sample of a voice, also of one that `voices` does not name. */
  sample(voice: VoiceToSample): Promise<SpokenSample>
}
