import * as z from 'zod'
import { copyJson, type Json } from '../json.ts'

/** Limits of a test case (TE2). */
export const TEST_CASE_LIMITS = {
  /** Maximum per branch. */
  testCases: 500,
  nameLength: 200,
  turns: 50,
  /** Characters of what the visitor says in one turn. */
  textLength: 10_000,
  /** Texts that one turn expects, or expects not to find. */
  texts: 20,
  expectedTextLength: 1_000,
  /** Functions that one test case answers for. */
  functionResults: 50,
  /** Characters of JSON of a test case's turns, and of its function results. */
  jsonLength: 100_000,
  jsonDepth: 32,
} as const

export const testName = z.string().min(1).max(TEST_CASE_LIMITS.nameLength)
export const expectedText = z.string().min(1).max(TEST_CASE_LIMITS.expectedTextLength)
export const expectedTexts = z.array(expectedText).min(1).max(TEST_CASE_LIMITS.texts)

/** A value of JSON that is not too deep. */
export const testJson = z.unknown().transform((value, context): Json => {
  const copy = copyJson(value, TEST_CASE_LIMITS.jsonDepth)
  if (copy !== undefined) return copy
  context.addIssue({
    code: 'custom',
    message: `must be JSON, at most ${TEST_CASE_LIMITS.jsonDepth} levels deep`,
  })
  return z.NEVER
})

/** The expectations on a reply. All given ones must hold. Unknown fields are refused (TE2). */
export const expectationsSchema = z.strictObject({
  /** A topic that was retrieved for the reply, by name. */
  topic: testName.exactOptional(),
  /** The topic that the reply rests on, by name. */
  citedTopic: testName.exactOptional(),
  /** Texts that must all be in the reply, in any case. */
  contains: expectedTexts.exactOptional(),
  /** Texts that must not be in the reply, in any case. */
  notContains: expectedTexts.exactOptional(),
  /** A function that was called, with these arguments among others. */
  function: z
    .strictObject({ name: testName, arguments: z.record(z.string(), testJson).exactOptional() })
    .exactOptional(),
  /** The conversation was handed off, to that destination if one is given. */
  handoff: z.strictObject({ destination: testName.exactOptional() }).exactOptional(),
  /** Whether the conversation ended with the reply; one that is handed off has ended too. */
  ends: z.boolean().exactOptional(),
})

/** The expectations on a reply. */
export type Expectations = Readonly<z.output<typeof expectationsSchema>>
