import fc from 'fast-check'
import { expect, test } from 'vitest'
import { linksOf } from '../../src/link-previews/links-of.ts'

test('LP1 addresses of a text are those of the web, without what stands around them, each once', () => {
  const links = {
    'See https://hotel.example/rooms, and https://hotel.example/spa.': [
      'https://hotel.example/rooms',
      'https://hotel.example/spa',
    ],
    '[our rules](https://hotel.example/rules), (https://a.example/b)': [
      'https://hotel.example/rules',
      'https://a.example/b',
    ],
    '**https://a.example/b** https://a.example/b': ['https://a.example/b'],
    'https://a.example/b_(c)?d=e#f': ['https://a.example/b_(c)?d=e#f'],
    'mailto:ada@hotel.example, ftp://hotel.example, https:// and http://[': [],
  }
  for (const [text, found] of Object.entries(links)) expect(linksOf(text), text).toEqual(found)
})

test('LP1 every address that is found can be asked for, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.webUrl(), (words, url) => {
      for (const link of linksOf(`${words}${url}${words}`)) expect(URL.canParse(link)).toBe(true)
    }),
  )
})
