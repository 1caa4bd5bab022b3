import { cutPlace } from '../cut-text.ts'

/** The longest text without a point to cut it that is kept back, in UTF-16 code units (MS30). */
const LONGEST_WAIT = 1000

/** Scripts that are written without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** A text cut in two: what may be sent, and what waits for more. Together they are the text. */
export interface ChunkCut {
  readonly ready: string
  readonly rest: string
}

/**
 * Cuts streamed text where a chunk may end (MS30): behind the last white space, otherwise, in scripts without spaces,
 * before the last word. A longer run without either is cut before its last grapheme. What follows the cut may still
 * grow.
 */
export function cutChunk(text: string): ChunkCut {
  return cutAt(text, behindSpace(text) || beforeLastWord(text) || beforeLastGrapheme(text))
}

const cutAt = (text: string, at: number): ChunkCut => ({ ready: text.slice(0, at), rest: text.slice(at) })

const behindSpace = (text: string): number => text.search(/\s\S*$/u) + 1

const beforeLastWord = (text: string): number => (UNSPACED.test(text) ? lastSegment(text, 'word') : 0)

function beforeLastGrapheme(text: string): number {
  if (text.length <= LONGEST_WAIT) return 0
  return lastSegment(text, 'grapheme') || cutPlace(text, LONGEST_WAIT)
}

function lastSegment(text: string, granularity: 'word' | 'grapheme'): number {
  return new Intl.Segmenter(undefined, { granularity }).segment(text).containing(text.length - 1)?.index ?? 0
}
