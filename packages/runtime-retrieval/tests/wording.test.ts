import { expect, test } from 'vitest'
import { PACKS } from '../src/packs/index.ts'
import { createWordings, phrasesFor } from '../src/wording.ts'

const book = { de: { yes: ['ja'], no: ['nein'] }, 'de-AT': { yes: ['jo'] }, 'pt-BR': { yes: ['sim'] } }

test('FZ5 languages of the same phrases share one wording, however many there are', () => {
  const wordings = createWordings(book)
  const wordingFor = (code: string) => wordings.for([code])
  const codes = ['en', 'en-GB', 'xx-1', 'xx-2', 'toString', '__proto__', 'pt', 'pt-PT', '']
  expect(new Set(codes.map(wordingFor)).size).toBe(1)
  expect(wordingFor('de-CH')).toBe(wordingFor('de'))
  expect(wordingFor('fr-CA')).toBe(wordingFor('FR'))
  expect(new Set([...codes, 'de', 'de-CH', 'de-AT', 'pt-BR', 'fr'].map(wordingFor)).size).toBe(5)
})

test('FZ5 a language takes its own phrases over those of its base language over what the runtime knows', () => {
  const german = phrasesFor({ book: {} }, ['de'])
  const austrian = createWordings(book).for(['de-AT'])
  expect(austrian.phrases).toEqual({ ...german, yes: ['jo'], no: ['nein'] })
  expect(austrian.yes).toEqual([['jo']])
  expect(phrasesFor({ book }, ['pt-BR'])).toEqual({ ...phrasesFor({ book: {} }, ['en']), yes: ['sim'] })
})

test.each([...PACKS])('RT19 the phrases in %s are whole', (code, phrases) => {
  const wording = createWordings({}).for([code])
  expect(wording.phrases).toEqual(phrases)
  expect([phrases.clarify, phrases.confirm].join()).toMatch(/\{first\}.*\{second\}.*\{first\}/)
  for (const { says, to } of wording.smallTalk) expect([says === '', to.length > 2]).toEqual([false, true])
  for (const key of ['yes', 'no', 'fillers', 'followUps'] as const) expect(wording[key]).not.toEqual([])
  expect(wording.commonWords.size).toBeGreaterThan(40)
})
