import * as z from 'zod'
import type { InputOf } from '../../calls/call.ts'
import { AUDIO_ORDERS } from '../../domain/voice/cached-audio.ts'
import { oneOf } from '../shared/one-of.ts'
import { newVoiceFields, speechFields } from './voice-fields.ts'

/** The largest sound that is put in the place of one in the cache: 6 MiB. */
export const MAX_AUDIO_BYTES = 6 * 1_024 * 1_024

/** Ids of sounds in the cache are digits. */
export const audioIdSchema = z.string().regex(/^\d{1,40}$/, 'must be a number in plain digits')

/** The sounds that are deleted with one call. */
export const audioIdsSchema = z.array(audioIdSchema).min(1).max(20)

/** The query for a page of sounds. */
export const audioQuerySchema = z.object({
  /** @default "cachedAt" */
  order: oneOf(AUDIO_ORDERS).default('cachedAt'),
  /** @default true, largest first */
  descending: z.boolean().default(true),
  /** @default 0 */
  offset: z.int().min(0).default(0),
  /** 1 to 200. @default 50 */
  limit: z.int().min(1).max(200).default(50),
})

/** A page of an agent's cached sounds. */
export type AudioQuery = InputOf<typeof audioQuerySchema>

/** The replacement for a sound in the cache. */
export const audioChangeSchema = z
  .object({
    /** A WAV of at most 6 MiB. */
    audio: z.custom<Uint8Array>(given => given instanceof Uint8Array, 'expected Uint8Array'),
    /** The name of its file, 1 to 255 characters. @default none */
    filename: z.string().min(1).max(255).exactOptional(),
    /**
     * The spoken text of a sound that was made again, 1 to 10,000 characters.
     * @default the text stays, and the sound counts as imported
     */
    text: speechFields.text.exactOptional(),
    /** The configuration with which it was made again. Given together with `text`. */
    config: speechFields.config.exactOptional(),
  })
  .refine(({ text, config }) => (text === undefined) === (config === undefined), {
    path: ['config'],
    message: 'text and config must be given together',
  })

/** The replacement for a cached sound. */
export type AudioChange = InputOf<typeof audioChangeSchema>

/** The text that an agent says, as voice runtimes request it. */
export const agentSpeechSchema = z.object({
  ...speechFields,
  /** The provider of the speaker, as in the voice of the library: 1 to 100 characters. */
  provider: newVoiceFields.provider,
  /** The provider's own id of the voice: 1 to 200 characters. */
  providerVoiceId: newVoiceFields.providerVoiceId,
})

/** The text that an agent says. */
export type AgentSpeech = InputOf<typeof agentSpeechSchema>
