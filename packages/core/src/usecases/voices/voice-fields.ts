import * as z from 'zod'
import { properNameSchema } from '../../domain/agent/proper-name.ts'
import type { JsonObject } from '../../domain/json.ts'

const object = z.record(z.string(), z.json())

/** What a voice is added with. */
export const newVoiceFields = {
  name: properNameSchema(200),
  provider: z.string().min(1).max(100),
  providerVoiceId: z.string().min(1).max(200),
  config: object,
}

/** What a voice is changed with. */
export const voiceChangeFields = {
  name: newVoiceFields.name.exactOptional(),
  provider: newVoiceFields.provider.exactOptional(),
  providerVoiceId: newVoiceFields.providerVoiceId.exactOptional(),
  config: object.exactOptional(),
}

/** What a voice may have. */
export const voiceMetadata = object.exactOptional()

/** How the library's callers add a voice. */
export const newVoiceSchema = z.object({ ...newVoiceFields, metadata: voiceMetadata })

/** How they change one. */
export const voiceChangeSchema = z.object({ ...voiceChangeFields, metadata: voiceMetadata })

/** What is to be said, as callers of the library say it. */
export const speechFields = {
  text: z.string().min(1).max(10_000),
  config: object,
  language: z.string().min(1).max(100).nullable().exactOptional(),
}

/** The same, as a whole. */
export const speechSchema = z.object(speechFields)

/** What is to be said. */
export interface Speech {
  /** 1 to 10,000 characters. */
  readonly text: string
  /** Which voice, and how: the `config` of a voice, and what else the provider reads. At most 64 KiB of JSON. */
  readonly config: JsonObject
  /** For example `en-GB`. @default null, the voice says it */
  readonly language?: string | null
}

/** The most that the config of a voice has, and its metadata: bytes of JSON. */
export const MAX_VOICE_JSON = 65_536

/** A voice to add. */
export interface VoiceInput {
  /** 1 to 200 characters. */
  readonly name: string
  /** Who speaks, for example `OPENAI`: 1 to 100 characters. */
  readonly provider: string
  /** The provider's own id of the voice: 1 to 200 characters. */
  readonly providerVoiceId: string
  /** Settings of the provider's, at most 64 KiB of JSON. */
  readonly config: JsonObject
  /** What is known of the voice, at most 64 KiB of JSON. @default none */
  readonly metadata?: JsonObject
}

/** A change of a voice. What is left out stays. */
export type VoiceChange = Partial<VoiceInput>
