import { expectLinear } from '@colloquy/test-support/work'
import { test } from 'vitest'
import { partsOf } from '../src/agent-files/text.ts'
import { bounded } from '../src/mcp/serve.ts'

test.each<[string, (size: number) => unknown]>([
  ['a file: line breaks before the last word', size => partsOf(`a${'\n'.repeat(size)}b`)],
  ['a file: a front matter of blanks', size => partsOf(`---${' '.repeat(size)}a`)],
  ['a file: many lines of hyphens', size => partsOf(`---\n${'--- a\n'.repeat(size / 6)}`)],
  [
    'an answer: replacement characters',
    size => bounded(`${'\uFFFD'.repeat(size)}a`.repeat(2), size * 3 + 200),
  ],
])('AR58 %s', (_, work) => {
  expectLinear(16_000, work)
})
