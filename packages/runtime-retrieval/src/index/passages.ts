import { startOf } from '@colloquy/core/runtime'
import { sentenceSegments, wordStart } from '../sentence-segments.ts'
import { alike, lettersOf, mayBeAlike } from './alike.ts'
import { buildWordIndex } from './word-index.ts'
import { words } from './words.ts'

/**
 * Returns the first sentences of a text, trimmed, blank ones left out. Line breaks end a sentence in every language.
 */
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
  /** The separator from the piece before it: nothing within a word or sentence. */
  readonly after: '' | ' ' | '\n\n'
}

/** The longest part of a sentence that is itself too long. */
const LONGEST_PART = 200
/** Paragraphs of an answer are taken whole when none is longer. */
const LONGEST_PARAGRAPH = 500
/** Words of a question whose forms are looked for. */
const MOST_ASKED = 12
/** The length of a beginning that answers when nothing shares anything with the question. */
const OPENING = 300

/**
 * Returns the part of a topic's content to say: all of it up to `length` characters; otherwise the paragraphs, or else
 * sentences, or else parts of sentences, that cover the question best, as many as fit, in their original order. Never
 * more than `length` characters, whatever the content is (RT14).
 *
 * An `answer` is made of those alone that share something with the question, or else of the beginning. Forms of its
 * words count if the words themselves are nowhere.
 */
export function excerpt(content: string, question: string, length: number, answer = false): string {
  const whole = content.trim()
  if (whole.length <= length) return whole
  const paragraphs = whole.split(/\n\s*\n/).map(paragraph => paragraph.trim())
  const longest = answer ? Math.min(length, LONGEST_PARAGRAPH) : length
  const byParagraph = paragraphs.every(paragraph => paragraph.length <= longest)
  const pieces = paragraphs.flatMap((paragraph): readonly Piece[] =>
    byParagraph ? [{ text: paragraph, after: '\n\n' }] : piecesOf(paragraph, length),
  )
  const chosen = choose(pieces, question, length, answer)
  let said = ''
  let paragraph = false
  for (const [index, { text, after }] of pieces.entries()) {
    paragraph ||= after === '\n\n'
    if (!chosen.has(index)) continue
    const between = paragraph ? '\n\n' : chosen.has(index - 1) ? after : ' '
    said += said === '' ? text : between + text
    paragraph = false
  }
  return said
}

/** Returns the sentences of a paragraph, and parts of those that are too long. */
const piecesOf = (paragraph: string, length: number): readonly Piece[] =>
  sentences(paragraph)
    .flatMap(sentence => partsOf(sentence, length))
    .map((piece, at) => (at === 0 ? { ...piece, after: '\n\n' } : piece))

/**
 * Returns a sentence that is too long in parts: cut behind a sign, else at a space, else between words or characters.
 */
function partsOf(sentence: string, length: number): readonly Piece[] {
  if (sentence.length <= length) return [{ text: sentence, after: ' ' }]
  const most = Math.min(length, LONGEST_PART)
  const parts: Piece[] = []
  let rest = sentence
  let after: '' | ' ' = ' '
  while (rest !== '') {
    const end = rest.length <= most ? rest.length : partEnd(startOf(rest, most + 1), most)
    if (end === 0) break
    const part = rest.slice(0, end)
    parts.push({ text: part.trim(), after })
    after = /\s$/.test(part) || /^\s/.test(rest.slice(end, end + 1)) ? ' ' : ''
    rest = rest.slice(end).trimStart()
  }
  return parts.filter(({ text }) => text !== '')
}

/** Returns the end of a part within a window that is one character longer than the longest part. */
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
  answer: boolean,
): ReadonlySet<number> {
  const index = buildWordIndex(pieces.map(({ text }) => text))
  const asked = words(question)
  const scores = index.coverage(asked)
  const isMet = scores.some(score => score > 0)
  if (answer && !isMet) scores.set(index.coverage(formsOf(asked, index.words)))
  const scoreOf = (piece: number): number => scores[piece] ?? 0
  const ranked = pieces.map((_, piece) => piece).sort((a, b) => scoreOf(b) - scoreOf(a) || a - b)
  const best = scoreOf(ranked[0] ?? 0)
  const most = answer && best === 0 ? Math.min(length, OPENING) : length
  const chosen = new Set<number>()
  let used = 0
  for (const piece of ranked) {
    const size = pieces[piece]?.text.length ?? 0
    if (answer && scoreOf(piece) < best / 3) break
    if (used + size > most && (chosen.size > 0 || size > length)) {
      // A beginning ends where it would be too long.
      if (most < length) break
      continue
    }
    chosen.add(piece)
    used += size + 2
  }
  return chosen
}

/** Returns the words that are forms of those that are asked for. */
const formsOf = (asked: readonly string[], known: readonly string[]): readonly string[] => {
  const some = [...new Set(asked)].slice(0, MOST_ASKED).map(word => ({ word, letters: lettersOf(word) }))
  return known.filter(word => {
    const letters = lettersOf(word)
    return some.some(one => mayBeAlike(word, one.word, letters, one.letters) && alike(word, one.word) > 0)
  })
}
