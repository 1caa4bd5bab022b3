import fc from 'fast-check'
import { expect, test } from 'vitest'
import { markdown, safeAddress, safePicture } from '../src/chat/markdown.ts'
import { elementsOf, tagsOf, wordsOf } from './support/words-of.ts'

const shown = (text: string): string => markdown(text).map(tagsOf).join('')

test.each([
  ['plain', '<p>plain</p>'],
  ['one\ntwo\n\nthree', '<p>one<br></br>two</p><p>three</p>'],
  [
    '**bold** and *soft* and `co*d*e`',
    '<p><strong>bold</strong> and <em>soft</em> and <code>co*d*e</code></p>',
  ],
  ['**a *b* c**', '<p><strong>a <em>b</em> c</strong></p>'],
  [
    '- one\n* two\n\n1. first\n2) second',
    '<ul><li>one</li><li>two</li></ul><ol><li>first</li><li>second</li></ol>',
  ],
  ['So:\n- one\nand on', '<p>So:</p><ul><li>one</li></ul><p>and on</p>'],
  ['# Title\ntext', '<p><strong>Title</strong></p><p>text</p>'],
  ['[rules](https://a.example/x) here', '<p><a https://a.example/x>rules</a> here</p>'],
  ['See https://a.example/x?y=1.', '<p>See <a https://a.example/x?y=1>https://a.example/x?y=1</a>.</p>'],
  ['[mail](mailto:a@b.example)', '<p><a mailto:a@b.example>mail</a></p>'],
  ['[no](javascript:alert(1))', '<p>[no](javascript:alert(1))</p>'],
  ['[no](/here)', '<p>[no](/here)</p>'],
  ['<img src=x onerror=alert(1)> & 2 * 3 * 4', '<p><img src=x onerror=alert(1)> & 2 * 3 * 4</p>'],
  ['a ** b', '<p>a ** b</p>'],
  ['one\r\ntwo', '<p>one<br></br>two</p>'],
])('WI22 %j is shown as it is meant', (text, expected) => {
  expect(shown(text)).toBe(expected)
})

const marks = fc.constantFrom(
  '*',
  '**',
  '`',
  '[',
  ']',
  '(',
  ')',
  '\n',
  '- ',
  '1. ',
  '# ',
  'http://',
  'javascript:',
  ' ',
  'a',
  '<b>',
)
const texts = fc
  .array(fc.oneof(marks, fc.string({ maxLength: 5 })), { maxLength: 60 })
  .map(parts => parts.join(''))

test('WI22 whatever is written, no word is lost, and only safe addresses are led to', () => {
  const letters = (text: string): string => text.replace(/[^\p{L}]/gu, '')
  fc.assert(
    fc.property(texts, text => {
      const views = markdown(text)
      for (const { attributes, tag } of views.flatMap(elementsOf)) {
        expect(['p', 'br', 'ul', 'ol', 'li', 'strong', 'em', 'code', 'a']).toContain(tag)
        if (tag === 'a') expect(String(attributes.href)).toMatch(/^(https?|mailto|tel):/)
      }
      // The letters of an address that has words of its own are in it, and not beside it.
      const links = views.flatMap(elementsOf).filter(({ tag }) => tag === 'a')
      if (links.length === 0) expect(letters(views.map(wordsOf).join(''))).toBe(letters(text))
    }),
  )
})

test.each(['*', '**', '[', '`', '[a](', 'http://', '- ', '**a', '*a '])(
  'WI22 a message of 128 kB of %j is shown at once',
  mark => {
    const began = performance.now()
    markdown(mark.repeat(131_072 / mark.length))
    expect(performance.now() - began).toBeLessThan(10_000)
  },
)

test('WI6 an address leads somewhere only if it is of the web, of mail or of a telephone', () => {
  expect(safeAddress('https://a.example')).toBe('https://a.example/')
  expect(safeAddress('tel:+4940123')).toBe('tel:+4940123')
  for (const bad of [
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    '/x',
    '',
  ])
    expect(safeAddress(bad)).toBeNull()
  expect(safePicture('data:image/png;base64,AA==')).toBe('data:image/png;base64,AA==')
  expect(safePicture('https://a.example/b.png')).toBe('https://a.example/b.png')
  for (const bad of ['data:text/html,x', 'javascript:x', 'blob:x', 'mailto:a@b.example', ''])
    expect(safePicture(bad)).toBeNull()
})
