import { cutPlace, startOf } from '../cut-text.ts'
import { foldText, segmentsOf } from '../text/fold-text.ts'
import type { StoredTurn } from './record.ts'

/** The words of a turn to search: the user's input, the agent's response, or both together. */
export type Speaker = 'user' | 'agent' | 'either'

/** The words of a turn's two sides. */
export interface TurnWords {
  readonly user: readonly string[]
  readonly agent: readonly string[]
}

/** Words that one turn must all hold. */
export interface WordCondition {
  /** At least one. A store is given them as {@link wordsOf} makes them; `platform.reading` takes any texts. */
  readonly words: readonly string[]
  readonly speaker: Speaker
}

/** Writing without spaces: each character is a word of its own. */
const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu
/** Scripts in which a dictionary separates the words. */
const UNSPACED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu
/** A letter with a hyphen before more of its word: "e-mail" is "email", and "X-ray" is "xray". */
const LONE_LETTER = /(?<![\p{L}\p{M}\p{N}])(\p{L})[-\u2010](?=\p{L})/gu
/** Words and hyphens between them. */
const HYPHENED = /[\p{L}\p{M}\p{N}\u2010-]+/gu
const HYPHENS = /[-\u2010]/g
const HYPHEN = /[-\u2010]/
/** Longer runs are several words, so that no store has to know a limit. */
const LONGEST = 64
const WORD = /[\p{L}\p{M}\p{N}]{1,64}/gu
/** Texts in ASCII have no other forms, and their words are found several times as fast. */
const PLAIN = /^\p{ASCII}*$/u
const PLAIN_WORD = /[a-z\d]{1,64}/g

/** Characters of a side, folded, by whose words it is found: a message may have letters that fold to eighteen each. */
const LOOKED_AT = 131_072

/** Languages that write a word of several as one: "Frühstückszeiten". */
const COMPOUNDING: ReadonlySet<string> = new Set([
  ...['da', 'de', 'et', 'fi', 'fo', 'fy', 'hu', 'is', 'lb', 'nb', 'nl', 'nn', 'no', 'sv'],
])
/** The shortest part of such a word, and the longest word that is taken apart. */
const SHORTEST_PART = 4
const LONGEST_COMPOUND = 40
const LETTERS = /^[\p{L}\p{M}]+$/u

/** The shortest and the longest beginning by which a word is found. */
const SHORTEST_START = 3
const LONGEST_START = 20

function folded(text: string): string {
  const read = PLAIN.test(text) ? text.toLowerCase() : foldText(text)
  return HYPHEN.test(read) ? read.replace(LONE_LETTER, '$1') : read
}

/** Returns the words of a folded text as they come, one that comes again included. */
function wordsIn(text: string): readonly string[] {
  if (PLAIN.test(text)) return text.match(PLAIN_WORD) ?? []
  const spaced = text.replace(SPACELESS, ' $& ').replace(UNSPACED, run => ` ${segmentsOf(run).join(' ')} `)
  return spaced.match(WORD) ?? []
}

/** Returns the words of a text in their order, one that comes again included (GU7). */
export const wordSequence = (text: string): readonly string[] => wordsIn(folded(text))

/**
 * Returns the words of a text, each once: runs of letters and digits, folded; in scripts without spaces, words by a
 * dictionary. This alone defines a word; stores compare words, and never texts (RC40).
 */
export const wordsOf = (text: string): readonly string[] => [...new Set(wordSequence(text))]

/** Beginnings and endings of a word that may be one of several, each at least {@link SHORTEST_PART} long. */
function partsOf(word: string): readonly string[] {
  const parts: string[] = []
  if (word.length > LONGEST_COMPOUND || !LETTERS.test(word)) return parts
  for (let end = SHORTEST_PART; end <= word.length - SHORTEST_PART; end++)
    parts.push(word.slice(0, end), word.slice(end))
  return parts
}

/** Beginnings of a word, whole characters each. */
function startsOf(word: string): readonly string[] {
  const starts: string[] = []
  for (let length = SHORTEST_START; length <= Math.min(word.length - 1, LONGEST_START); length++)
    if (cutPlace(word, length) === length) starts.push(word.slice(0, length))
  return starts
}

/**
 * Returns the words by which a text is found: its own and their beginnings, those with hyphens also as one, and in
 * languages that write compounds as one word their parts (RC40).
 */
function findableWords(text: string, language: string): readonly string[] {
  const read = startOf(folded(text), LOOKED_AT)
  const own = wordsIn(read)
  const hyphened = HYPHEN.test(read) ? (read.match(HYPHENED) ?? []) : []
  const joined = hyphened
    .filter(one => one.length <= LONGEST && HYPHEN.test(one))
    .map(one => one.replace(HYPHENS, ''))
    .filter(one => one !== '')
  const parts = COMPOUNDING.has(language.split(/[-_]/)[0]?.toLowerCase() ?? '') ? own.flatMap(partsOf) : []
  return [...new Set([...own, ...joined, ...parts, ...own.flatMap(startsOf)])]
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The texts of a turn's two sides. Empty if nothing was said. */
export interface TurnTexts {
  readonly user: string
  readonly agent: string
}

/** Returns the texts of a turn as it is kept. */
export const turnTexts = ({ record }: Pick<StoredTurn, 'record'>): TurnTexts => ({
  user: textOf(record.user_input),
  agent: textOf(record.agent_response),
})

/** Returns the words by which a turn as it is kept is found, each once on a side. */
export function turnWords(turn: Pick<StoredTurn, 'record'> & Partial<StoredTurn>): TurnWords {
  const { user, agent } = turnTexts(turn)
  const language = textOf(turn.details?.language)
  return { user: findableWords(user, language), agent: findableWords(agent, language) }
}

/** True when one of the turns contains all the words on the selected side. */
export const holdWords = (turns: readonly StoredTurn[], { words, speaker }: WordCondition): boolean =>
  turns.some(turn => {
    const { user, agent } = turnWords(turn)
    const said = speaker === 'user' ? user : speaker === 'agent' ? agent : [...user, ...agent]
    return words.every(word => said.includes(word))
  })
