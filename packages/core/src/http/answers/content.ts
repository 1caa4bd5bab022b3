import * as z from 'zod'
import { phrasesSchema } from '../../domain/agent/phrases.ts'
import { expectationsSchema, functionResultSchema } from '../../domain/agent/test-case.ts'
import { talkExpectationsSchema, testVisitorSchema } from '../../domain/agent/test-visitor.ts'
import { answers, list, texts } from './answer.ts'

const behavior = z.object({ behavior: z.string() }).meta({ id: 'Behavior' })

const responseSettings = z
  .object({
    greeting: z.string(),
    languageCode: z.string(),
    voiceId: z.string().nullable(),
    modelId: z.string().nullable(),
    avatarUrl: z.string().exactOptional(),
    phrases: phrasesSchema.exactOptional(),
  })
  .meta({ id: 'ResponseSettings' })

/** A topic of the knowledge base. */
export const topic = z
  .object({
    id: z.string(),
    name: z.string(),
    content: z.string(),
    actions: z.string(),
    exampleQueries: z.object({ queries: texts }),
    isActive: z.boolean(),
  })
  .meta({ id: 'Topic' })

/** Something that differs between variants. */
export const attribute = z.object({ id: z.string(), name: z.string() }).meta({ id: 'Attribute' })

/** A flavour of the agent. */
export const variant = z
  .object({
    id: z.string(),
    name: z.string(),
    isDefault: z.boolean(),
    attributeValues: z.object({ values: z.record(z.string(), z.string()) }),
  })
  .meta({ id: 'Variant' })

const visitor = z
  .object({
    ...testVisitorSchema.shape,
    facts: z.record(z.string(), z.string()),
    maxTurns: z.int(),
    talks: z.int(),
    expectations: talkExpectationsSchema.strip().readonly(),
  })
  .meta({ id: 'TestVisitorProfile' })

/** A conversation that the agent is to master. */
export const testCase = z
  .object({
    id: z.string(),
    name: z.string(),
    turns: list(z.object({ text: z.string(), expectations: expectationsSchema.strip().readonly() })),
    visitor: visitor.nullable(),
    functionResults: z.record(z.string(), functionResultSchema.strip().readonly()),
    variantId: z.string().nullable(),
    isActive: z.boolean(),
  })
  .meta({ id: 'TestCase' })

const gone = z.object({ id: z.string() })

/** The responses of the routes about an agent's content (contract/agents.md, Content). */
export const contentAnswers = {
  readBehavior: answers({ 200: behavior }),
  updateBehavior: answers({ 200: behavior }, 'CONTENT_CHANGED'),
  readResponseSettings: answers({ 200: responseSettings }),
  updateResponseSettings: answers({ 200: responseSettings }, 'CONTENT_CHANGED'),

  listTopics: answers({ 200: list(topic) }),
  createTopic: answers({ 201: topic }, 'KNOWLEDGE_BASE_TOPIC_ALREADY_EXISTS', 'TOPIC_NOT_FOUND'),
  readTopic: answers({ 200: topic }, 'TOPIC_NOT_FOUND'),
  updateTopic: answers(
    { 204: null },
    'TOPIC_NOT_FOUND',
    'KNOWLEDGE_BASE_TOPIC_ALREADY_EXISTS',
    'CONTENT_CHANGED',
  ),
  deleteTopic: answers({ 204: null }, 'TOPIC_NOT_FOUND'),

  listAttributes: answers({ 200: z.object({ attributes: list(attribute) }) }),
  createAttribute: answers({ 201: attribute }, 'ATTRIBUTE_ALREADY_EXISTS', 'ATTRIBUTE_NOT_FOUND'),
  readAttribute: answers({ 200: attribute }, 'ATTRIBUTE_NOT_FOUND'),
  updateAttribute: answers(
    { 200: attribute },
    'ATTRIBUTE_NOT_FOUND',
    'ATTRIBUTE_ALREADY_EXISTS',
    'CONTENT_CHANGED',
  ),
  deleteAttribute: answers({ 200: gone }, 'ATTRIBUTE_NOT_FOUND'),

  listVariants: answers({ 200: z.object({ variants: list(variant) }) }),
  createVariant: answers(
    { 201: variant },
    'VARIANT_ALREADY_EXISTS',
    'ATTRIBUTE_NOT_FOUND',
    'VARIANT_NOT_FOUND',
  ),
  readVariant: answers({ 200: variant }, 'VARIANT_NOT_FOUND'),
  updateVariant: answers(
    { 200: variant },
    'VARIANT_NOT_FOUND',
    'VARIANT_ALREADY_EXISTS',
    'VARIANTS_REMOVE_DEFAULT_ERROR',
    'ATTRIBUTE_NOT_FOUND',
    'CONTENT_CHANGED',
  ),
  deleteVariant: answers({ 200: gone }, 'VARIANT_NOT_FOUND', 'VARIANTS_REMOVE_DEFAULT_ERROR'),

  listTestCases: answers({ 200: list(testCase) }),
  createTestCase: answers(
    { 201: testCase },
    'TEST_CASE_ALREADY_EXISTS',
    'VARIANT_NOT_FOUND',
    'TEST_CASE_NOT_FOUND',
  ),
  createTestCaseFromConversation: answers(
    { 201: testCase },
    'TEST_CASE_ALREADY_EXISTS',
    'VARIANT_NOT_FOUND',
    'CONVERSATIONS_NOT_FOUND',
  ),
  readTestCase: answers({ 200: testCase }, 'TEST_CASE_NOT_FOUND'),
  updateTestCase: answers(
    { 204: null },
    'TEST_CASE_NOT_FOUND',
    'TEST_CASE_ALREADY_EXISTS',
    'VARIANT_NOT_FOUND',
    'CONTENT_CHANGED',
  ),
  deleteTestCase: answers({ 204: null }, 'TEST_CASE_NOT_FOUND'),
}
