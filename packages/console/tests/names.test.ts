import fc from 'fast-check'
import { afterAll, expect, test, vi } from 'vitest'
import { HUES, hueOf, initialsOf } from '../page/names.ts'

const store = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }
vi.stubGlobal('localStorage', store)
vi.stubGlobal('navigator', { language: 'en', languages: ['en'] })
const { language } = await import('../page/texts/language.ts')
const { visitorName } = await import('../page/texts/visitors.ts')
afterAll(() => void vi.unstubAllGlobals())

test('CO16 a visitor without a name has one that is made of the id, and their own name where there is one', () => {
  expect(visitorName('id', 'Grace Hopper')).toBe('Grace Hopper')
  fc.assert(
    fc.property(fc.uuid(), id => {
      const name = visitorName(id)
      expect(name).toBe(visitorName(id, ''))
      expect(name).toMatch(/^[A-Z]\p{L}+ [A-Z]\p{L}+$/u)
      // The avatar has the colour that the name says.
      expect(name.toLowerCase().startsWith(`${hueOf(id)} `)).toBe(true)
    }),
  )
})

test('CO16 names are spread: of a hundred visitors most have one of their own, in both languages the same', () => {
  const ids = Array.from({ length: 100 }, (_, at) => `9f1c${at.toString(16).padStart(4, '0')}-visitor`)
  const namesIn = (one: 'en' | 'de') => {
    language.value = one
    return ids.map(id => visitorName(id))
  }
  const [english, german] = [namesIn('en'), namesIn('de')]
  expect(new Set(english).size).toBeGreaterThan(70)
  expect(new Set(german).size).toBe(new Set(english).size)
  const pairs = new Map(english.map((name, at) => [name, german[at]]))
  english.forEach((name, at) => {
    expect(german[at]).toBe(pairs.get(name))
  })
  expect(new Set(ids.map(hueOf))).toEqual(new Set(HUES))
})

test('CO16 initials are those of the first and the last word, of any script', () => {
  const cases = [
    ['Ada', 'A'],
    ['Grace Brewster Hopper', 'GH'],
    ['élodie  ångström', 'ÉÅ'],
    ['李 小龍', '李小'],
    ['  ', ''],
    ['+49 30', '43'],
  ] as const
  for (const [name, initials] of cases) expect(initialsOf(name)).toBe(initials)
})
