import { expectLinear } from '@colloquy/test-support/work'
import { test } from 'vitest'
import { createPartReader } from '../src/sse/parts.ts'

const inPieces = (text: string): void => {
  const read = createPartReader()
  for (const piece of text) read(piece)
}

test.each<[string, (size: number) => unknown]>([
  ['a stream: a line without an end, letter by letter', size => inPieces('a'.repeat(size))],
  ['a stream: an event without an end, letter by letter', size => inPieces('data: a\n'.repeat(size / 8))],
  ['a stream: carriage returns, one by one', size => inPieces('\r'.repeat(size))],
  ['a stream: carriage returns at once', size => createPartReader()(`${'\r'.repeat(size)}a\n`)],
  ['a stream: many events at once', size => createPartReader()('data: a\n\n'.repeat(size / 9))],
  ['a stream: many lines of one event at once', size => createPartReader()('data: a\r\n'.repeat(size / 9))],
])('AR57 %s', (_, work) => expectLinear(16_000, work))
