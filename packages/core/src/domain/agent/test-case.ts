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

const name = z.string().min(1).max(TEST_CASE_LIMITS.nameLength)
const expectedText = z.string().min(1).max(TEST_CASE_LIMITS.expectedTextLength)
const expectedTexts = z.array(expectedText).min(1).max(TEST_CASE_LIMITS.texts)

const json = z.unknown().transform((value, context): Json => {
  const copy = copyJson(value, TEST_CASE_LIMITS.jsonDepth)
  if (copy !== undefined) return copy
  context.addIssue({
    code: 'custom',
    message: `must be JSON, at most ${TEST_CASE_LIMITS.jsonDepth} levels deep`,
  })
  return z.NEVER
})

const isShort = (value: unknown): boolean => JSON.stringify(value).length <= TEST_CASE_LIMITS.jsonLength
const tooLong = `must be at most ${TEST_CASE_LIMITS.jsonLength} characters of JSON`

/** The expectations on a reply. All given ones must hold. Unknown fields are refused (TE3). */
export const expectationsSchema = z.strictObject({
  /** A topic that was retrieved for the reply, by name. */
  topic: name.exactOptional(),
  /** The topic that the reply rests on, by name. */
  citedTopic: name.exactOptional(),
  /** Texts that must all be in the reply, in any case. */
  contains: expectedTexts.exactOptional(),
  /** Texts that must not be in the reply, in any case. */
  notContains: expectedTexts.exactOptional(),
  /** A function that was called, with these arguments among others. */
  function: z.strictObject({ name, arguments: z.record(z.string(), json).exactOptional() }).exactOptional(),
  /** The conversation was handed off, to that destination if one is given. */
  handoff: z.strictObject({ destination: name.exactOptional() }).exactOptional(),
  /** Whether the conversation ended with the reply; one that is handed off has ended too. */
  ends: z.boolean().exactOptional(),
})

/** The visitor's text, and the expectations on the reply. */
const testTurnSchema = z.object({
  text: z.string().min(1).max(TEST_CASE_LIMITS.textLength),
  expectations: expectationsSchema,
})

/** A mock of a function in a test. It returns or fails, and can have the same effects as functions (TE13). */
export const functionResultSchema = z.strictObject({
  /** @default null */
  result: json.exactOptional(),
  /** The function fails with this message; it has no result then. */
  error: expectedText.exactOptional(),
  /** Text that the agent says. */
  say: expectedText.exactOptional(),
  /** Conversation variables that it writes. */
  variables: z.record(z.string(), json).exactOptional(),
  handoff: z
    .strictObject({ destination: name, reason: z.string().max(TEST_CASE_LIMITS.nameLength) })
    .exactOptional(),
  ends: z.boolean().exactOptional(),
})

/** A conversation that the agent is to master. Part of its content, versioned and merged with it. */
export const testCaseSchema = z.object({
  name,
  turns: z.array(testTurnSchema).min(1).max(TEST_CASE_LIMITS.turns).refine(isShort, tooLong),
  /** Answers in the place of the host's functions, by name. */
  functionResults: z
    .record(name, functionResultSchema)
    .refine(results => Object.keys(results).length <= TEST_CASE_LIMITS.functionResults, {
      error: `must have at most ${TEST_CASE_LIMITS.functionResults} functions`,
    })
    .refine(isShort, tooLong),
  /** The variant that the agent speaks as; null: the default one. */
  variantId: z.string().min(1).max(TEST_CASE_LIMITS.nameLength).nullable(),
  isActive: z.boolean(),
})

/** The expectations on a reply. */
export type Expectations = Readonly<z.output<typeof expectationsSchema>>
/** A mock of a function in a test. */
export type FunctionResult = Readonly<z.output<typeof functionResultSchema>>
/** A conversation that the agent is to master. */
export type TestCase = Readonly<z.output<typeof testCaseSchema>>
