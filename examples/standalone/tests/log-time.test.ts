import { expectLinear } from '@colloquy/test-support/work'
import { expect, test } from 'vitest'
import { createLog } from '../src/log.ts'

const written = (text: string): string => {
  const lines: string[] = []
  createLog('info', [], { write: given => void lines.push(given) }).info(text)
  return lines.join('')
}

test.each(['eyJ-', 'eyJ.', 'cq_aa_', 'a.', '.', 'eyJa.b.'])('AR58 a line of nothing but %s', begin => {
  expectLinear(16_000, size => written(begin.repeat(size / begin.length)))
})

test('CR20 tokens are taken out wherever they stand', () => {
  const token = `eyJ${'a'.repeat(9)}.eyJ${'b'.repeat(9)}.${'c'.repeat(9)}`
  for (const around of ['?', '-?-', 'a.?', '"?"', '?.tail', 'x=?&y=1']) {
    const line = written(around.replace('?', token))
    expect(line, around).toContain('[Redacted]')
    expect(line, around).not.toContain('ccccccccc')
  }
})
