/** A run of letters, marks and digits of any script, or one pictograph. */
const WORD = /[\p{L}\p{M}\p{N}]+|\p{Extended_Pictographic}/gu

/** Apostrophes within a word join its parts: "don't" and "dont" are one word. */
const APOSTROPHES = /(?<=\p{L})['’ʼ](?=\p{L})/gu

/** Accents of Latin, Greek and Cyrillic letters; marks of other scripts carry meaning and stay. */
const ACCENTS = /[\u0300-\u036f]/g

/** What no folding but that of letter case changes. */
const ASCII = /^[\0-\x7f]*$/
const ASCII_WORD = /[a-z0-9]+/g
const ASCII_APOSTROPHES = /(?<=[a-z])'(?=[a-z])/g

/** Characters of a question or of a topic's text that count; the rest is not looked at. */
const LOOKED_AT = 20_000

/**
 * The words of a text in any script: compatibility forms, letter case and accents do not tell words apart.
 * Scripts that write no spaces give long runs; their parts count through {@link ngrams}.
 */
export function words(text: string): readonly string[] {
  const read = text.slice(0, LOOKED_AT)
  if (ASCII.test(read)) return asciiWords(read.toLowerCase())
  const folded = read
    .normalize('NFKD')
    .toLowerCase()
    .replace(ACCENTS, '')
    .normalize('NFC')
    .replace(APOSTROPHES, '')
  return folded.match(WORD) ?? []
}

/** The same for plain ASCII in lower case, several times as fast. */
function asciiWords(text: string): readonly string[] {
  const joined = text.includes("'") ? text.replace(ASCII_APOSTROPHES, '') : text
  return joined.match(ASCII_WORD) ?? []
}

/** Scripts that do not put spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** Words longer than this give n-grams of their beginning alone. */
const LONGEST = 60

/**
 * Parts of one word, so that word forms and typing errors still meet: two to four characters, with `<` and `>` for its
 * ends. In scripts without spaces one to three characters, without ends.
 */
export function ngrams(word: string): readonly string[] {
  const unspaced = UNSPACED.test(word)
  const text = unspaced ? word.slice(0, LONGEST) : `<${word.slice(0, LONGEST)}>`
  const [shortest, longest] = unspaced ? [1, 3] : [2, 4]
  const grams: string[] = []
  for (let length = shortest; length <= longest; length += 1) {
    for (let start = 0; start + length <= text.length; start += 1)
      grams.push(text.slice(start, start + length))
  }
  return grams
}
