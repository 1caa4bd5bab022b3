const ARABIC = /^\p{Script=Arabic}{3,}$/u
const HANGUL = /^\p{Script=Hangul}{3,}$/u
/** One syllable with a particle: "차를" is "차". */
const SYLLABLE = /^(\p{Script=Hangul})[을를이가은는에도의로와과만]$/u
/** A Japanese word and its ending: "借りる" and "借り" begin alike. */
const OKURIGANA = /^(\p{Script=Han}+)\p{Script=Hiragana}+$/u
const LATIN = /^\p{Script=Latin}{6,}$/u

/** Letters of an ending, and those that a word has before it, at least. */
const ENDING = 2
const BEGINNING = 5

/** In Arabic the article is a part of the word. */
export const withArticle = (word: string): readonly string[] =>
  ARABIC.test(word) ? [word, `ال${word}`] : [word]

/** Returns a word, and what it may be without the particles and endings that its script writes together with it. */
export function formsOf(word: string): readonly string[] {
  if (HANGUL.test(word))
    return [0, 1, 2, 3].flatMap(more => (word.length - more < 2 ? [] : [word.slice(0, word.length - more)]))
  if (ARABIC.test(word)) {
    const bare = word.replace(/^(?:[وف]?(?:ال|بال|لل)|[وفبلك])(?=.{3})/u, '')
    return [word, bare, bare.replace(/(?<=.{3})(?:نا|كم|هم|ها|[يكه])$/u, '')]
  }
  const [, stem] = OKURIGANA.exec(word) ?? SYLLABLE.exec(word) ?? []
  return stem === undefined ? [word] : [word, stem]
}

/** Returns the keys by which other forms of a word of a group find it. */
export const keysOf = (word: string): readonly string[] => [
  ...(OKURIGANA.test(word) ? formsOf(word) : [word]),
  ...beginningsOf(word),
]

/**
 * Returns beginnings by which forms of a word meet: "verschickt" and "verschicken". Other words begin so as well, so a
 * beginning is marked with a sign that no word has.
 */
export const beginningsOf = (word: string): readonly string[] =>
  LATIN.test(word)
    ? Array.from({ length: ENDING + 1 }, (_, cut) => word.slice(0, word.length - cut))
        .filter(beginning => beginning.length >= BEGINNING)
        .map(beginning => `${beginning}-`)
    : []
