import type { Speaker, Transcriber } from '../../src/index.ts'
import { fromMuLaw } from '../../src/twilio/mu-law.ts'

/** The sentences that an agent of phone calls can say in tests. */
const SENTENCES = [
  'Welcome.',
  'You said May I bring my dog.',
  'You said Is breakfast included.',
  'And that was all of it.',
  'I put you through.',
  'Goodbye.',
] as const

/** Each sentence is a level: it survives the rate and the coding of a telephone. */
const LEVELS = SENTENCES.map((_, index) => 1_500 * 1.5 ** index)
const levelOf = new Map<string, number>(SENTENCES.map((text, index) => [text, LEVELS[index] ?? 0]))
const MS_OF_CHARACTER = 20

/** Milliseconds of a sentence. */
export const msOf = (sentence: string): number => sentence.length * MS_OF_CHARACTER

/** Speaks the sentences above, each at its level. */
export const levelSpeaker: Speaker = {
  async *speak(text, { rate, signal }) {
    const sentence = text.trim()
    const level = levelOf.get(sentence)
    if (level === undefined) throw new Error(`There is no level for the sentence "${sentence}".`)
    const sound = new Uint8Array(new Int16Array((rate * msOf(sentence)) / 1_000).fill(level).buffer)
    for (let at = 0; at < sound.length; at += 4_800) {
      await new Promise(resolve => setImmediate(resolve))
      signal.throwIfAborted()
      yield sound.slice(at, at + 4_800)
    }
  },
}

/** The sentences in µ-law that was played, in order, with the milliseconds of each run. */
export function sentencesIn(sound: Uint8Array): readonly { readonly text: string; readonly ms: number }[] {
  const found: { text: string; ms: number }[] = []
  for (const sample of fromMuLaw(sound)) {
    const nearest = LEVELS.reduce((best, level) =>
      Math.abs(level - sample) < Math.abs(best - sample) ? level : best,
    )
    // The edges of a sentence are filtered.
    const text = Math.abs(nearest - sample) < nearest / 10 ? SENTENCES[LEVELS.indexOf(nearest)] : undefined
    if (text === undefined) continue
    const last = found.at(-1)
    if (last?.text === text) last.ms += 1 / 8
    else found.push({ text, ms: 1 / 8 })
  }
  // A level that a filter passes on its way to another one.
  return found.filter(({ ms }) => ms > 10).map(({ ms, text }) => ({ text, ms: Math.round(ms) }))
}

/** The levels of a caller's voice, and the words that they are understood as. */
export const DOG = { level: 12_000, words: 'May I bring my dog' }
export const BREAKFAST = { level: 4_000, words: 'Is breakfast included' }

/** Understands a caller by the loudness of the voice. */
export const loudnessTranscriber: Transcriber = {
  open() {
    let end = (): void => {}
    let loudest = 0
    const ended = new Promise<void>(resolve => {
      end = resolve
    })
    return {
      write(frame) {
        for (const sample of new Int16Array(frame.slice().buffer)) loudest = Math.max(loudest, sample)
      },
      events: (async function* () {
        await ended
        const { words } = loudest > (DOG.level + BREAKFAST.level) / 2 ? DOG : BREAKFAST
        yield { type: 'final' as const, text: words, segment: 0 }
      })(),
      end,
    }
  },
}
