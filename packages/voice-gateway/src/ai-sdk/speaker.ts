import { refuseNumbers, refuseUnknown } from '@colloquy/core'
import type { SpeechModel } from 'ai'
import * as aiSdk from 'ai'
import { pcmOfWav } from '../audio/wav.ts'
import type { Speaker } from '../ports/speaker.ts'

/** A speech model, and how it speaks. */
export interface AiSdkSpeakerOptions {
  readonly model: SpeechModel
  /** As the model calls it. @default the model's own */
  readonly voice?: string
  /** Such as "Speak slowly". @default none */
  readonly instructions?: string
  /** @default the model's own */
  readonly speed?: number
}

/** Newer versions of the AI SDK warn of the name that version 6 alone has. */
const names: {
  readonly generateSpeech?: typeof aiSdk.experimental_generateSpeech
  readonly experimental_generateSpeech: typeof aiSdk.experimental_generateSpeech
} = aiSdk
const { generateSpeech = names.experimental_generateSpeech } = names

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/**
 * Returns a speaker over any speech model of the AI SDK that speaks WAV. A sentence is asked for as a whole, so its
 * first audio takes as long as the model needs for all of it.
 *
 * @throws SCHEMA_VALIDATION_FAILED for an unknown option (EM4)
 */
export function createAiSdkSpeaker(options: AiSdkSpeakerOptions): Speaker {
  refuseUnknown('createAiSdkSpeaker', options, ['model', 'voice', 'instructions', 'speed'])
  refuseNumbers(options, { speed: { least: 0, isShare: true } })
  const { model, ...how } = options
  return {
    async *speak(text, { language, rate, signal }) {
      const [spoken] = language?.toLowerCase().split('-') ?? []
      const { audio } = await generateSpeech({
        ...{ model, text: text.toWellFormed(), outputFormat: 'wav', abortSignal: signal, ...how },
        ...(spoken === undefined ? {} : { language: spoken }),
      })
      yield* pcmOfWav(once(audio.uint8Array), rate)
    },
  }
}
