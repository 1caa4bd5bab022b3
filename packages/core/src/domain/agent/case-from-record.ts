import * as z from 'zod'
import { effectsOf } from '../conversation/function-effect.ts'
import type { StoredTurn } from '../conversation/record.ts'
import { shortened, startOf } from '../cut-text.ts'
import { isJsonArray, type Json } from '../json.ts'
import { expectationsSchema, TEST_CASE_LIMITS, testName } from './expectations.ts'
import { callsOf } from './replay.ts'
import { type FunctionResult, functionResultSchema, type TestCase, testCaseSchema } from './test-case.ts'
import { TEST_VISITOR_LIMITS, testVisitorFields } from './test-visitor.ts'

/** The longest name that a conversation gives its test case, characters. */
const NAME = 60

const SOMETHING = 'must have at least one expectation'

/** A test case of a recorded conversation. What the agent replied there is never an expectation (TE89). */
export const recordedCaseSchema = z
  .strictObject({
    conversationId: z.string().min(1),
    /** @default the beginning of the first message */
    name: testName.exactOptional(),
    /** The right course after messages of the visitor. The test case ends with the last one of them. */
    expected: z
      .array(
        z.strictObject({
          /** The place among the visitor's messages, from 1. */
          message: z.int().min(1),
          expectations: expectationsSchema.refine(given => Object.keys(given).length > 0, SOMETHING),
        }),
      )
      .min(1)
      .max(TEST_CASE_LIMITS.turns)
      .exactOptional(),
    /** The right course of the whole talk: a visitor who talks back. `goal` is the first message unless given. */
    visitor: testVisitorFields.extend({ goal: testVisitorFields.shape.goal.exactOptional() }).exactOptional(),
    /** @default what the functions had in the conversation, each at its first call */
    functionResults: testCaseSchema.shape.functionResults.exactOptional(),
    /** @default that of the conversation */
    variantId: testCaseSchema.shape.variantId.exactOptional(),
  })
  .refine(({ expected, visitor }) => (expected === undefined) !== (visitor === undefined), {
    path: ['expected'],
    message: 'give either it or visitor: what should have happened',
  })
  .refine(({ expected = [] }) => new Set(expected.map(({ message }) => message)).size === expected.length, {
    path: ['expected'],
    message: 'must have each message once',
  })

/** The conversation to make a test case of, and what should have happened. */
export type RecordedCase = Readonly<z.output<typeof recordedCaseSchema>>

/** Returns the visitor's messages that the agent was asked, in order. */
const visitorMessages = (turns: readonly StoredTurn[]): readonly string[] =>
  turns.flatMap(({ record: { user_input: said } }) => (typeof said === 'string' && said !== '' ? [said] : []))

/** Returns a function's first recorded call as a mock. Null if a mock cannot do the same. */
function mockOf(call: Readonly<Record<string, Json>>, effects: Json | undefined): FunctionResult | null {
  const parts = effectsOf(effects)
  const say = parts.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('')
  const variables = parts.flatMap(part => (part.type === 'variable' ? [[part.key, part.value]] : []))
  const handoff = parts.find(part => part.type === 'handoff')
  const mock = {
    ...(typeof call.error === 'string' ? { error: call.error } : { result: call.result ?? null }),
    ...(say === '' ? {} : { say }),
    ...(variables.length === 0 ? {} : { variables: Object.fromEntries(variables) }),
    ...(handoff && { handoff: { destination: handoff.destination, reason: handoff.reason } }),
    ...(parts.some(({ type }) => type === 'end') ? { ends: true } : {}),
  }
  return functionResultSchema.safeParse(mock).data ?? null
}

/** Returns what each function had at its first call, as mocks (TE13). */
function recordedResults(turns: readonly StoredTurn[]): TestCase['functionResults'] {
  const results = new Map<string, FunctionResult>()
  for (const turn of turns)
    for (const [at, call] of callsOf(turn).entries()) {
      const { function_effects: effects } = turn.details
      const { name } = call
      if (typeof name !== 'string' || results.has(name)) continue
      const mock = mockOf(call, isJsonArray(effects) ? effects[at] : undefined)
      if (mock !== null && results.size < TEST_CASE_LIMITS.functionResults) results.set(name, mock)
    }
  return Object.fromEntries(results)
}

/** A test case to write, without what is not given. */
type NewCase = Pick<TestCase, 'name'> & Partial<TestCase>

/** A test case to write, or the reason why the conversation does not give one. */
type CaseOrReason = { readonly value: NewCase } | { readonly reason: string }

/** Returns the visitor's messages up to the last expected one as turns, each with its expectations alone. */
function turnsOf(
  messages: readonly string[],
  expected: NonNullable<RecordedCase['expected']>,
): Pick<TestCase, 'turns'> | { readonly reason: string } {
  const places = expected.map(({ message }) => message)
  const [first, last] = [Math.min(...places), Math.max(...places)]
  if (last > messages.length)
    return { reason: `expected names message ${last}, and the visitor sent ${messages.length}.` }
  const start = Math.max(0, last - TEST_CASE_LIMITS.turns)
  if (first <= start)
    return { reason: `expected may name the ${TEST_CASE_LIMITS.turns} messages up to ${last}, not ${first}.` }
  const turns = messages.slice(start, last).map((text, at) => ({
    text,
    expectations: expected.find(({ message }) => message === start + at + 1)?.expectations ?? {},
  }))
  return { turns }
}

/** Makes a test case of recorded turns. Expectations are those that the caller gives, and no others (TE89). */
export function caseOf(
  turns: readonly StoredTurn[],
  variantId: string | null,
  wanted: RecordedCase,
): CaseOrReason {
  const messages = visitorMessages(turns)
  const [first] = messages
  if (first === undefined) return { reason: 'The visitor of the conversation has sent no message.' }
  const { expected = [], visitor } = wanted
  const asked =
    visitor === undefined
      ? turnsOf(messages, expected)
      : { visitor: { goal: startOf(first, TEST_VISITOR_LIMITS.textLength), ...visitor } }
  if ('reason' in asked) return asked
  const rest = {
    name: wanted.name ?? shortened(first.replace(/\s+/gu, ' ').trim(), NAME),
    functionResults: wanted.functionResults ?? recordedResults(turns),
    variantId: wanted.variantId === undefined ? variantId : wanted.variantId,
  }
  return { value: { ...rest, ...asked } }
}
