import type { AccountId } from '../ids.ts'
import type { JsonObject } from '../json.ts'

/** The id of a voice. */
export type VoiceId = string

/** The facts about any voice. */
export interface VoiceFacts {
  readonly name: string
  /** The provider of the voice, for example `OPENAI`. */
  readonly provider: string
  /** The provider's own id of the voice. */
  readonly providerVoiceId: string
  /** Settings of the provider's. */
  readonly config: JsonObject
  /** The known traits, for example `language` and `gender`. Null without any. */
  readonly metadata: JsonObject | null
}

/** A voice that an account has added to its library. */
export interface Voice extends VoiceFacts {
  readonly id: VoiceId
  readonly accountId: AccountId
  readonly createdAt: number
  /** Counts its changes, from 1. */
  readonly version: number
}

/** A voice as a library shows it. */
export interface LibraryVoice extends VoiceFacts {
  readonly id: VoiceId
  /** True for one that the host's speech provider offers; it cannot be changed. */
  readonly offered: boolean
}

/** The filter for voices of a library. All given fields must match. Texts compare in any case. */
export interface VoiceFilter {
  /** The language in the metadata. */
  readonly language?: string
  /** The gender in the metadata. */
  readonly gender?: 'male' | 'female' | 'neutral'
  readonly provider?: string
  /** True: those of the host's speech provider; false: those that the account has added. */
  readonly offered?: boolean
}

/** Returns the id of a voice that the host's speech provider offers. Those of added voices have no colon. */
export const offeredVoiceId = ({
  provider,
  providerVoiceId,
}: Pick<VoiceFacts, 'provider' | 'providerVoiceId'>): VoiceId => `${provider}:${providerVoiceId}`

const same = (value: unknown, wanted: string | undefined): boolean =>
  wanted === undefined || (typeof value === 'string' && value.toLowerCase() === wanted.toLowerCase())

/** Reports whether a voice is one of those that are wanted (VL1). */
export const isWanted = ({ metadata, offered, provider }: LibraryVoice, filter: VoiceFilter): boolean =>
  same(metadata?.language, filter.language) &&
  same(metadata?.gender, filter.gender) &&
  same(provider, filter.provider) &&
  (filter.offered === undefined || filter.offered === offered)
