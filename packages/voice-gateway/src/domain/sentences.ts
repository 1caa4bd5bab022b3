/** A part of a text that is spoken in one go: `text.slice(start, end)`. */
export interface Sentence {
  readonly start: number
  readonly end: number
}

/** The longest piece, characters: a limit of what is lost if a speaker fails, and of what is waited for. */
const LONGEST = 400

/** Ends of sentences in scripts that put no space behind them. */
const WIDE = '。｡！？'
/** Ends of sentences that a space follows: of Latin letters, of Arabic, of Hindi, of Armenian and of Ethiopic ones. */
const ENDS = '.!?…؟۔।॥։።'
/** Ends of parts of a sentence. */
const PARTS = ':;؛'
const CLOSING = '"\'”’»)]」』）】》〉'
/** Letters of scripts that put spaces between sentences alone. */
const UNSPACED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
/** Characters between words of scripts without spaces. */
const WIDE_PARTS = /[、，；：․·]/u

const isSpace = (char: string): boolean => /\s/u.test(char)

/** A point behind these ends no sentence: the number of a list, one letter ("z. B."), or a title ("Dr."). */
const ABBREVIATED =
  /(?:^\d{1,3}|(?:^|[\s(])(?:\p{L}|\p{Lu}\p{Ll}{1,2}|e\.g|i\.e|z\.B|d\.h|[Nn]o|[Nn]r|ca|bzw|usw|etc|vs|approx))\.$/u

/** Longest of these abbreviations, with what stands around them. */
const ABBREVIATION_LENGTH = 12

/** Returns the place of the last character before `at` that closes nothing. */
function lastBefore(text: string, start: number, at: number): number {
  let last = at - 1
  while (last >= start && CLOSING.includes(text[last] ?? '')) last--
  return last
}

/** Reports whether a sentence ends before `at`, where a space stands. Looks at nothing behind that. */
function endsBefore(text: string, start: number, at: number): boolean {
  const last = lastBefore(text, start, at)
  const mark = text[last] ?? ''
  if (last < start) return false
  if (UNSPACED.test(mark)) return at - start >= LONGEST / 10
  if (PARTS.includes(mark)) return at - start >= LONGEST / 4
  if (!ENDS.includes(mark)) return false
  return (
    mark !== '.' || !ABBREVIATED.test(text.slice(Math.max(start, last + 1 - ABBREVIATION_LENGTH), last + 1))
  )
}

/** The end of what is too long: behind its last space or comma, or in the middle of what has none. */
function cutAt(text: string, start: number): number {
  const end = start + LONGEST
  for (let at = end; at > start + LONGEST / 2; at--) {
    const before = text[at - 1] ?? ''
    if (before === ' ' || WIDE_PARTS.test(before)) return at
  }
  // Both halves of a character stay together.
  return /[\uD800-\uDBFF]/.test(text[end - 1] ?? '') ? end - 1 : end
}

/**
 * Returns the sentences of a text from `from` on that are certain: whatever comes behind a text, those stay as they
 * are, so a reply that streams has the same sentences as the whole one. `complete`: nothing comes any more, and the
 * rest is a sentence too. Spaces belong to the sentence before them.
 */
export function sentencesOf(text: string, from: number, complete: boolean): readonly Sentence[] {
  const found: Sentence[] = []
  let start = from
  const close = (end: number): void => {
    found.push({ start, end })
    start = end
  }
  for (let at = from; at < text.length; at++) {
    const char = text[at] ?? ''
    const goesOn = WIDE.includes(char) || CLOSING.includes(char)
    if (!goesOn && at > start && WIDE.includes(text[lastBefore(text, start, at)] ?? ' ')) close(at)
    else if (isSpace(char) && at > start && (char === '\n' || endsBefore(text, start, at))) close(at + 1)
    else if (at - start >= LONGEST) close(cutAt(text, start))
  }
  if (complete && start < text.length) close(text.length)
  return found
}

/** Returns the words of a text as they are spoken: without the marks of Markdown and the addresses of links. */
export const speakable = (text: string): string =>
  text
    .replace(/!?\[([^\][]{0,200})\]\([^()\s]{0,2000}\)/gu, '$1')
    .replace(/^[\t ]{0,8}(?:[-*+•]|#{1,6}|>)[\t ]/gmu, '')
    .replace(/[*_`~]{1,3}/gu, '')
    .replace(/\s+/gu, ' ')
    .trim()
