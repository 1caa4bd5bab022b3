import { describe, expect, test } from 'vitest'
import { checkOf, validator } from '../../src/mcp/validator.ts'

const NAUGHTY = `${'a'.repeat(40)}!`

describe('schemas of servers', () => {
  test.each(['^(a+)+$', '(a*)*b', '(.*)*x', '^(a|aa)+$'])(
    'MC4 the pattern %s does not stand still',
    pattern => {
      const check = checkOf({ type: 'object', properties: { r: { type: 'string', pattern } } })
      expect(check({ r: NAUGHTY })).toContain('r')
      expect(check({ r: 'b'.repeat(1_000_000) })).not.toBeNull()
    },
  )

  test('MC4 structured content is checked by it too', () => {
    const schema = { type: 'object' as const, properties: { r: { pattern: '^(a+)+$' } }, required: ['r'] }
    const check = validator.getValidator(schema)
    expect(check({ r: NAUGHTY }).valid).toBe(false)
    expect(check({ r: 'aa' })).toEqual({ valid: true, data: { r: 'aa' }, errorMessage: undefined })
    expect(check({}).errorMessage).toContain('r')
  })

  test('MC4 what would take too many steps is refused', () => {
    const twice = (name: string) => ({ allOf: [{ $ref: `#/$defs/${name}` }, { $ref: `#/$defs/${name}` }] })
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`d${at}`, at === 39 ? { type: 'object' } : twice(`d${at + 1}`)]),
    )
    expect(checkOf({ type: 'object', $defs, ...twice('d0') })({})).toContain('steps')
    const unique = checkOf({ type: 'object', properties: { r: { type: 'array', uniqueItems: true } } })
    expect(unique({ r: Array.from({ length: 300_000 }, (_, at) => [at]) })).toContain('steps')
  })

  test('MC4 what later drafts say is read as draft 7 says it, and what cannot be checked says nothing', () => {
    const check = checkOf({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'https://example.com/x',
      type: 'object',
      properties: {
        pair: { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'number' } },
        day: { $ref: '#/$defs/day', description: 'A day', minLength: 2 },
        odd: { type: 'string', pattern: '(?<!a)b', format: 'colour' },
      },
      dependentRequired: { pair: ['day'] },
      unevaluatedProperties: false,
      $defs: { day: { enum: ['mon', 'x'] } },
    })
    expect(check({ pair: ['a', 1, 2], day: 'mon', odd: 'z' })).toBeNull()
    expect(check({ pair: ['a', 'b'], day: 'mon' })).toContain('pair')
    expect(check({ pair: ['a'] })).toContain('day')
    expect(check({ day: 'tue' })).toContain('day')
    expect(check({ day: 'x' })).toContain('day')
  })
})
