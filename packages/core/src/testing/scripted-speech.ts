import { wavOf } from '../domain/voice/wav.ts'
import type { OfferedVoice, SpeechProvider, SpeechToSynthesize } from '../ports/speech-provider.ts'

/** The provider's reaction to the next call: answers, or one of the ways in which it does not. */
export type SpeechStep = 'answers' | 'fails' | 'hangs' | 'answers nonsense'

/** A speech provider for tests: follows its script, and records its requests. */
export interface ScriptedSpeech extends SpeechProvider {
  /** All requested speech, in order. */
  readonly spoken: readonly Omit<SpeechToSynthesize, 'signal'>[]
  /** Sets the reactions to the next calls, one after the other. After them it answers each. */
  script(...steps: readonly SpeechStep[]): void
}

/** The voices that it offers unless it is given others. */
export const SCRIPTED_VOICES: readonly OfferedVoice[] = [
  {
    ...{ provider: 'SCRIPTED', providerVoiceId: 'ada', name: 'Ada', config: { speed: 1 } },
    metadata: { language: 'en-GB', gender: 'female' },
  },
  { provider: 'SCRIPTED', providerVoiceId: 'grace', name: 'Grace' },
]

const SAMPLES_PER_SECOND = 8_000

/** Returns silence: a second for each hundred characters. */
const silenceFor = (text: string): Uint8Array =>
  wavOf(new Int16Array(Math.ceil((text.length * SAMPLES_PER_SECOND) / 100)), SAMPLES_PER_SECOND)

/** A provider whose sound is silence, as long as what is to be said. */
export function createScriptedSpeech(offered: readonly OfferedVoice[] = SCRIPTED_VOICES): ScriptedSpeech {
  const spoken: Omit<SpeechToSynthesize, 'signal'>[] = []
  const steps: SpeechStep[] = []

  /** Returns the answer, or what the script says in its place. */
  async function step<Answer>(signal: AbortSignal, answer: () => Answer): Promise<Answer> {
    const next = steps.shift() ?? 'answers'
    if (next === 'fails') throw new Error('The provider says: wrong key sk-secret.')
    if (next === 'answers nonsense') return JSON.parse('"nonsense"')
    if (next === 'answers') return answer()
    signal.throwIfAborted()
    return new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
    )
  }

  return {
    spoken,
    script: (...more) => void steps.push(...more),
    voices: ({ signal }) => step(signal, () => offered),
    synthesize({ signal, ...speech }) {
      spoken.push(speech)
      return step(signal, () => silenceFor(speech.text))
    },
    sample: ({ provider, providerVoiceId, signal }) =>
      step(signal, () => ({
        url: `https://voices.example.com/${encodeURIComponent(`${provider}-${providerVoiceId}`)}.wav`,
        expiresInSeconds: 3_600,
        text: 'Good day.',
      })),
  }
}
