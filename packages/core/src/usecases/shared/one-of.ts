import * as z from 'zod'

/** One of a set of words; the error message lists them. */
export const oneOf = <const Words extends readonly string[]>(words: Words) =>
  z.enum(words, `must be one of ${words.join(', ')}`)
