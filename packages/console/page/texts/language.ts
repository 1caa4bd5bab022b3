import { kept } from '../kept.ts'

const LANGUAGES = ['en', 'de'] as const
export type Language = (typeof LANGUAGES)[number]

/** Name of each language in itself. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' }

/** The language of the page: the one that was chosen, or the browser's. */
export const language = kept<Language>('language', text => {
  const known = LANGUAGES.find(one => one === text)
  if (known !== undefined) return known
  return navigator.language.toLowerCase().startsWith('de') ? 'de' : 'en'
})

/**
 * Returns the language of the page, with the customs of the person's country where the browser names one: for dates.
 */
export const locale = (): string =>
  navigator.languages.find(one => one.toLowerCase().startsWith(language.value)) ?? language.value

/** Returns a moment as the language of the page writes it. @default options day, hour and minute */
export const written = (
  time: number | string,
  options: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' },
): string => new Intl.DateTimeFormat(locale(), options).format(new Date(time))

/** A text in each language. */
type Text = readonly [en: string, de: string]

/** Returns the text of a key in the language of the page. `{name}` in it is a placeholder. */
export const texts =
  <const Key extends string>(all: Readonly<Record<Key, Text>>) =>
  (key: Key, values: Readonly<Record<string, string | number>> = {}): string =>
    all[key][LANGUAGES.indexOf(language.value)]?.replace(/\{(\w+)\}/g, (_, name: string) =>
      String(values[name] ?? ''),
    ) ?? key
