import { en, type Words } from './en.ts'

/** The languages, each of which is a file of its own but for English. */
const LANGUAGES: Readonly<Record<string, () => Promise<Words>>> = {
  en: async () => en,
  de: async () => (await import('./de.ts')).de,
  fr: async () => (await import('./fr.ts')).fr,
  es: async () => (await import('./es.ts')).es,
  ar: async () => (await import('./ar.ts')).ar,
}

const baseOf = (tag: string): string => tag.toLowerCase().split('-')[0] ?? ''

/** Reports whether times can be written in it. */
function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

/** Returns the first of these languages, as `de` or `de-AT`, that there are words in; English otherwise. */
export const languageOf = (wanted: readonly string[]): string =>
  wanted.map(baseOf).find(tag => Object.hasOwn(LANGUAGES, tag)) ?? 'en'

/**
 * Returns the language as it is shown: with the country that the page or the visitor says, by which times are written.
 * It may be one without words where the page has its own.
 */
export function localeOf(
  language: string,
  { language: wanted, words }: { readonly language?: string; readonly words?: object },
): string {
  const known = [wanted ?? [], navigator.languages].flat().filter(isTag)
  if (words !== undefined && known[0] === wanted) return wanted ?? language
  return known.find(tag => baseOf(tag) === language) ?? language
}

/** Returns the words of such a language. Those of English where its file cannot be had. */
export const loadWords = async (language: string): Promise<Words> =>
  (await LANGUAGES[language]?.().catch(() => en)) ?? en

/** Fills in a placeholder in braces. */
export const say = (words: string, name: string, value: string | number): string =>
  words.replace(`{${name}}`, () => String(value))
