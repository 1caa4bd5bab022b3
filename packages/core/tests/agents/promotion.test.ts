import { describe, expect, test } from 'vitest'
import { nextEnvironment, promotionTarget } from '../../src/domain/agent/promotion.ts'

describe('promotion', () => {
  test('AG40 the stages follow one another and end with live', () => {
    const stages = (['sandbox', 'pre-release', 'live'] as const).map(nextEnvironment)
    expect(stages).toEqual(['pre-release', 'live', null])
  })

  test.each([
    ['sandbox', null, 'pre-release'],
    ['sandbox', 'pre-release', 'pre-release'],
    ['sandbox', 'live', 'live'],
    ['sandbox', 'sandbox', null],
    ['pre-release', null, 'live'],
    ['pre-release', 'live', 'live'],
    ['pre-release', 'sandbox', null],
    ['pre-release', 'pre-release', null],
    ['live', null, null],
    ['live', 'live', null],
    ['live', 'sandbox', null],
  ] as const)('AG40 from %s to %s: %s', (from, wanted, target) => {
    expect(promotionTarget(from, wanted)).toBe(target)
  })
})
