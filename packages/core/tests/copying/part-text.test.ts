import { runs } from '@colloquy/test-support/runs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from '../../src/domain/canonical-json.ts'
import { partText } from '../../src/usecases/copying/part-text.ts'

test('CY4 what is compared is the canonical JSON of what a part is as JSON', () => {
  const { value } = fc.letrec<{ value: unknown }>(tie => ({
    value: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      fc.constantFrom(undefined, null, true, -0, Number.NaN),
      fc.double(),
      fc.string({ unit: 'binary' }),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.string({ unit: 'binary' }), tie('value'), { maxKeys: 4 }),
    ),
  }))
  fc.assert(
    fc.property(fc.array(value, { maxLength: 4 }), parts => {
      expect(partText(parts)).toBe(canonicalJson(JSON.parse(JSON.stringify(parts))))
    }),
    { numRuns: runs(40, 1_000) },
  )
})
