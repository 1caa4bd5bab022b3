import { expectLinear } from '@colloquy/test-support/work'
import { test } from 'vitest'
import { markdown } from '../src/chat/markdown.ts'

test.each([
  '`',
  '**',
  '*a',
  '[',
  '[a](',
  'https://',
  '\n- ',
  '# ',
  '- \u2028',
  '1. ',
  '***',
  '_',
  '[a]('.repeat(2),
  '[a]((b)',
  '(b)',
  'https://a)',
  '```\n',
  '~',
  '\n- a\n  - b\n    - c\n      - d\n        - e\n          - f\n            - g\n              - h',
])('AR57 a message of nothing but %j takes time that grows with its length', begin => {
  return expectLinear(4_000, size => markdown(`${begin.repeat(size / begin.length)}\u2028`))
})

test('AR57 a line of a list that goes on in blanks takes time that grows with its length', () =>
  expectLinear(16_000, size => markdown(`*\u2028${'\t'.repeat(size)}0\u2028`)))
