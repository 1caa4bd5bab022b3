import { expect, onTestFinished, test, vi } from 'vitest'
import { MORE } from '../src/chat/talk/talk-words.ts'
import { talkWords } from '../src/chat/talk/words.ts'
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

test('WI13 all is said of calls in each language', () => {
  const keys = Object.keys(talkWords('en', () => {}))
  expect(Object.keys(MORE).sort()).toEqual(['ar', 'de', 'es', 'fr'])
  for (const words of Object.values(MORE)) {
    expect(Object.keys(words)).toEqual(keys)
    expect(Object.values(words).filter(text => text === '')).toEqual([])
  }
})

test('WI13 words of calls that are loaded later are shown once they are there', async () => {
  const { speak } = talkWords('en', () => {})
  await new Promise<void>(resolve => {
    expect(talkWords('fr-CA', resolve).speak).toBe(speak)
  })
  expect(talkWords('fr-CA', () => {}).speak).toBe('Parler')
})
