let segmenter: Intl.Segmenter | null = null

/**
 * The sentences of a text; joined they are the text. Works for all languages: the ends of sentences hardly depend on
 * the locale.
 */
export function sentenceSegments(text: string): Intl.Segments {
  // Loading its rules takes milliseconds, which a process that starts has no need to wait for.
  segmenter ??= new Intl.Segmenter('en', { granularity: 'sentence' })
  return segmenter.segment(text)
}
