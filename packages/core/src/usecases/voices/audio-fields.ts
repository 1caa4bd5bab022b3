import * as z from 'zod'
import type { JsonObject } from '../../domain/json.ts'
import { AUDIO_ORDERS, type AudioOrder } from '../../domain/voice/cached-audio.ts'
import { oneOf } from '../shared/one-of.ts'
import { newVoiceFields, type Speech, speechFields } from './voice-fields.ts'

/** The largest sound that is put in the place of one in the cache: 6 MiB. */
export const MAX_AUDIO_BYTES = 6 * 1_024 * 1_024

/** Ids of sounds in the cache are digits. */
export const audioIdSchema = z.string().regex(/^\d{1,40}$/, 'must be a number in plain digits')

/** The sounds that are deleted with one call. */
export const audioIdsSchema = z.object({ ids: z.array(audioIdSchema).min(1).max(20) })

/** How a page of sounds is asked for. */
export const audioQuerySchema = z.object({
  order: oneOf(AUDIO_ORDERS).default('cachedAt'),
  descending: z.boolean().default(true),
  offset: z.int().min(0).default(0),
  limit: z.int().min(1).max(200).default(50),
})

/** What a sound in the cache is replaced with. */
export const audioChangeSchema = z
  .object({
    audio: z.instanceof(Uint8Array),
    filename: z.string().min(1).max(255).exactOptional(),
    text: speechFields.text.exactOptional(),
    config: speechFields.config.exactOptional(),
  })
  .refine(({ text, config }) => (text === undefined) === (config === undefined), {
    path: ['config'],
    message: 'text and config must be given together',
  })

/** What an agent has to say, as voice runtimes say it. */
export const agentSpeechSchema = z.object({
  ...speechFields,
  provider: newVoiceFields.provider,
  providerVoiceId: newVoiceFields.providerVoiceId,
})

/** What an agent has to say. */
export interface AgentSpeech extends Speech {
  /** Who speaks, as the voice of the library says: 1 to 100 characters. */
  readonly provider: string
  /** The provider's own id of the voice: 1 to 200 characters. */
  readonly providerVoiceId: string
}

/** A page of an agent's cached sounds. */
export interface AudioQuery {
  /** @default "cachedAt" */
  readonly order?: AudioOrder
  /** @default true, largest first */
  readonly descending?: boolean
  /** @default 0 */
  readonly offset?: number
  /** 1 to 200. @default 50 */
  readonly limit?: number
}

/** What a cached sound is replaced with. */
export interface AudioChange {
  /** A WAV of at most 6 MiB. */
  readonly audio: Uint8Array
  /** What its file is called, 1 to 255 characters. @default none */
  readonly filename?: string
  /**
   * What is heard in it, where it was made anew; 1 to 10,000 characters.
   * @default the text stays, and the sound counts as imported
   */
  readonly text?: string
  /** With which it was made anew; given together with `text`. */
  readonly config?: JsonObject
}
