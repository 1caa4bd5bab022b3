import * as z from 'zod'
import type { InputOf } from '../../calls/call.ts'
import { properNameSchema } from '../../domain/agent/proper-name.ts'
import { jsonObject } from '../shared/json-object.ts'

/** What a voice is added with. */
export const newVoiceFields = {
  /** 1 to 200 characters. */
  name: properNameSchema(200),
  /** Who speaks, for example `OPENAI`: 1 to 100 characters. */
  provider: z.string().min(1).max(100),
  /** The provider's own id of the voice: 1 to 200 characters. */
  providerVoiceId: z.string().min(1).max(200),
  /** Settings of the provider's, at most 64 KiB of JSON. */
  config: jsonObject,
}

/** What a voice is changed with. */
export const voiceChangeFields = {
  name: newVoiceFields.name.exactOptional(),
  provider: newVoiceFields.provider.exactOptional(),
  providerVoiceId: newVoiceFields.providerVoiceId.exactOptional(),
  config: jsonObject.exactOptional(),
}

/** What a voice may have. */
export const voiceMetadata = jsonObject.exactOptional()

/** How the library's callers add a voice. */
export const newVoiceSchema = z.object({
  ...newVoiceFields,
  /** What is known of the voice, at most 64 KiB of JSON. @default none */
  metadata: voiceMetadata,
})

/** A voice to add. */
export type VoiceInput = InputOf<typeof newVoiceSchema>

/** How they change one. */
export const voiceChangeSchema = z.object({ ...voiceChangeFields, metadata: voiceMetadata })

/** A change of a voice. What is left out stays. */
export type VoiceChange = InputOf<typeof voiceChangeSchema>

/** What is to be said, as callers of the library say it. */
export const speechFields = {
  /** 1 to 10,000 characters. */
  text: z.string().min(1).max(10_000),
  /** Which voice, and how: the `config` of a voice, and what else the provider reads. At most 64 KiB of JSON. */
  config: jsonObject,
  /** For example `en-GB`. @default null, the voice says it */
  language: z.string().min(1).max(100).nullable().exactOptional(),
}

/** The same, as a whole. */
export const speechSchema = z.object(speechFields)

/** What is to be said. */
export type Speech = InputOf<typeof speechSchema>

/** The most that the config of a voice has, and its metadata: bytes of JSON. */
export const MAX_VOICE_JSON = 65_536
