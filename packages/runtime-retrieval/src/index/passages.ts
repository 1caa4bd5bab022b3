import { startOf } from '@colloquy/core/runtime'
import { sentenceSegments, wordStart } from '../sentence-segments.ts'
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

/** A piece of a content that is taken or left as a whole. */
interface Piece {
  readonly text: string
  /** True for a part of a word or sentence that follows the piece before it without a space. */
  readonly joined: boolean
}

/** The longest part of a sentence that is itself too long. */
const LONGEST_PART = 200

/**
 * The part of a topic's content to say: all of it up to `length` characters; otherwise the paragraphs, or else
 * sentences, or else parts of sentences, that cover the question best, as many as fit, in their original order. Never
 * more than `length` characters, whatever the content is (RT14). With `fitting` only those that share something with
 * the question, unless none does.
 */
export function excerpt(content: string, question: string, length: number, fitting = false): string {
  const whole = content.trim()
  if (whole.length <= length) return whole
  const paragraphs = whole.split(/\n\s*\n/).map(paragraph => paragraph.trim())
  const byParagraph = paragraphs.every(paragraph => paragraph.length <= length)
  const pieces = byParagraph
    ? paragraphs.map((text): Piece => ({ text, joined: false }))
    : sentences(whole).flatMap(sentence => partsOf(sentence, length))
  const chosen = choose(pieces, question, length, fitting)
  let said = ''
  for (const [index, { text, joined }] of pieces.entries()) {
    if (!chosen.has(index)) continue
    const between = joined && chosen.has(index - 1) ? '' : byParagraph ? '\n\n' : ' '
    said += said === '' ? text : between + text
  }
  return said
}

/** A sentence that is too long in parts: cut behind a sign, else at a space, else between words or characters. */
function partsOf(sentence: string, length: number): readonly Piece[] {
  if (sentence.length <= length) return [{ text: sentence, joined: false }]
  const most = Math.min(length, LONGEST_PART)
  const parts: Piece[] = []
  let rest = sentence
  let joined = false
  while (rest !== '') {
    const end = rest.length <= most ? rest.length : partEnd(startOf(rest, most + 1), most)
    if (end === 0) break
    const part = rest.slice(0, end)
    parts.push({ text: part.trim(), joined })
    joined = !/\s$/.test(part) && !/^\s/.test(rest.slice(end, end + 1))
    rest = rest.slice(end).trimStart()
  }
  return parts.filter(({ text }) => text !== '')
}

/** Where a part ends within a window that is one character longer than a part may be. */
function partEnd(window: string, most: number): number {
  const head = startOf(window, most)
  const sign = Math.max(...[';', ',', '|', '>', '\t', '、', '，', '；'].map(one => head.lastIndexOf(one))) + 1
  if (sign > most / 2) return sign
  const space = window.search(/\s\S*$/u)
  if (space > 0) return space
  return wordStart(window) || head.length
}

function choose(
  pieces: readonly Piece[],
  question: string,
  length: number,
  fitting: boolean,
): ReadonlySet<number> {
  const scores = buildWordIndex(pieces.map(({ text }) => text)).coverage(words(question))
  const scoreOf = (index: number): number => scores[index] ?? 0
  const ranked = pieces.map((_, index) => index).sort((a, b) => scoreOf(b) - scoreOf(a) || a - b)
  const least = fitting ? scoreOf(ranked[0] ?? 0) / 3 : 0
  const chosen = new Set<number>()
  let used = 0
  for (const index of ranked) {
    const size = pieces[index]?.text.length ?? 0
    if (scoreOf(index) < least) break
    if (used + size > length) continue
    chosen.add(index)
    used += size + 2
  }
  return chosen
}
