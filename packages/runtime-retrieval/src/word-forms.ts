const ARABIC = /^\p{Script=Arabic}{3,}$/u
const HANGUL = /^\p{Script=Hangul}{3,}$/u
/** One syllable with a particle: "차를" is "차". */
const SYLLABLE = /^(\p{Script=Hangul})[을를이가은는에도의로와과만]$/u
/** A Japanese word and its ending: "借りる" and "借り" begin alike. */
const OKURIGANA = /^(\p{Script=Han}+)\p{Script=Hiragana}+$/u
const LATIN = /^\p{Script=Latin}{6,}$/u
/** Letters of the last part of a compound, and of the parts before it, at least. */
const LAST = 5
const BEFORE = 4
/** Consonants that tell an Arabic root. */
const ROOT = 3

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
    return [word, bare, bare.replace(/(?<=.{3})(?:نا|كم|هم|ها|[يكها])$/u, '')]
  }
  const [, stem] = OKURIGANA.exec(word) ?? SYLLABLE.exec(word) ?? []
  return stem === undefined ? [word] : [word, stem]
}

/** Returns the keys by which other forms of a word of a group find it. */
export const keysOf = (word: string): readonly string[] => [
  ...(OKURIGANA.test(word) ? formsOf(word) : [word]),
  ...beginningsOf(word),
  ...rootsOf(word),
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

/** Returns a Korean word without the particles that a name lacks, other words as they are. */
export const withoutParticles = (word: string, isInName: (word: string) => boolean): string =>
  HANGUL.test(word) ? (formsOf(word).find(isInName) ?? word) : word

/** Returns what a word of a name may be known by: the end of a compound, and its root. */
export const nameKeysOf = (word: string): readonly string[] => [...endsOf(word), ...rootsOf(word)]

/** Returns the words that a compound may end in: "Gebühren" of "Kontogebühren". */
const endsOf = (word: string): readonly string[] =>
  LATIN.test(word)
    ? Array.from({ length: Math.max(0, word.length - BEFORE - LAST + 1) }, (_, at) => word.slice(BEFORE + at))
    : []

/**
 * Returns the consonants of an Arabic word without its affixes, which plurals, participles and verbs share: "حقب-" of
 * "الحقيبة" and "حقائب". Other words may have them as well, so they are marked as {@link beginningsOf} are.
 */
export function rootsOf(word: string): readonly string[] {
  if (!ARABIC.test(word)) return []
  const consonants = word
    .replace(/^[وف]?(?:ال|بال|كال|لل|[بلك])?(?=.{3})/u, '')
    .replace(/(?<=.{3})(?:نا|كم|هم|ها|ني|[يك])$/u, '')
    .replace(/(?<=.{3})(?:ات|ون|ين|ان|وا|[هت])$/u, '')
    .replace(/^[متينا](?=.{3})/u, '')
    .replace(/[اويءئؤى]/gu, '')
  return consonants.length < ROOT ? [] : [`${consonants}-`]
}
