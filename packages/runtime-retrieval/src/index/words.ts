import { foldText, segmentsOf } from '@colloquy/core/runtime'

/** A run of letters, marks and digits of any script, or one pictograph. */
const WORD = /[\p{L}\p{M}\p{N}]+|\p{Extended_Pictographic}/gu

/**
 * Characters that join the parts of one word: an apostrophe or a hyphen between letters. "don't" and "dont" are one
 * word, and "e-mail" and "email".
 */
const JOINTS = /(?<=\p{L})['’ʼ\-\u2010\u2011](?=\p{L})/gu

/** Texts that only change by their letter case when they are folded. */
const ASCII = /^[\0-\x7f]*$/
const ASCII_WORD = /[a-z0-9]+/g
const ASCII_JOINTS = /(?<=[a-z])['-](?=[a-z])/g

/** Characters of a question or of a topic's text that count; the rest is not looked at. */
const LOOKED_AT = 20_000

/** Scripts that put no spaces between words, and whose words a dictionary tells apart. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu
const IS_UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/**
 * Returns the words of a text in any script: compatibility forms, letter case, accents, vowel signs, hyphens and
 * invisible signs do not tell words apart. Where no spaces are written, words are those of `Intl.Segmenter` (RT20).
 */
export function words(text: string): readonly string[] {
  const read = text.slice(0, LOOKED_AT)
  if (ASCII.test(read)) {
    const lower = read.toLowerCase()
    return (/['-]/.test(lower) ? lower.replace(ASCII_JOINTS, '') : lower).match(ASCII_WORD) ?? []
  }
  const folded = foldText(read).replace(JOINTS, '')
  const spaced = IS_UNSPACED.test(folded)
    ? folded.replace(UNSPACED, run => ` ${segmentsOf(run).join(' ')} `)
    : folded
  return spaced.match(WORD) ?? []
}

/** Scripts whose characters tell more than letters do. */
const SYLLABLES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]/u

/** Returns the number of common characters from which on two words count as related. */
export const partLength = (word: string): number => (SYLLABLES.test(word) ? 2 : IS_ASCII.test(word) ? 4 : 3)

const IS_ASCII = /^[\0-\x7f]*$/

/** Words longer than this give n-grams of their beginning alone. */
const LONGEST = 60

/**
 * Parts of one word, so that word forms, compounds and typing errors still meet: three characters, with `<` and `>` for
 * its ends; one or two where each character tells more.
 */
export function ngrams(word: string): readonly string[] {
  const short = word.slice(0, LONGEST)
  const [text, lengths] = SYLLABLES.test(word) ? [short, [1, 2]] : [`<${short}>`, [3]]
  return lengths.flatMap(length =>
    Array.from({ length: Math.max(0, text.length - length + 1) }, (_, start) =>
      text.slice(start, start + length),
    ),
  )
}
