import * as z from 'zod'
import { wordSequence } from '../conversation/turn-words.ts'
import { onFirstUse } from '../on-first-use.ts'

/** The schema of `PatternGuardOptions` (GU7). */
export const patternGuardSchema = onFirstUse(() => {
  const phrase = z
    .string()
    .max(200)
    .refine(text => wordSequence(text).length > 0, 'must have a word')
  return z.strictObject({
    deny: z.array(phrase).min(1).max(1_000),
    say: z.string().refine(text => text.trim() !== '', 'must not be blank'),
    handOver: z.string().max(200).exactOptional(),
  })
})

/** The words that may follow in phrases, and whether a phrase ends here. */
interface Step {
  readonly next: Map<string, Step>
  ends: boolean
}

const newStep = (): Step => ({ next: new Map(), ends: false })

/** Returns whether a text has the words of one of the phrases, one after the other, however many phrases there are. */
export function phraseTest(phrases: readonly string[]): (text: string) => boolean {
  const root = newStep()
  for (const phrase of phrases) {
    let step = root
    for (const word of wordSequence(phrase)) {
      const next = step.next.get(word) ?? newStep()
      step.next.set(word, next)
      step = next
    }
    step.ends = true
  }
  const beginsAt = (words: readonly string[], start: number): boolean => {
    let step: Step | undefined = root
    for (let at = start; step !== undefined; at++) {
      if (step.ends) return true
      step = step.next.get(words[at] ?? '')
    }
    return false
  }
  return text => {
    const words = wordSequence(text)
    return words.some((_, start) => beginsAt(words, start))
  }
}
