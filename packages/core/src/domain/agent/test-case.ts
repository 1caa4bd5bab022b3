import * as z from 'zod'
import { expectationsSchema, expectedText, TEST_CASE_LIMITS, testJson, testName } from './expectations.ts'
import { testVisitorSchema } from './test-visitor.ts'

export { type Expectations, expectationsSchema, TEST_CASE_LIMITS } from './expectations.ts'

const isShort = (value: unknown): boolean => JSON.stringify(value).length <= TEST_CASE_LIMITS.jsonLength
const tooLong = `must be at most ${TEST_CASE_LIMITS.jsonLength} characters of JSON`

/** The visitor's text, and the expectations on the reply. */
const testTurnSchema = z.object({
  text: z.string().min(1).max(TEST_CASE_LIMITS.textLength),
  expectations: expectationsSchema,
})

/** A mock of a function in a test. It returns or fails, and can have the same effects as functions (TE13). */
export const functionResultSchema = z.strictObject({
  /** @default null */
  result: testJson.exactOptional(),
  /** The function fails with this message; it has no result then. */
  error: expectedText.exactOptional(),
  /** Text that the agent says. */
  say: expectedText.exactOptional(),
  /** Conversation variables that it writes. */
  variables: z.record(z.string(), testJson).exactOptional(),
  handoff: z
    .strictObject({ destination: testName, reason: z.string().max(TEST_CASE_LIMITS.nameLength) })
    .exactOptional(),
  ends: z.boolean().exactOptional(),
})

/** A conversation that the agent is to master. Part of its content, versioned and merged with it. */
export const testCaseSchema = z.object({
  name: testName,
  /** Empty for a visitor who talks back. */
  turns: z.array(testTurnSchema).max(TEST_CASE_LIMITS.turns).refine(isShort, tooLong),
  /** The visitor who talks back, in place of the turns; null, as without one: none (TE80). */
  visitor: testVisitorSchema.nullable().exactOptional(),
  /** Answers in the place of the host's functions, by name. */
  functionResults: z
    .record(testName, functionResultSchema)
    .refine(results => Object.keys(results).length <= TEST_CASE_LIMITS.functionResults, {
      error: `must have at most ${TEST_CASE_LIMITS.functionResults} functions`,
    })
    .refine(isShort, tooLong),
  /** The variant that the agent speaks as; null: the default one. */
  variantId: z.string().min(1).max(TEST_CASE_LIMITS.nameLength).nullable(),
  isActive: z.boolean(),
})

/** A test case as a caller writes it: with turns, or a visitor. A merge may bring any two fields together. */
export const writtenTestCaseSchema = testCaseSchema
  .transform(({ visitor, ...value }) => (visitor ? { ...value, visitor } : value))
  .refine(value => 'visitor' in value !== value.turns.length > 0, {
    path: ['turns'],
    message: 'must have at least one turn, or none beside a visitor',
  })

/** A mock of a function in a test. */
export type FunctionResult = Readonly<z.output<typeof functionResultSchema>>
/** A conversation that the agent is to master. */
export type TestCase = Readonly<z.output<typeof testCaseSchema>>
