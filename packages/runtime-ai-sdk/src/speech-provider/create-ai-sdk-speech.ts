import {
  type OfferedVoice,
  PlatformError,
  refuseUnknown,
  type SpeechProvider,
  type SpeechToSynthesize,
  wavSeconds,
} from '@colloquy/core'
import type { SpeechModel } from 'ai'
import * as aiSdk from 'ai'
import * as z from 'zod'

/** A voice of a speech model. */
export interface AiSdkVoice {
  /** As the model calls it, for example `alloy`. */
  readonly id: string
  /** @default the id */
  readonly name?: string
  /** For example `en-GB`. @default none */
  readonly language?: string
  /** @default none */
  readonly gender?: 'male' | 'female' | 'neutral'
}

/** A speech model, and its voices: models do not list them. */
export interface AiSdkSpeechOptions {
  readonly model: SpeechModel
  /** The provider's name as libraries show it, for example `OPENAI`: 1 to 100 characters without a colon. */
  readonly provider: string
  /** At least one; each id once. */
  readonly voices: readonly AiSdkVoice[]
  /** Text of a sample. @default "Good day. This is how I sound." */
  readonly sampleText?: string
}

const optionsSchema = z.strictObject({
  model: z.union([z.string().min(1), z.looseObject({})]),
  provider: z.string().regex(/^[^:]{1,100}$/, 'expected 1 to 100 characters without a colon'),
  voices: z
    .array(
      z.strictObject({
        id: z.string().min(1).max(200),
        name: z.string().min(1).max(200).exactOptional(),
        language: z.string().min(1).exactOptional(),
        gender: z.enum(['male', 'female', 'neutral']).exactOptional(),
      }),
    )
    .min(1)
    .refine(voices => new Set(voices.map(({ id }) => id)).size === voices.length, 'expected each id once'),
  sampleText: z.string().min(1).max(1_000).exactOptional(),
})

/** Fields of a config for the model. Other fields belong to others and are ignored. */
const configSchema = z.object({
  voice: z.string().optional().catch(undefined),
  instructions: z.string().optional().catch(undefined),
  speed: z.number().optional().catch(undefined),
})

/** Newer versions of the AI SDK warn of the name that version 6 alone has. */
const names: {
  readonly generateSpeech?: typeof aiSdk.experimental_generateSpeech
  readonly experimental_generateSpeech: typeof aiSdk.experimental_generateSpeech
} = aiSdk
const { generateSpeech = names.experimental_generateSpeech } = names

const SAMPLE = 'Good day. This is how I sound.'

/** A sample is in its address, which is good for as long as somebody has it. */
const DAY = 86_400

function refuse(options: AiSdkSpeechOptions): void {
  refuseUnknown('createAiSdkSpeech', options, Object.keys(optionsSchema.shape))
  const { error } = optionsSchema.safeParse(options)
  const [issue] = error?.issues ?? []
  if (issue !== undefined)
    throw new PlatformError(
      'SCHEMA_VALIDATION_FAILED',
      `createAiSdkSpeech: ${issue.path.join('.') || 'the options'}: ${issue.message}.`,
    )
}

const offered = (provider: string, { id, name = id, language, gender }: AiSdkVoice): OfferedVoice => ({
  ...{ provider, providerVoiceId: id, name, config: { voice: id } },
  metadata: { ...(language && { language }), ...(gender && { gender }) },
})

/** Returns the request to the model. Its language is the part before the country (LM52). */
const askedFor = ({ config, language, voice: wanted }: SpeechToSynthesize) => {
  const { voice = wanted?.providerVoiceId, instructions, speed } = configSchema.parse(config)
  const [spoken] = language?.toLowerCase().split('-') ?? []
  return {
    ...(voice !== undefined && { voice }),
    ...(instructions !== undefined && { instructions }),
    ...(speed !== undefined && { speed }),
    ...(spoken !== undefined && { language: spoken }),
  }
}

/**
 * Returns a speech provider over any speech model of the AI SDK that speaks WAV (LM52).
 *
 * @throws SCHEMA_VALIDATION_FAILED for options that are not what they must be
 */
export function createAiSdkSpeech(options: AiSdkSpeechOptions): SpeechProvider {
  refuse(options)
  const { model, provider, voices, sampleText = SAMPLE } = options

  async function say(speech: SpeechToSynthesize): Promise<Uint8Array> {
    const { text, signal } = speech
    signal.throwIfAborted()
    const { audio } = await generateSpeech({
      ...{ model, text: text.toWellFormed(), outputFormat: 'wav', abortSignal: signal },
      ...askedFor(speech),
    })
    if (wavSeconds(audio.uint8Array) === null)
      throw new Error(`The speech model answered with ${audio.mediaType}, and not with a WAV.`)
    return audio.uint8Array
  }

  return {
    voices: async () => voices.map(voice => offered(provider, voice)),
    synthesize: say,
    async sample({ config, providerVoiceId, signal }) {
      const speech = {
        text: sampleText,
        config: { ...config, voice: providerVoiceId },
        language: null,
        signal,
      }
      const bytes = await say(speech)
      return {
        url: `data:audio/wav;base64,${Buffer.from(bytes).toString('base64')}`,
        expiresInSeconds: DAY,
        text: sampleText,
      }
    },
  }
}
