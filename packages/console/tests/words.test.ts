import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')

/** The last column of the glossary, word by word. */
const AVOIDED = readFileSync(join(ROOT, 'docs/glossary.md'), 'utf8')
  .split('\n')
  .filter(line => line.startsWith('| ') && !line.startsWith('| English'))
  .flatMap(line => line.split('|').at(-2)?.split(',') ?? [])
  .map(word => word.trim().toLowerCase())

const FILES = globSync(
  [
    'packages/console/page/texts/*.ts',
    'packages/console/page/views/*/*texts.ts',
    'packages/widget/src/chat/words/{de,en}.ts',
  ],
  { cwd: ROOT },
).filter(file => !file.endsWith('language.ts'))

/** What stands in quotes in a file, but for keys. */
const textsOf = (file: string): readonly string[] => quotedIn(readFileSync(join(ROOT, file), 'utf8'))

/** A key is read as a whole, too: the quote at its end begins nothing. */
const quotedIn = (source: string): readonly string[] =>
  [...source.matchAll(/(['"`])((?:(?!\1)[^\\\n]|\\.)+)\1(:?)/g)].flatMap(([, , text = '', colon]) =>
    colon === '' ? [text] : [],
  )

const uses = (text: string, word: string): boolean =>
  ` ${text.toLowerCase().replace(/[^\p{L}\p{N}-]+/gu, ' ')} `.includes(` ${word} `)

test('the glossary names words to avoid, and the texts of console and chat are read', () => {
  expect(AVOIDED.length).toBeGreaterThan(30)
  expect(FILES.flatMap(textsOf).length).toBeGreaterThan(1_000)
  expect(quotedIn("  'role.desk': ['Live agent', 'Mitarbeiter'],")).toEqual(['Live agent', 'Mitarbeiter'])
  expect(uses('Ends by itself', 'ends by itself')).toBe(true)
})

test.each(FILES)('%s has none of them', file => {
  const found = textsOf(file).flatMap(text =>
    AVOIDED.filter(word => uses(text, word)).map(word => [word, text]),
  )
  expect(found).toEqual([])
})
