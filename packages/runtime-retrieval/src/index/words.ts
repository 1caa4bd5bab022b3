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

/**
 * Returns the words of a text in any script: compatibility forms, letter case, accents, vowel signs, hyphens and
 * invisible signs do not tell words apart. Where no spaces are written, words are those of `Intl.Segmenter` (RT20).
 */
export const words = (text: string): readonly string[] => wordsOfAll([text])[0] ?? []

/** Returns the {@link words} of each text. Much quicker than one text after the other: the segmenter runs once. */
export function wordsOfAll(texts: readonly string[]): readonly (readonly string[])[] {
  const read = texts.map(text => text.slice(0, LOOKED_AT))
  const inScripts = wordsInScripts(read.filter(text => !ASCII.test(text)))
  let next = 0
  return read.map(text => (ASCII.test(text) ? wordsInAscii(text) : (inScripts[next++] ?? [])))
}

function wordsInAscii(text: string): readonly string[] {
  const lower = text.toLowerCase()
  return (/['-]/.test(lower) ? lower.replace(ASCII_JOINTS, '') : lower).match(ASCII_WORD) ?? []
}

/** Joins the texts by line breaks, over which neither folding nor the segmenter looks. */
function wordsInScripts(texts: readonly string[]): readonly (readonly string[])[] {
  const lines = texts.map(text => text.replaceAll('\n', ' '))
  const folded = foldText(lines.join('\n')).replace(JOINTS, '')
  return segmented(folded)
    .split('\n')
    .map(line => line.match(WORD) ?? [])
}

/** Writes spaces between the words of scripts that have none. */
function segmented(text: string): string {
  const runs = [...new Set(text.match(UNSPACED))]
  if (runs.length === 0) return text
  const spaced = segmentsOf(runs.join('\n')).join(' ').split('\n')
  const byRun = new Map(runs.map((run, at) => [run, spaced[at]]))
  return text.replace(UNSPACED, run => ` ${byRun.get(run) ?? run} `)
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
