let segmenter: Intl.Segmenter | null = null

/**
 * Returns the sentences of a text; joined they are the text. Works for all languages: the ends of sentences hardly
 * depend on the locale.
 */
export function sentenceSegments(text: string): Intl.Segments {
  // Loading its rules takes milliseconds, which a process that starts has no need to wait for.
  segmenter ??= new Intl.Segmenter('en', { granularity: 'sentence' })
  return segmenter.segment(text)
}

let wordSegmenter: Intl.Segmenter | null = null

/**
 * Returns the index at which the last word of a text begins, also in scripts without spaces; 0 if it is all one word.
 */
export function wordStart(text: string): number {
  wordSegmenter ??= new Intl.Segmenter('en', { granularity: 'word' })
  return wordSegmenter.segment(text).containing(text.length - 1)?.index ?? 0
}
