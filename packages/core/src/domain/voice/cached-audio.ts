import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { canonicalJson } from '../canonical-json.ts'
import type { AccountId, AgentId } from '../ids.ts'
import type { JsonObject } from '../json.ts'

/**
 * The id of a sound in the cache: a decimal number below 2^53. The same text of an agent, said in the same way, has
 * the same id.
 */
export type CachedAudioId = string

/** The key of a sound in the cache. Equal in all fields is the same sound. */
export interface SaidByAgent {
  readonly agentId: AgentId
  readonly text: string
  /** The provider of the voice, for example `OPENAI`. */
  readonly provider: string
  /** The provider's own id of the voice. */
  readonly providerVoiceId: string
  /** Settings of the provider's. */
  readonly config: JsonObject
  /** For example `en-GB`; `""` where the voice says it. */
  readonly languageCode: string
}

/** The facts about a sound in the cache. */
export interface CachedAudio {
  readonly id: CachedAudioId
  readonly accountId: AccountId
  readonly agentId: AgentId
  /** The words in it. */
  readonly transcript: string
  readonly provider: string
  readonly providerVoiceId: string
  /** With which it was spoken. */
  readonly config: JsonObject
  readonly languageCode: string
  readonly cachedAt: number
  /** The time of its newest use, or of its making. */
  readonly usedAt: number
  /** The number of times that it was served. */
  readonly hitCount: number
  /** The length of the sound. */
  readonly milliseconds: number
  /** The size of the sound. */
  readonly bytes: number
  /** Whether it was made again, with another text or other settings. */
  readonly regenerated: boolean
  /** Whether somebody has put another sound in its place. */
  readonly imported: boolean
  /** The file name of that sound. Null if nobody gave one. */
  readonly audioFilename: string | null
  /** Counts its changes, from 1; being asked for is none. */
  readonly version: number
}

/** The orders of lists of cached sounds. */
export const AUDIO_ORDERS = ['cachedAt', 'hitCount', 'duration'] as const
export type AudioOrder = (typeof AUDIO_ORDERS)[number]

/** Bits of an id: clients read ids as numbers. */
const BITS = 53
const HEX_DIGITS = 16

/** Returns the id by which a sound is found again (VA1). */
export function cachedAudioId({
  agentId,
  text,
  provider,
  providerVoiceId,
  config,
  languageCode,
}: SaidByAgent): CachedAudioId {
  const said = canonicalJson([agentId, text, provider, providerVoiceId, config, languageCode])
  const hex = [...sha256(utf8ToBytes(said))].map(byte => byte.toString(16).padStart(2, '0')).join('')
  return BigInt.asUintN(BITS, BigInt(`0x${hex.slice(0, HEX_DIGITS)}`)).toString()
}
