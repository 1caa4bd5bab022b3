import * as z from 'zod'
import { pictureSchema } from '../web-address.ts'
import { type AgentPhrases, phrasesSchema } from './phrases.ts'
import { type TestCase, testCaseSchema } from './test-case.ts'

/** Limits of an agent's content; each is the most that a write may carry. */
export const CONTENT_LIMITS = {
  nameLength: 100,
  topicNameLength: 200,
  behaviorLength: 200_000,
  greetingLength: 10_000,
  topicContentLength: 100_000,
  topicActionsLength: 20_000,
  exampleQueries: 200,
  exampleQueryLength: 1_000,
  /**
   * Limits per branch: attributes and variants are read all at once. Topics are not. Their number is only limited by
   * `limits.contentBytes`.
   */
  attributes: 1_000,
  variants: 1_000,
  attributeValueLength: 10_000,
} as const

const name = z.string().min(1).max(CONTENT_LIMITS.nameLength)

/** The system prompt of an agent (contract/agents.md, Content). */
export const behaviorSchema = z.object({ behavior: z.string().max(CONTENT_LIMITS.behaviorLength) })

/** An agent's greeting, language, voice and model. */
export const responseSettingsSchema = z.object({
  greeting: z.string().min(1).max(CONTENT_LIMITS.greetingLength),
  languageCode: z.string().min(2).max(35),
  voiceId: z.string().max(200).nullable(),
  modelId: z.string().max(200).nullable(),
  /** The agent's picture, as visitors see it (AG34). Not there for none: contents from before it have equal hashes. */
  avatarUrl: pictureSchema.exactOptional(),
  /** The agent's own phrases (AG524). Absent for none, like the picture. */
  phrases: phrasesSchema.exactOptional(),
})

/** A knowledge-base topic. `actions` holds instructions and expansions; `content` is plain facts. */
export const topicSchema = z.object({
  name: z.string().min(1).max(CONTENT_LIMITS.topicNameLength),
  content: z.string().min(1).max(CONTENT_LIMITS.topicContentLength),
  actions: z.string().max(CONTENT_LIMITS.topicActionsLength),
  exampleQueries: z
    .array(z.string().min(1).max(CONTENT_LIMITS.exampleQueryLength))
    .max(CONTENT_LIMITS.exampleQueries),
  isActive: z.boolean(),
})

/** Something that differs between variants, for example the name of the hotel. */
export const attributeSchema = z.object({ name })

/** A flavour of the agent: values for the attributes, by attribute id. Exactly one variant is the default. */
export const variantSchema = z.object({
  name,
  isDefault: z.boolean(),
  attributeValues: z.record(z.string(), z.string().max(CONTENT_LIMITS.attributeValueLength)),
})

/** The schema of each kind of resource. `behavior` and `response_settings` exist once, with the id `''`. */
export const RESOURCE_SCHEMAS = {
  behavior: behaviorSchema,
  response_settings: responseSettingsSchema,
  topics: topicSchema,
  attributes: attributeSchema,
  variants: variantSchema,
  test_cases: testCaseSchema,
} as const

export type ResourceKind = keyof typeof RESOURCE_SCHEMAS

export type Behavior = Readonly<z.infer<typeof behaviorSchema>>
export type ResponseSettings = Readonly<z.infer<typeof responseSettingsSchema>>
/** A change of response settings. What is empty or null removes the picture, or all phrases. */
export type ResponseSettingsChange = Partial<Omit<ResponseSettings, 'avatarUrl' | 'phrases'>> & {
  readonly avatarUrl?: string | null
  readonly phrases?: AgentPhrases | null
}
export type Topic = Readonly<z.infer<typeof topicSchema>>
export type Attribute = Readonly<z.infer<typeof attributeSchema>>
export type Variant = Readonly<z.infer<typeof variantSchema>>

/** The value of a resource, by its kind. */
export interface ResourceValues {
  readonly behavior: Behavior
  readonly response_settings: ResponseSettings
  readonly topics: Topic
  readonly attributes: Attribute
  readonly variants: Variant
  readonly test_cases: TestCase
}

/** One resource of an agent's content. */
export type Resource = {
  readonly [Kind in ResourceKind]: {
    readonly kind: Kind
    readonly id: string
    readonly value: ResourceValues[Kind]
  }
}[ResourceKind]

/** The edit of one resource: its whole new value, or null to remove the resource. */
export type ResourceChange = {
  readonly [Kind in ResourceKind]: {
    readonly kind: Kind
    readonly id: string
    readonly value: ResourceValues[Kind] | null
  }
}[ResourceKind]

/** `kind/id`: the key of a resource within a content tree. */
export const resourceKey = (resource: { readonly kind: ResourceKind; readonly id: string }): string =>
  `${resource.kind}/${resource.id}`

/** An agent's content, complete or sparse: resources by {@link resourceKey}. */
export type ContentTree = ReadonlyMap<string, Resource>
