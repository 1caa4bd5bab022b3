import { sentenceSegments } from './sentence-segments.ts'

/** Longer sentences, in characters, are said in several chunks. */
const LONGEST = 160

/** At most that many characters, with one of white space at least at their end, or one longer word. */
const PART = /.{1,159}(?:\s+|$)|\s*\S+\s*/gsu

/**
 * Splits a text into sentences, and long sentences into a few words each; joined, the chunks are the text. Line
 * breaks end sentences.
 */
export const chunks = (text: string): readonly string[] =>
  Array.from(sentenceSegments(text), ({ segment }) => segment).flatMap(sentence =>
    sentence.length <= LONGEST ? [sentence] : (sentence.match(PART) ?? [sentence]),
  )
