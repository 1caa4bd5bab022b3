import type { Speaker, SpeechOptions } from '../ports/speaker.ts'
import { tonesOf } from './tones.ts'

/** The fate of the next sentence. `speaks` is the rule; the others are faults. */
export type SpeakerStep =
  | 'speaks'
  | 'fails'
  | 'fails in the middle'
  | 'hangs'
  | 'never ends'
  | 'speaks nonsense'
  | 'odd chunks'

/** A speaker for tests: speaks in `tonesOf`, follows its script, and records what it was asked for. */
export interface ScriptedSpeaker extends Speaker {
  readonly spoken: readonly (Omit<SpeechOptions, 'signal'> & { readonly text: string })[]
  /** Sentences in progress. */
  readonly unfinished: number
  script(...steps: readonly SpeakerStep[]): void
}

const CHUNK_BYTES = 4_800

const hang = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))

/** Makes a speaker for tests. After its script it speaks everything. */
export function createScriptedSpeaker(): ScriptedSpeaker {
  const spoken: (Omit<SpeechOptions, 'signal'> & { readonly text: string })[] = []
  const steps: SpeakerStep[] = []
  let unfinished = 0

  async function* chunks(step: SpeakerStep, text: string, { rate, signal }: SpeechOptions) {
    unfinished++
    try {
      const sound = tonesOf(text, rate)
      if (step === 'fails') throw new Error('The provider says: wrong key sk-secret.')
      if (step === 'hangs') await hang(signal)
      if (step === 'speaks nonsense') yield JSON.parse('"nonsense"')
      const size = step === 'odd chunks' ? 4_799 : CHUNK_BYTES
      for (let at = 0; at < sound.length; at += size) {
        signal.throwIfAborted()
        if (step === 'fails in the middle' && at > sound.length / 2) throw new Error('It broke.')
        yield sound.slice(at, at + size)
        // A provider answers over a network, never within one turn of the event loop.
        await new Promise(resolve => setImmediate(resolve))
      }
      while (step === 'never ends') {
        signal.throwIfAborted()
        yield new Uint8Array(CHUNK_BYTES)
        await new Promise(resolve => setImmediate(resolve))
      }
    } finally {
      unfinished--
    }
  }

  return {
    spoken,
    get unfinished() {
      return unfinished
    },
    script: (...more) => void steps.push(...more),
    speak(text, options) {
      const { signal, ...rest } = options
      spoken.push({ ...rest, text })
      return chunks(steps.shift() ?? 'speaks', text, { ...rest, signal })
    },
  }
}
