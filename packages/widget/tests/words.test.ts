import { expect, onTestFinished, test, vi } from 'vitest'
import { en } from '../src/chat/words/en.ts'
import { languageOf, loadWords, localeOf, say } from '../src/chat/words/index.ts'

const LANGUAGES = ['ar', 'de', 'en', 'es', 'fr']

const blanksOf = (text: string): readonly string[] => (text.match(/\{\w+\}/g) ?? []).sort()

test.each(LANGUAGES)('WI13 all is said in each language, with what is filled in: %s', async language => {
  const words = await loadWords(language)
  expect(Object.keys(words).sort()).toEqual(Object.keys(en).sort())
  for (const [key, text] of Object.entries(words)) {
    expect(text.trim(), key).not.toBe('')
    expect(blanksOf(text), key).toEqual(
      blanksOf(Object.entries(en).find(([name]) => name === key)?.[1] ?? ''),
    )
  }
  if (language !== 'en') expect(words.message).not.toBe(en.message)
})

test.each([
  [['de-AT', 'en'], 'de'],
  [['ja', 'FR-ca', 'de'], 'fr'],
  [['ja'], 'en'],
  [[], 'en'],
  [['constructor', 'ar'], 'ar'],
])('WI13 of the languages %j there are words in %s', (wanted, language) => {
  expect(languageOf(wanted)).toBe(language)
})

test.each([
  ['en', {}, ['en-GB', 'en-US'], 'en-GB'],
  ['de', {}, ['en-GB', 'de-AT'], 'de-AT'],
  ['fr', {}, ['en-GB'], 'fr'],
  ['de', { language: 'de-CH' }, ['de-DE'], 'de-CH'],
  ['en', { language: 'he' }, ['en-GB'], 'en-GB'],
  ['en', { language: 'he-IL', words: {} }, ['en-GB'], 'he-IL'],
  ['en', { language: 'he_IL', words: {} }, ['en-GB'], 'en-GB'],
])('WI13 %s with %j for a visitor who reads %j is shown as %s', (language, options, wanted, locale) => {
  vi.stubGlobal('navigator', { languages: wanted })
  onTestFinished(() => void vi.unstubAllGlobals())
  expect(localeOf(language, options)).toBe(locale)
})

test('WI13 what is filled in is taken as it is', () => {
  expect(say('{name} is here', 'name', '$& {name}')).toBe('$& {name} is here')
})
