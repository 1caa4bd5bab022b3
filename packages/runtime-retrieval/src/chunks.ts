/** Marks of all languages; what ends a sentence hardly depends on it. */
const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Characters from which a sentence is said in several chunks. */
const LONGEST = 160

/** Up to that many characters and the white space behind them; else a word that is longer. */
const PART = new RegExp(`[^]{1,${LONGEST - 1}}(?:\\s+|$)|\\s*\\S+\\s*`, 'gu')

/**
 * A text sentence by sentence, long sentences by a few words at a time; together the chunks are the text (RT25). Lines end sentences.
 */
export const chunks = (text: string): readonly string[] =>
  Array.from(SENTENCES.segment(text), ({ segment }) => segment).flatMap(sentence =>
    sentence.length <= LONGEST ? [sentence] : (sentence.match(PART) ?? [sentence]),
  )
