import * as z from 'zod'
import { wavSeconds } from '../../domain/voice/wav.ts'
import { PlatformError } from '../../errors.ts'
import type {
  OfferedVoice,
  SpeechProvider,
  SpeechToSynthesize,
  SpokenSample,
  VoiceToSample,
} from '../../ports/speech-provider.ts'
import { within } from '../../shared/deadline.ts'
import type { Context } from '../context.ts'

/** Spoken audio. */
export interface Sound {
  /** A WAV. */
  readonly audio: Uint8Array
  /** Its duration. */
  readonly seconds: number
}

type SpeechContext = Pick<Context, 'clock' | 'settings' | 'speechProvider'>

const offeredSchema = z.array(
  z.object({
    provider: z.string().regex(/^[^:]{1,100}$/),
    providerVoiceId: z.string().min(1).max(200),
    name: z.string().min(1).max(200),
    config: z.record(z.string(), z.json()).exactOptional(),
    metadata: z.record(z.string(), z.json()).exactOptional(),
  }),
)

const sampleSchema = z.object({
  url: z.url(),
  expiresInSeconds: z.int().min(1),
  text: z.string(),
})

/** Returns the provider's answer. Null without a provider. A failure, or an invalid answer, is 502 (VL8). */
async function ask<Answer>(
  { clock, settings, speechProvider }: SpeechContext,
  call: (provider: SpeechProvider, signal: AbortSignal) => Promise<Answer>,
): Promise<Answer | null> {
  if (speechProvider === null) return null
  const limit = settings.speechDeadline
  const late = new Error(`The speech provider did not answer within ${limit} ms.`)
  try {
    return await within(clock, { limit, late }, async signal => call(speechProvider, signal))
  } catch (cause) {
    settings.onError(cause, 'speech provider')
    throw new PlatformError('SPEECH_PROVIDER_FAILED', 'The speech provider failed. Try again later.', {
      cause,
    })
  }
}

/** @throws NOT_IMPLEMENTED */
function required<Answer>(answer: Answer | null): Answer {
  if (answer !== null) return answer
  throw new PlatformError(
    'NOT_IMPLEMENTED',
    'This server does not speak: it was started without speechProvider.',
  )
}

/** Returns the voices that the host's provider offers. None without one. @throws SPEECH_PROVIDER_FAILED */
export const offeredVoices = async (context: SpeechContext): Promise<readonly OfferedVoice[]> =>
  (await ask(context, async (provider, signal) => offeredSchema.parse(await provider.voices({ signal })))) ??
  []

/** @throws TypeError for what is no sound */
function soundOf(audio: unknown): Sound {
  const seconds = audio instanceof Uint8Array ? wavSeconds(audio) : null
  if (!(audio instanceof Uint8Array) || seconds === null)
    throw new TypeError('A speech provider must answer with the bytes of a WAV.')
  return { audio, seconds }
}

/** @throws NOT_IMPLEMENTED, SPEECH_PROVIDER_FAILED */
export const askToSay = async (
  context: SpeechContext,
  speech: Omit<SpeechToSynthesize, 'signal'>,
): Promise<Sound> =>
  required(
    await ask(context, async (provider, signal) => soundOf(await provider.synthesize({ ...speech, signal }))),
  )

/** @throws NOT_IMPLEMENTED, SPEECH_PROVIDER_FAILED */
export const askForSample = async (
  context: SpeechContext,
  voice: Omit<VoiceToSample, 'signal'>,
): Promise<SpokenSample> =>
  required(
    await ask(context, async (provider, signal) =>
      sampleSchema.parse(await provider.sample({ ...voice, signal })),
    ),
  )
