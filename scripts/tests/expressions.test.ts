import { describe, expect, test } from 'vitest'
import { expressionsOf } from '../expressions/find.ts'
import { findingsOf } from '../expressions/findings.ts'

// The expressions of packages and examples are looked at by `npm run lint:expressions`, a check of `npm test`.

describe('regular expressions', () => {
  test('AR57 they are found wherever they are made, and nowhere else', () => {
    const text = `
      // /comment/
      const text = 'no /expression/ at all', half = 4 / 2 / 1
      const one = /a\\/[/]b/giu.test(\`\${/nested+/y.source}\`)
      new RegExp('c+$', 'i'), RegExp('d'), globalThis.RegExp("e"), text.search('f'), text.match(given)
      new RegExp(given), new RegExp(\`x\${given}\`), new RegExp('g', given), new RegExp(/h/)
    `
    const found = expressionsOf('a.ts', text)
    expect(found.map(({ source, flags }) => `${source}/${flags}`)).toEqual([
      ...[String.raw`a\/[/]b/giu`, 'nested+/y', 'c+$/i', 'd/', 'e/', 'f/', 'null/', 'null/', 'null/', 'h/'],
    ])
    expect(found.map(({ line }) => line)).toEqual([4, 4, 5, 5, 5, 5, 6, 6, 6, 6])
  })

  test('AR57 one that is not linear is named with its place, and with a text that shows it', () => {
    const text = [String.raw`/\s+$/`, '/^(a+)+$/', '/^a*$/', 'new RegExp(given)'].join(';\n')
    const { faults, linear, fresh } = findingsOf(expressionsOf('a.ts', text), new Set())
    expect(faults).toEqual([
      expect.stringMatching(/^a\.ts:1 \/\\s\+\$\/ takes 2nd degree polynomial time, for example on '/),
      expect.stringMatching(/^a\.ts:2 \/\^\(a\+\)\+\$\/ takes exponential time, for example on 'a/),
      'a.ts:4 puts a regular expression together when it runs. Write it out, or search without.',
    ])
    expect(linear).toEqual(['/^a*$/'])
    expect(fresh).toBe(3)
  })
})
