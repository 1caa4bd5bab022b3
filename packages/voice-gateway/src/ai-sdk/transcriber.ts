import { refuseUnknown, wavOf } from '@colloquy/core'
import type { TranscriptionModel } from 'ai'
import * as aiSdk from 'ai'
import { samplesOf } from '../audio/pcm.ts'
import type { Transcriber, TranscriptEvent } from '../ports/transcriber.ts'

/** A transcription model, and what it is told beside the sound. */
export interface AiSdkTranscriberOptions {
  readonly model: TranscriptionModel
  /** Returns options of the model's provider, by its name: the language of a model is one of them. @default none */
  readonly providerOptions?: (
    language: string | null,
  ) => Record<string, Record<string, string | number | boolean>>
}

/** Newer versions of the AI SDK warn of the name that version 6 alone has. */
const names: {
  readonly transcribe?: typeof aiSdk.experimental_transcribe
  readonly experimental_transcribe: typeof aiSdk.experimental_transcribe
} = aiSdk
const { transcribe = names.experimental_transcribe } = names

/**
 * Returns a transcriber over any transcription model of the AI SDK. An utterance is asked for as a whole once it is
 * over: there are no partial texts.
 *
 * @throws SCHEMA_VALIDATION_FAILED for an unknown option (EM4)
 */
export function createAiSdkTranscriber(options: AiSdkTranscriberOptions): Transcriber {
  refuseUnknown('createAiSdkTranscriber', options, ['model', 'providerOptions'])
  const { model, providerOptions } = options
  return {
    open({ language, rate, signal }) {
      const heard: Uint8Array[] = []
      let end = (): void => {}
      const ended = new Promise<void>((resolve, reject) => {
        end = resolve
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
      ended.catch(() => undefined)
      async function* events(): AsyncGenerator<TranscriptEvent> {
        await ended
        const given = providerOptions?.(language)
        const { text } = await transcribe({
          ...{ model, audio: wavOf(samplesOf(Buffer.concat(heard)), rate), abortSignal: signal },
          ...(given === undefined ? {} : { providerOptions: given }),
        })
        yield { type: 'final', text, segment: 0 }
      }
      return {
        write: frame => void heard.push(frame.slice()),
        events: events(),
        end: () => end(),
      }
    },
  }
}
