import { sentenceSegments } from './sentence-segments.ts'

/** Longer sentences, in characters, are said in several chunks. */
const LONGEST = 160

/** At most that many characters and the white space after them, or one longer word. */
const PART = new RegExp(`[^]{1,${LONGEST - 1}}(?:\\s+|$)|\\s*\\S+\\s*`, 'gu')

/**
 * Splits a text into sentences, and long sentences into a few words each; joined, the chunks are the text (RT25). Line
 * breaks end sentences.
 */
export const chunks = (text: string): readonly string[] =>
  Array.from(sentenceSegments(text), ({ segment }) => segment).flatMap(sentence =>
    sentence.length <= LONGEST ? [sentence] : (sentence.match(PART) ?? [sentence]),
  )
