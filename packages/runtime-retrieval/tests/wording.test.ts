import { expect, test } from 'vitest'
import { createWordings, phrasesFor } from '../src/wording.ts'

const book = { de: { yes: ['ja'], no: ['nein'] }, 'de-AT': { yes: ['jo'] }, 'pt-BR': { yes: ['sim'] } }

test('FZ41 languages of the same phrases share one wording, however many there are', () => {
  const wordingFor = createWordings(book)
  const codes = ['fr', 'en-GB', 'xx-1', 'xx-2', 'toString', '__proto__', 'pt', 'pt-PT', '']
  expect(new Set(codes.map(wordingFor)).size).toBe(1)
  expect(wordingFor('de-CH')).toBe(wordingFor('de'))
  expect(new Set([...codes, 'de', 'de-CH', 'de-AT', 'pt-BR'].map(wordingFor)).size).toBe(4)
})

test('FZ41 a language takes its own phrases over those of its base language over English', () => {
  const english = phrasesFor({}, 'en')
  const austrian = createWordings(book)('de-AT')
  expect(austrian.phrases).toEqual({ ...english, yes: ['jo'], no: ['nein'] })
  expect(austrian.yes).toEqual([['jo']])
  expect(phrasesFor(book, 'pt-BR')).toEqual({ ...english, yes: ['sim'] })
})
