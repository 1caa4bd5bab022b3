import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { differing, type Fields, rebased } from '../page/data/rebase.ts'

const value = fc.constantFrom('red', 'green', 'blue', true, false)
const fields: fc.Arbitrary<Fields> = fc.record({ name: value, content: value, isActive: value })

describe('CO27 a form that somebody else has changed', () => {
  test('keeps what was changed here, takes all else over, and asks for what both have changed', () => {
    fc.assert(
      fc.property(fields, fields, fields, (base, mine, theirs) => {
        const { value: now, clashes, arrived } = rebased(base, mine, theirs)
        for (const field of Object.keys(base)) {
          const [was, here, there] = [base[field], mine[field], theirs[field]]
          expect(now[field]).toBe(here === was ? there : here)
          expect(clashes.includes(field)).toBe(here !== was && there !== was && here !== there)
          expect(arrived.includes(field)).toBe(here === was && there !== was)
        }
      }),
    )
  })

  test('has fields that only one of them knows: attributes of a variant come and go', () => {
    const base: Fields = { name: 'Linz' }
    const there: Fields = { name: 'Linz', 'value A': 'yes' }
    expect(rebased(base, base, there).value).toEqual(there)
    expect(rebased(there, there, base).value).toEqual(base)
    expect(rebased(base, { ...base, 'value B': 'no' }, there).value).toEqual({ ...there, 'value B': 'no' })
  })

  test('sends what differs, and nothing else', () => {
    expect(differing({ a: 'x', b: true }, { a: 'x', b: false })).toEqual({ b: true })
  })
})
