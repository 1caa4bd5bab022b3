import { expectLinear } from '@colloquy/test-support/work'
import { expect, test } from 'vitest'
import { parseFiles } from '../src/agent-files/parse.ts'
import { partsOf } from '../src/agent-files/text.ts'
import { bounded } from '../src/mcp/serve.ts'

const parsed = (path: string, text: string) => parseFiles(new Map([[path, text]]), () => 'id')
const json = (text: string) => parsed('attributes.json', text)
const topic = (yaml: string) => parsed('topics/a.md', `---\n${yaml}\n---\n`)

test.each<[string, (size: number) => unknown]>([
  ['a file: line breaks before the last word', size => partsOf(`a${'\n'.repeat(size)}b`)],
  ['a file: a front matter of blanks', size => partsOf(`---${' '.repeat(size)}a`)],
  ['a file: many lines of hyphens', size => partsOf(`---\n${'--- a\n'.repeat(size / 6)}`)],
  ['a file of JSON: arrays within each other', size => json('['.repeat(size))],
  ['a file of JSON: comments', size => json('/**/'.repeat(size / 4))],
  ['a file of JSON: a comment without an end', size => json(`/*${'/*'.repeat(size / 2)}`)],
  ['a file of JSON: a text without an end', size => json(`"${'\\"'.repeat(size / 2)}`)],
  [
    'an answer: replacement characters',
    size => bounded(`${'\uFFFD'.repeat(size)}a`.repeat(2), size * 3 + 200),
  ],
])('AR57 %s', (_, work) => expectLinear(16_000, work))

test.each<[string, (size: number) => unknown]>([
  ['a text of quotes', size => topic(`a: '${"''".repeat(size / 2)}`)],
  ['blanks', size => topic(`a:${' '.repeat(size)}b`)],
])('AR57 a front matter: %s', (_, work) => expectLinear(4_000, work))

test.each([
  ['attributes.json', '['.repeat(1_000_000), 'This nests deeper than 100 levels.'],
  ['attributes.json', '{"a":'.repeat(101), 'This nests deeper than 100 levels.'],
  ['topics/a.md', `---\n${'&a '.repeat(40_000)}\n---\n`, 'The front matter has more than 65536 characters.'],
])('CL23 what a parser could not bear is refused before it: %s', (path, text, message) => {
  expect(parsed(path, text)).toMatchObject({
    problems: expect.arrayContaining([{ file: path, line: 1, message }]),
  })
})

test('CL23 brackets within texts are no levels', () => {
  const read = json(JSON.stringify([{ id: 'a', name: `${'['.repeat(200)}"\\{` }]))
  expect(JSON.stringify(read)).not.toContain('nests deeper')
})
