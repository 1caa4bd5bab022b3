import * as z from 'zod'
import type { InputOf } from '../../calls/call.ts'
import { properNameSchema } from '../../domain/agent/proper-name.ts'
import { jsonObject } from '../shared/json-object.ts'

/** The fields of a new voice. */
export const newVoiceFields = {
  /** 1 to 200 characters. */
  name: properNameSchema(200),
  /** The provider of the speaker, for example `OPENAI`: 1 to 100 characters. */
  provider: z.string().min(1).max(100),
  /** The provider's own id of the voice: 1 to 200 characters. */
  providerVoiceId: z.string().min(1).max(200),
  /** Settings of the provider's, at most 64 KiB of JSON. */
  config: jsonObject,
}

/** The fields of a change of a voice. */
export const voiceChangeFields = {
  name: newVoiceFields.name.exactOptional(),
  provider: newVoiceFields.provider.exactOptional(),
  providerVoiceId: newVoiceFields.providerVoiceId.exactOptional(),
  config: jsonObject.exactOptional(),
}

/** The metadata of a voice. */
export const voiceMetadata = jsonObject.exactOptional()

/** The input of the library's callers for a new voice. */
export const newVoiceSchema = z.object({
  ...newVoiceFields,
  /** The known facts about the voice, at most 64 KiB of JSON. @default none */
  metadata: voiceMetadata,
})

/** A voice to add. */
export type VoiceInput = InputOf<typeof newVoiceSchema>

/** Their input for a change of one. */
export const voiceChangeSchema = z.object({ ...voiceChangeFields, metadata: voiceMetadata })

/** A change of a voice. What is left out stays. */
export type VoiceChange = InputOf<typeof voiceChangeSchema>

/** The text to say, as callers of the library give it. */
export const speechFields = {
  /** 1 to 10,000 characters. */
  text: z.string().min(1).max(10_000),
  /**
   * The voice and its options: the `config` of a voice, and other fields that the provider reads. At most 64 KiB of
   * JSON.
   */
  config: jsonObject,
  /** For example `en-GB`. @default null, the voice says it */
  language: z.string().min(1).max(100).nullable().exactOptional(),
}

/** The same, as a whole. */
export const speechSchema = z.object(speechFields)

/** The text to say, and its voice. */
export type Speech = InputOf<typeof speechSchema>

/** The most that the config of a voice has, and its metadata: bytes of JSON. */
export const MAX_VOICE_JSON = 65_536
