import { z } from 'zod'

/** One of some words; the refusal of another one says which they are. */
export const oneOf = <const Words extends readonly string[]>(words: Words) =>
  z.enum(words, `must be one of ${words.join(', ')}`)
