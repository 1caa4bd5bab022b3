import { ENGLISH_PHRASES } from './english.ts'
import { words } from './index/words.ts'
import { PACKS } from './packs/index.ts'
import type { PhraseBook, Phrases } from './phrases.ts'

/** A run of words. */
type Sequence = readonly string[]

/** The phrases of a language, with the words by which it is understood taken apart. */
export interface Wording {
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
  readonly aspects: readonly { readonly asked: ReadonlySet<string>; readonly told: ReadonlySet<string> }[]
}

const sequences = (phrases: readonly string[]): readonly Sequence[] =>
  phrases
    .map(words)
    .filter(one => one.length > 0)
    // The longest that fits counts.
    .sort((a, b) => b.length - a.length)

const setOf = (list: readonly string[]): ReadonlySet<string> => new Set(list.flatMap(words))

/** Takes phrases apart. */
const wordingOf = (phrases: Phrases): Wording => ({
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
  commonWords: setOf(phrases.commonWords),
  aspects: phrases.aspects.map(({ asked, told }) => ({ asked: setOf(asked), told: setOf(told) })),
})

/** The entries of the book from which a language takes its phrases, the language's own last. */
function entriesFor(book: PhraseBook, languageCode: string): readonly string[] {
  const base = languageCode.split('-')[0] ?? languageCode
  return [...new Set([base, languageCode])].filter(code => Object.hasOwn(book, code))
}

const baseOf = (languageCode: string): string => languageCode.split('-')[0]?.toLowerCase() ?? ''

/** The phrases for a language: those of `de-AT` in the book over those of `de` over the runtime's own, or English. */
export function phrasesFor(book: PhraseBook, languageCode: string): Phrases {
  const [first = '', second = ''] = entriesFor(book, languageCode)
  return { ...(PACKS.get(baseOf(languageCode)) ?? ENGLISH_PHRASES), ...book[first], ...book[second] }
}

/** The wordings of languages. */
export interface Wordings {
  /** The wording for a language. */
  for(languageCode: string): Wording
  /** Wordings of the languages that the runtime knows, to recognise a greeting in another one. */
  readonly known: () => readonly Wording[]
}

/**
 * Gives wordings by language. Languages of the same phrases share one: there are no more than the book has entries, and
 * the runtime knows languages (FZ41).
 */
export function createWordings(book: PhraseBook): Wordings {
  const made = new Map<string, Wording>()
  const wordingFor = (languageCode: string): Wording => {
    const base = baseOf(languageCode)
    const key = `${PACKS.has(base) ? base : 'en'} ${entriesFor(book, languageCode).at(-1) ?? ''}`
    const known = made.get(key)
    if (known !== undefined) return known
    const wording = wordingOf(phrasesFor(book, languageCode))
    made.set(key, wording)
    return wording
  }
  return { for: wordingFor, known: () => [...PACKS.keys()].map(wordingFor) }
}

/** The length of the longest of the sequences that begins at a position; 0 without a match. */
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
