/** The optional marks of words: marks above letters, vowel signs of Arabic and Hebrew, invisible signs. */
const MARKS =
  /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u093c\u09bc\u0a3c]|[\u{fe00}-\u{fe0f}]|\p{Cf}/gu

/** Letters that are written for each other. */
const SAME: Readonly<Record<string, string>> = {
  ى: 'ي',
  ی: 'ي',
  ة: 'ه',
  ک: 'ك',
  ٱ: 'ا',
  'ँ': 'ं',
  ς: 'σ',
}
const SAME_LETTERS = /[ىیةکٱँς]/gu

/** Vowels of Thai and Lao that NFKD takes apart and NFC leaves so. Dictionaries know words with them as one. */
const THAI_AM = /\u0e4d\u0e32/g
const LAO_AM = /\u0ecd\u0eb2/g

/**
 * Returns a text without differences that do not distinguish words: letter case, compatibility forms, accents, vowel
 * signs of Arabic and Hebrew, invisible signs.
 */
export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(MARKS, '')
    // Full case folding: "ẞ" is "ß" is "SS" is "ss".
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replace(SAME_LETTERS, letter => SAME[letter] ?? letter)
    .replace(THAI_AM, '\u0e33')
    .replace(LAO_AM, '\u0eb3')
    .normalize('NFC')

let segmenter: Intl.Segmenter | null = null

/** Segments that were split before, a bounded number of short ones. */
let splitBefore = new Map<string, readonly string[]>()
const MOST_KEPT = 20_000
const LONGEST_KEPT = 12

/**
 * Returns the words of a run that is written without spaces, by a dictionary. Each of them is one word on its own as
 * well. Line breaks may separate runs, which are then found more quickly than one by one; each is in the list.
 */
export function segmentsOf(run: string): readonly string[] {
  // Loading its rules takes milliseconds, which a process that starts has no need to wait for.
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' })
  const segments = Array.from(segmenter.segment(run), ({ segment }) => segment)
  return segments.length <= 1 ? segments : segments.flatMap(wordsOfSegment)
}

/** Returns the words of a segment, seldom more than one. Remembers them: the segmenter takes microseconds a word. */
function wordsOfSegment(segment: string): readonly string[] {
  const known = splitBefore.get(segment)
  if (known !== undefined) return known
  const found = segmentsOf(segment)
  if (splitBefore.size === MOST_KEPT) splitBefore = new Map()
  if (segment.length <= LONGEST_KEPT) splitBefore.set(segment, found)
  return found
}
