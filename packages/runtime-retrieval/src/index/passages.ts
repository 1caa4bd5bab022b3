import { sentenceSegments } from '../sentence-segments.ts'
import { buildWordIndex } from './word-index.ts'
import { words } from './words.ts'

/** The first sentences of a text, trimmed, blank ones left out. Line breaks end a sentence in every language. */
export function sentences(text: string, most: number = Number.POSITIVE_INFINITY): readonly string[] {
  const found: string[] = []
  for (const line of text.split(/\n+/)) {
    for (const { segment } of sentenceSegments(line)) {
      if (found.length >= most) return found
      const sentence = segment.trim()
      if (sentence !== '') found.push(sentence)
    }
  }
  return found
}

/**
 * The part of a topic's content to say: all of it up to `length` characters; otherwise the paragraphs, or else
 * sentences, that cover the question best, as many as fit, in their original order, and at least one.
 */
export function excerpt(content: string, question: string, length: number): string {
  const whole = content.trim()
  if (whole.length <= length) return whole
  const paragraphs = whole.split(/\n\s*\n/).map(paragraph => paragraph.trim())
  const byParagraph = paragraphs.every(paragraph => paragraph.length <= length)
  const pieces = byParagraph ? paragraphs : sentences(whole)
  const chosen = choose(pieces, question, length)
  return pieces.filter((_, index) => chosen.has(index)).join(byParagraph ? '\n\n' : ' ')
}

function choose(pieces: readonly string[], question: string, length: number): ReadonlySet<number> {
  const scores = buildWordIndex(pieces).coverage(words(question))
  const ranked = pieces.map((_, index) => index).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
  const chosen = new Set<number>()
  let used = 0
  for (const index of ranked) {
    const size = (pieces[index] ?? '').length
    if (chosen.size > 0 && used + size > length) continue
    chosen.add(index)
    used += size + 2
  }
  return chosen
}
