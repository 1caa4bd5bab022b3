import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { codeKey, filledReply, unknownPlaceholders } from '../../src/domain/conversation/shared-reply.ts'

const NAMES = { visitor: 'Kim', agent: 'Harbour', me: 'Ada' }

describe('shared replies', () => {
  test.each([
    ['Hello {visitor}, I am {me} of {agent}.', 'Hello Kim, I am Ada of Harbour.'],
    ['{me}{me}', 'AdaAda'],
    ['{ me } {Me} {} {a b} {{me}}', '{ me } {Me} {} {a b} {Ada}'],
  ])('DK553 "%s" is filled in with names', (text, filled) => {
    expect(filledReply(text, NAMES)).toBe(filled)
  })

  test.each([
    ['Hello {visitor}!', 'Hello!'],
    ['{visitor}, hello', ', hello'],
    ['Hi  {visitor} there', 'Hi  there'],
  ])('DK553 without a name "%s" leaves it out', (text, filled) => {
    expect(filledReply(text, { ...NAMES, visitor: '' })).toBe(filled)
  })

  test('DK553 a name is never filled in again, whatever it is', () => {
    const name = fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('{me}', '{visitor}', '$&', ' {agent}'))
    fc.assert(
      fc.property(name, name, (visitor, me) => {
        expect(filledReply('{visitor}|{me}', { visitor, me, agent: 'never' })).toBe(`${visitor}|${me}`)
      }),
    )
  })

  test('DK553 words in braces that stand for nothing are named, and a text without any is filled in to itself', () => {
    expect(unknownPlaceholders('{visitor} {name} {me} {Agent} {name} { x }')).toEqual(['name', 'Agent'])
    fc.assert(
      fc.property(fc.string(), text => {
        if (!/\{(visitor|agent|me)\}/.test(text)) expect(filledReply(text, NAMES)).toBe(text)
      }),
    )
  })

  test('DK553 codes are the same whatever the case and however they were typed', () => {
    for (const [one, other] of [
      ['Hello', 'hELLO'],
      ['größe', 'GRÖßE'],
      ['gro\u0308ße', 'größe'],
      ['ｈｉ', 'hi'],
    ] as const)
      expect(codeKey(one)).toBe(codeKey(other))
    expect(codeKey('hello')).not.toBe(codeKey('hello2'))
    fc.assert(
      fc.property(fc.string(), code => {
        expect(codeKey(codeKey(code))).toBe(codeKey(code))
      }),
    )
  })
})
