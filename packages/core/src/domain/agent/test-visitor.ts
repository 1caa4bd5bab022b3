import * as z from 'zod'
import { expectationsSchema, expectedTexts } from './expectations.ts'

/** Limits of the visitor of a test case (TE81). */
export const TEST_VISITOR_LIMITS = {
  textLength: 1_000,
  nameLength: 200,
  facts: 20,
  criteria: 20,
  /** Messages of the visitor in one talk. */
  turns: 50,
  talks: 20,
  /** Messages of the visitor in all talks of a test case. */
  allTurns: 200,
} as const

const { allTurns, criteria, facts, nameLength, talks, textLength, turns } = TEST_VISITOR_LIMITS

const text = z.string().min(1).max(textLength)

/** The expectations on a talk. Those on a reply have to hold for one of them. */
export const talkExpectationsSchema = expectationsSchema.omit({ notContains: true }).extend({
  /** The visitor says that the goal is reached, and the replies hold every text of `wants`. */
  goal: z.literal('reached').exactOptional(),
  /** Texts that must be in no reply, in any case. */
  never: expectedTexts.exactOptional(),
  /** Sentences about the talk that the judge must find true. */
  judge: z.array(text).min(1).max(criteria).exactOptional(),
})

/** The fields of a visitor who talks back. */
export const testVisitorFields = z.strictObject({
  /** The wish of the visitor, in the visitor's words. */
  goal: text,
  /** Facts that the visitor tells if it is asked: answers by topic. */
  facts: z
    .record(z.string().min(1).max(nameLength), text)
    .refine(given => Object.keys(given).length <= facts, `must have at most ${facts} facts`)
    .default({}),
  /** Texts that the agent's replies must hold before the visitor is content, in any case. @default none */
  wants: expectedTexts.exactOptional(),
  /** The manner of the visitor, for a language model. */
  persona: text.exactOptional(),
  /** A tag of BCP 47. @default the agent's */
  language: z.string().min(1).max(35).exactOptional(),
  maxTurns: z.int().min(1).max(turns).default(10),
  /** The number of talks with the agent. */
  talks: z.int().min(1).max(talks).default(1),
  /** The number of talks that must pass. @default all */
  mustPass: z.int().min(1).max(talks).exactOptional(),
  expectations: talkExpectationsSchema.refine(
    given => Object.keys(given).length > 0,
    'must have at least one expectation',
  ),
})

/** A visitor who talks back: in place of the turns of a test case (TE80). */
export const testVisitorSchema = testVisitorFields
  .refine(given => (given.mustPass ?? 1) <= given.talks, {
    path: ['mustPass'],
    message: 'must be at most the number of talks',
  })
  .refine(given => given.talks * given.maxTurns <= allTurns, {
    path: ['talks'],
    message: `must be at most ${allTurns} messages together: talks times maxTurns`,
  })

/** The expectations on a talk. */
export type TalkExpectations = Readonly<z.output<typeof talkExpectationsSchema>>
/** A visitor who talks back. */
export type TestVisitorProfile = Readonly<z.output<typeof testVisitorSchema>>
