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

/** Returns the words of a text between single spaces: a phrase is in a text if its words are. */
export const spacedWords = (text: string): string => ` ${wordSequence(text).join(' ')} `
