import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { resolutionsSchema } from '../../src/domain/agent/conflict.ts'
import { parse } from '../../src/domain/parse.ts'

/** Parses a value, and counts how often one of its items is checked. */
function refusal(schema: (item: z.ZodType) => z.ZodType, value: unknown) {
  let checks = 0
  const item = z.unknown().refine(() => {
    checks += 1
    return false
  })
  try {
    parse(schema(item), value, 'body field')
  } catch (error) {
    return { checks, message: error instanceof Error ? error.message : '' }
  }
  throw new Error('it was taken')
}

const many = (count: number) => Array.from({ length: count }, () => 1)

describe('lists and maps that are too long', () => {
  test.each<[string, (item: z.ZodType) => z.ZodType, unknown]>([
    ['a list', item => z.array(item).max(5), many(6)],
    [
      'a list in an object',
      item => z.object({ a: z.object({ b: z.array(item).max(5) }) }),
      { a: { b: many(6) } },
    ],
    ['a list that may be left out', item => z.object({ a: z.array(item).max(5).nullish() }), { a: many(6) }],
    ['a list with a default', item => z.object({ a: z.array(item).max(5).default([]) }), { a: many(6) }],
    ['a list in a list', item => z.array(z.array(item).max(5)), [many(6), many(6)]],
    ['a list that becomes another value', item => z.array(item).max(5).transform(String), many(6)],
    ['a list without a bound of its own', item => z.array(item), many(10_001)],
    ['a map', item => z.record(z.string(), item), Object.fromEntries(many(10_001).map((_, at) => [at, 1]))],
  ])('HT16 of %s nothing is looked at when it is too long', (_, schema, value) => {
    const { checks, message } = refusal(schema, value)
    expect(checks).toBe(0)
    expect(message).toMatch(/is not valid: Too big: expected (array|record) to have <=\d+ (items|keys)\.$/)
  })

  test('HT16 what is as long as it may be is looked at', () => {
    expect(refusal(item => z.array(item).max(5), many(5)).checks).toBe(5)
  })

  test('AG14 a merge takes 5,000 resolutions with paths of 8 parts', () => {
    const one = (parts: number) => ({ path: Array.from({ length: parts }, () => 'x'), strategy: 'ours' })
    const all = (count: number) => Array.from({ length: count }, () => one(1))
    expect(resolutionsSchema.safeParse([one(8), ...all(4_999)]).success).toBe(true)
    expect(() => parse(resolutionsSchema, all(5_001), 'body field')).toThrow('<=5000 items')
    expect(() => parse(resolutionsSchema, [one(9)], 'body field')).toThrow('"0.path" is not valid: Too big')
  })
})
