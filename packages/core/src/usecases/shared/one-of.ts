import * as z from 'zod'

/** Returns the schema of one of a set of words. Its error message lists them. */
export const oneOf = <const Words extends readonly string[]>(words: Words) =>
  z.enum(words, `must be one of ${words.join(', ')}`)
