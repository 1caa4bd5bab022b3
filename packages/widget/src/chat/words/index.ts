import { en, type Words } from './en.ts'

/** The languages, each of which is a file of its own but for English. */
const LANGUAGES: Readonly<Record<string, () => Promise<Words>>> = {
  en: async () => en,
  de: async () => (await import('./de.ts')).de,
  fr: async () => (await import('./fr.ts')).fr,
  es: async () => (await import('./es.ts')).es,
  ar: async () => (await import('./ar.ts')).ar,
}

/** The first of these languages, as `de` or `de-AT`, that there are words in; English otherwise. */
export const languageOf = (wanted: readonly string[]): string =>
  wanted.map(tag => tag.toLowerCase().split('-')[0] ?? '').find(tag => Object.hasOwn(LANGUAGES, tag)) ?? 'en'

/** The words of such a language. Those of English where its file cannot be had. */
export const loadWords = async (language: string): Promise<Words> =>
  (await LANGUAGES[language]?.().catch(() => en)) ?? en

/** Fills in what stands in braces. */
export const say = (words: string, name: string, value: string | number): string =>
  words.replace(`{${name}}`, () => String(value))
