import { ENGLISH_PHRASES } from './english.ts'
import { words } from './index/words.ts'
import { PACKS } from './packs/index.ts'
import type { PhraseBook, Phrases } from './phrases.ts'
import { type Related, relatedIn } from './reworded.ts'

/** A run of words. */
type Sequence = readonly string[]

/** The phrases of a language, with the words by which it is understood taken apart. */
export interface Wording {
  /** The code of the language, without a country. */
  readonly language: string
  readonly phrases: Phrases
  readonly smallTalk: readonly { readonly says: string; readonly to: readonly Sequence[] }[]
  readonly fillers: readonly Sequence[]
  readonly yes: readonly Sequence[]
  readonly no: readonly Sequence[]
  readonly corrections: readonly Sequence[]
  readonly choices: readonly (readonly Sequence[])[]
  readonly followUps: readonly Sequence[]
  readonly conjunctions: readonly Sequence[]
  readonly people: ReadonlySet<string>
  readonly references: ReadonlySet<string>
  readonly commonWords: ReadonlySet<string>
  readonly related: Related
  readonly aspects: readonly { readonly asked: ReadonlySet<string>; readonly told: ReadonlySet<string> }[]
}

const sequences = (phrases: readonly string[]): readonly Sequence[] =>
  phrases
    .map(words)
    .filter(one => one.length > 0)
    // The longest that fits counts.
    .sort((a, b) => b.length - a.length)

/** Returns a function that makes something of a list once. */
function once<Made>(make: (list: readonly string[]) => Made): (list: readonly string[]) => Made {
  const made = new WeakMap<readonly string[], Made>()
  return list => {
    const known = made.get(list)
    if (known !== undefined) return known
    const one = make(list)
    made.set(list, one)
    return one
  }
}

const folded = once(list => setOf(list))
const groups = once(relatedIn)

/** Words that any question in a language has, folded as an index does. */
export const commonWordsOf = ({ commonWords }: Pick<Phrases, 'commonWords'>): ReadonlySet<string> =>
  folded(commonWords)

/** The words by which each may be meant in a language. */
export const relatedOf = ({ related }: Pick<Phrases, 'related'>): Related => groups(related)

const setOf = (list: readonly string[]): ReadonlySet<string> => new Set(list.flatMap(words))

/** Prepares phrases for matching. */
const wordingOf = (phrases: Phrases, language: string): Wording => ({
  language,
  phrases,
  smallTalk: phrases.smallTalk.map(({ says, to }) => ({ says, to: sequences(to) })),
  fillers: sequences(phrases.fillers),
  yes: sequences(phrases.yes),
  no: sequences(phrases.no),
  corrections: sequences(phrases.corrections),
  choices: phrases.choices.map(sequences),
  followUps: sequences(phrases.followUps),
  conjunctions: sequences(phrases.conjunctions),
  people: setOf(phrases.people),
  references: setOf(phrases.references),
  commonWords: commonWordsOf(phrases),
  related: relatedOf(phrases),
  aspects: phrases.aspects.map(({ asked, told }) => ({ asked: setOf(asked), told: setOf(told) })),
})

const NO_PHRASES: PhraseBook = {}

/** Returns the language of a code, without the country. */
export const baseOf = (languageCode: string): string => languageCode.split(/[-_]/)[0]?.toLowerCase() ?? ''

/** Returns the entries of a book from which a language takes its phrases, the language's own last. */
function entriesFor(book: PhraseBook, languageCode: string): readonly string[] {
  const wanted = new Set([baseOf(languageCode), languageCode.toLowerCase()])
  return Object.keys(book)
    .filter(code => wanted.has(code.toLowerCase()))
    .sort((a, b) => a.length - b.length)
}

/** The sources of an agent's phrases. */
export interface PhraseSources {
  /** The host's, over the runtime's own. */
  readonly book: PhraseBook
  /** The agent's, over the host's; its small talk comes beside the other. @default none */
  readonly own?: PhraseBook | undefined
}

/** True when there are phrases for a language, its own or its base language's. */
const isSpoken = ({ book, own = NO_PHRASES }: PhraseSources, languageCode: string): boolean =>
  PACKS.has(baseOf(languageCode)) || [book, own].some(one => entriesFor(one, languageCode).length > 0)

/** Returns the first of some languages for which there are phrases (RT19). */
const spokenIn = (sources: PhraseSources, languageCodes: readonly string[]): string | undefined =>
  languageCodes.find(code => isSpoken(sources, code))

/**
 * Returns the phrases for the first of some languages that has any, English otherwise: those of `de-AT` over those of
 * `de`, the agent's over the host's over the runtime's own (RT19).
 */
export const phrasesFor = (sources: PhraseSources, languageCodes: readonly string[]): Phrases =>
  phrasesIn(sources, spokenIn(sources, languageCodes) ?? 'en')

function phrasesIn({ book, own = NO_PHRASES }: PhraseSources, languageCode: string): Phrases {
  let phrases = PACKS.get(baseOf(languageCode)) ?? ENGLISH_PHRASES
  for (const code of entriesFor(book, languageCode)) phrases = { ...phrases, ...book[code] }
  for (const code of entriesFor(own, languageCode)) {
    // The last of equally good ones answers.
    const smallTalk = [...phrases.smallTalk, ...(own[code]?.smallTalk ?? [])]
    phrases = { ...phrases, ...own[code], smallTalk }
  }
  return phrases
}

/** The wordings of languages. */
export interface Wordings {
  /**
   * The wording for the first of some languages that has phrases, else for that in which a text is written, else
   * English; an agent's `own` phrases lie over the host's (RT19).
   */
  for(
    languageCodes: readonly string[],
    more?: { readonly own?: PhraseBook | undefined; readonly text?: string },
  ): Wording
  /** Wordings of the languages that the runtime knows, to recognise a greeting in another one. */
  readonly known: () => readonly Wording[]
}

/**
 * Gives wordings by language. Languages of the same phrases share one: there are no more than the books have entries,
 * and the runtime knows languages (FZ5). Those of an agent's phrases are kept as long as these are.
 */
export function createWordings(book: PhraseBook): Wordings {
  const made = new WeakMap<PhraseBook, Map<string, Wording>>()
  const known = (): ReadonlyMap<string, Wording> =>
    new Map([...PACKS.keys()].map(code => [code, wordingIn(code)]))
  const wordingIn = (language: string, own: PhraseBook = NO_PHRASES): Wording => {
    const entries = [book, own].map(one => entriesFor(one, language).at(-1) ?? '')
    const base = baseOf(language)
    const key = [PACKS.has(base) ? base : 'en', ...entries].join(' ')
    const wordings = made.get(own) ?? new Map<string, Wording>()
    made.set(own, wordings)
    const before = wordings.get(key)
    if (before !== undefined) return before
    const wording = wordingOf(phrasesIn({ book, own }, language), base)
    wordings.set(key, wording)
    return wording
  }
  return {
    for: (languageCodes, { own, text = '' } = {}) =>
      wordingIn(spokenIn({ book, own }, languageCodes) ?? writtenIn(text, known) ?? 'en', own),
    known: () => [...known().values()],
  }
}

/** The language whose everyday words a text has most of; undefined when none stands out. */
function writtenIn(text: string, known: () => ReadonlyMap<string, Wording>): string | undefined {
  const asked = words(text)
  if (asked.length === 0) return undefined
  const counts = [...known()].map(([language, { commonWords, smallTalk }]) => {
    const greetings = new Set(smallTalk.flatMap(({ to }) => to.flat()))
    const count = asked.filter(word => commonWords.has(word) || greetings.has(word)).length
    return { language, count }
  })
  const [first, second] = counts.sort((a, b) => b.count - a.count)
  return first !== undefined && first.count > (second?.count ?? 0) ? first.language : undefined
}

/** Returns the length of the longest of the sequences that begins at a position; 0 without a match. */
export function lengthAt(list: Sequence, at: number, choices: readonly Sequence[]): number {
  const found = choices.find(choice => choice.every((word, offset) => list[at + offset] === word))
  return found?.length ?? 0
}

/** True when a list of words is one of the sequences, fillers around it aside. */
export function isOneOf(list: Sequence, choices: readonly Sequence[], fillers: readonly Sequence[]): boolean {
  let met = false
  for (let at = 0; at < list.length; ) {
    const length = lengthAt(list, at, choices)
    met ||= length > 0
    const step = length > 0 ? length : lengthAt(list, at, fillers)
    if (step === 0) return false
    at += step
  }
  return met
}
