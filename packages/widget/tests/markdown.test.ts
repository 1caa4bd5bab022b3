import { expectLinear } from '@colloquy/test-support/work'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { View } from '../src/chat/h.ts'
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
  // Numbers and stars that are no marks.
  ['Ihr Termin ist am\n5. Mai 2026.', '<p>Ihr Termin ist am<br></br>5. Mai 2026.</p>'],
  ['5. Mai 2026', '<p>5. Mai 2026</p>'],
  ['1986. A great year', '<p>1986. A great year</p>'],
  ['A room is 2*3*4 metres, code AB*12*34.', '<p>A room is 2*3*4 metres, code AB*12*34.</p>'],
  ['2 * 3 ** 4 ** 5', '<p>2 * 3 ** 4 ** 5</p>'],
  ['これは**重要**です', '<p>これは<strong>重要</strong>です</p>'],
  ['1. Open\n\nIt may stick.\n\n2. Walk in', '<ol><li>Open</li></ol><p>It may stick.</p><p>2. Walk in</p>'],
  [
    '1. Rooms\n   - single\n   - double\n2. Food\n   - breakfast\n3. Pool',
    '<ol><li>Rooms<ul><li>single</li><li>double</li></ul></li><li>Food<ul><li>breakfast</li></ul></li><li>Pool</li></ol>',
  ],
  // Addresses with brackets, in a sentence and in brackets.
  [
    'See https://a.example/Port_(harbour) now',
    '<p>See <a https://a.example/Port_(harbour)>https://a.example/Port_(harbour)</a> now</p>',
  ],
  ['[this](https://a.example/Port_(harbour))!', '<p><a https://a.example/Port_(harbour)>this</a>!</p>'],
  ['(https://a.example/b).', '<p>(<a https://a.example/b>https://a.example/b</a>).</p>'],
  [
    '![alt](https://a.example/b.png)',
    '<p>![alt](<a https://a.example/b.png>https://a.example/b.png</a>)</p>',
  ],
  // Fences, also where the text ends in them.
  [
    'Run:\n```\nnpm start\n# comment\n- x\n```\nDone',
    '<p>Run:</p><pre><code>npm start\n# comment\n- x</code></pre><p>Done</p>',
  ],
  ['~~~ js\n```\n', '<pre><code>```\n</code></pre>'],
  // What it does not know.
  ['__a__ ~~b~~ > c | d \\* e', '<p>__a__ ~~b~~ > c | d \\* e</p>'],
  ['#hash\n-5 degrees\n1.5 m', '<p>#hash<br></br>-5 degrees<br></br>1.5 m</p>'],
])('WI22 %j is shown as it is meant', (text, expected) => {
  expect(shown(text)).toBe(expected)
})

// Examples of CommonMark 0.31.2, by their numbers there, for what is claimed. A line that ends within a paragraph ends
// here, too.
test.each([
  [
    62,
    '# foo\n## foo\n### foo\n#### foo\n##### foo\n###### foo',
    '<p><strong>foo</strong></p><p><strong>foo</strong></p><p><strong>foo</strong></p><p><strong>foo</strong></p><p><strong>foo</strong></p><p><strong>foo</strong></p>',
  ],
  [63, '####### foo', '<p>####### foo</p>'],
  [64, '#5 bolt\n\n#hashtag', '<p>#5 bolt</p><p>#hashtag</p>'],
  [
    68,
    ' ### foo\n  ## foo\n   # foo',
    '<p><strong>foo</strong></p><p><strong>foo</strong></p><p><strong>foo</strong></p>',
  ],
  [75, '# foo#', '<p><strong>foo#</strong></p>'],
  [78, 'Foo bar\n# baz\nBar foo', '<p>Foo bar</p><p><strong>baz</strong></p><p>Bar foo</p>'],
  [119, '```\n<\n >\n```', '<pre><code><\n ></code></pre>'],
  [120, '~~~\n<\n >\n~~~', '<pre><code><\n ></code></pre>'],
  [122, '```\naaa\n~~~\n```', '<pre><code>aaa\n~~~</code></pre>'],
  [123, '~~~\naaa\n```\n~~~', '<pre><code>aaa\n```</code></pre>'],
  [124, '````\naaa\n```\n``````', '<pre><code>aaa\n```</code></pre>'],
  [125, '~~~~\naaa\n~~~\n~~~~', '<pre><code>aaa\n~~~</code></pre>'],
  [126, '```', '<pre><code></code></pre>'],
  [127, '`````\n\n```\naaa', '<pre><code>\n```\naaa</code></pre>'],
  [139, '~~~~~~\naaa\n~~~ ~~', '<pre><code>aaa\n~~~ ~~</code></pre>'],
  [140, 'foo\n```\nbar\n```\nbaz', '<p>foo</p><pre><code>bar</code></pre><p>baz</p>'],
  [142, '```ruby\ndef foo(x)\n  return 3\nend\n```', '<pre><code>def foo(x)\n  return 3\nend</code></pre>'],
  [
    143,
    '~~~~    ruby startline=3 $%@#$\ndef foo(x)\n  return 3\nend\n~~~~~~~',
    '<pre><code>def foo(x)\n  return 3\nend</code></pre>',
  ],
  [147, '```\n``` aaa\n```', '<pre><code>``` aaa</code></pre>'],
  [220, 'aaa\nbbb\n\nccc\nddd', '<p>aaa<br></br>bbb</p><p>ccc<br></br>ddd</p>'],
  [221, 'aaa\n\n\nbbb', '<p>aaa</p><p>bbb</p>'],
  [261, '-one\n\n2.two', '<p>-one</p><p>2.two</p>'],
  [266, '1234567890. not ok', '<p>1234567890. not ok</p>'],
  [295, '- foo\n - bar\n  - baz\n   - boo', '<ul><li>foo</li><li>bar</li><li>baz</li><li>boo</li></ul>'],
  [303, 'Foo\n- bar\n- baz', '<p>Foo</p><ul><li>bar</li><li>baz</li></ul>'],
  [
    304,
    'The number of windows in my house is\n14.  The number of doors is 6.',
    '<p>The number of windows in my house is<br></br>14.  The number of doors is 6.</p>',
  ],
  [
    305,
    'The number of windows in my house is\n1.  The number of doors is 6.',
    '<p>The number of windows in my house is</p><ol><li>The number of doors is 6.</li></ol>',
  ],
  [306, '- foo\n\n- bar\n\n\n- baz', '<ul><li>foo</li><li>bar</li><li>baz</li></ul>'],
  [
    310,
    '- a\n - b\n  - c\n   - d\n  - e\n - f\n- g',
    '<ul><li>a</li><li>b</li><li>c</li><li>d</li><li>e</li><li>f</li><li>g</li></ul>',
  ],
  [314, '- a\n- b\n\n- c', '<ul><li>a</li><li>b</li><li>c</li></ul>'],
  [328, '`foo`', '<p><code>foo</code></p>'],
  [338, '`foo\\`bar`', '<p><code>foo\\</code>bar`</p>'],
  [348, '`foo', '<p>`foo</p>'],
  [350, '*foo bar*', '<p><em>foo bar</em></p>'],
  [351, 'a * foo bar*', '<p>a * foo bar*</p>'],
  [353, '* a *', '<p>* a *</p>'],
  [366, '*foo bar *', '<p>*foo bar *</p>'],
  [368, '*(*foo)', '<p>*(*foo)</p>'],
  [378, '**foo bar**', '<p><strong>foo bar</strong></p>'],
  [379, '** foo bar**', '<p>** foo bar**</p>'],
  [381, 'foo**bar**', '<p>foo<strong>bar</strong></p>'],
  [391, '**foo bar **', '<p>**foo bar **</p>'],
  [395, '**foo "*bar*" foo**', '<p><strong>foo "<em>bar</em>" foo</strong></p>'],
  [396, '**foo**bar', '<p><strong>foo</strong>bar</p>'],
  [428, '**foo *bar* baz**', '<p><strong>foo <em>bar</em> baz</strong></p>'],
  [497, '[link](foo(and(bar))', '<p>[link](foo(and(bar))</p>'],
  [511, '[link] (/uri)', '<p>[link] (/uri)</p>'],
  [513, '[link] bar](/uri)', '<p>[link] bar](/uri)</p>'],
])('WI22 example %i of CommonMark: %j', (_, text, expected) => {
  expect(shown(text)).toBe(expected)
})

test('WI22 text without marks comes out letter by letter', () => {
  const word = fc.oneof(
    fc.stringMatching(/^[\p{L}\p{N}.,;:!?'"()%&€/+=-]{1,9}$/u),
    fc.constantFrom(
      '5.',
      '12)',
      '2*3',
      'a_b',
      '#1',
      '-3',
      'AB*12*34',
      'שלום',
      'مرحبا',
      '日本',
      '👩‍👧',
      '<b>',
      '&amp;',
    ),
  )
  const isMark = (line: string): boolean => /^(?:1[.)]|[-+*•]|#{1,6}) /.test(line) || line.includes('://')
  const line = fc
    .array(word, { minLength: 1, maxLength: 6 })
    .map(words => words.join(' '))
    .filter(one => !isMark(one))
  const paragraph = fc.array(line, { minLength: 1, maxLength: 4 }).map(lines => lines.join('\n'))
  const words = (view: View): string =>
    typeof view === 'object' && view?.tag === 'br'
      ? '\n'
      : typeof view === 'object' && view !== null
        ? view.children.map(words).join('')
        : view || ''
  fc.assert(
    fc.property(fc.array(paragraph, { maxLength: 4 }), paragraphs => {
      expect(markdown(paragraphs.join('\n\n')).map(words)).toEqual(paragraphs)
    }),
  )
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
        expect(['p', 'br', 'ul', 'ol', 'li', 'strong', 'em', 'code', 'pre', 'a']).toContain(tag)
        if (tag === 'a') expect(String(attributes.href)).toMatch(/^(https?|mailto|tel):/)
      }
      // The letters of an address that has words of its own are in it, and not beside it.
      const links = views.flatMap(elementsOf).filter(({ tag }) => tag === 'a')
      if (links.length === 0) expect(letters(views.map(wordsOf).join(''))).toBe(letters(text))
    }),
  )
})

test.each([
  ...[
    '*',
    '**',
    '[',
    '`',
    '[a](',
    'http://',
    '- ',
    '**a',
    '*a ',
    '```\n',
    '- a\n',
    '    - a\n',
    '[a]((',
    '(a)',
  ],
  ...['http://a)', '(http://a(', '1. ', '[a](http://a.b/(c)', '> '],
])('WI22 the work for a message of up to 128 kB of %j grows with it', mark => {
  return expectLinear(8_192, size => markdown(mark.repeat(size / mark.length)))
})

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
