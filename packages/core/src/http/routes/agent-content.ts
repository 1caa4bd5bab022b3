import { z } from 'zod'
import {
  attributeSchema,
  behaviorSchema,
  type Topic,
  topicSchema,
  type Variant,
  variantSchema,
} from '../../domain/agent/content.ts'
import { type AgentId, asId, type BranchId } from '../../domain/ids.ts'
import { defineRoute, type Route } from '../route.ts'

const BRANCH = '/v1/agents/:agentId/branches/:branchId'
const TOPICS = `${BRANCH}/knowledge-base/topics`
const ATTRIBUTES = `${BRANCH}/attributes`
const VARIANTS = `${BRANCH}/variants`

const branchParams = z.object({
  agentId: z.string().transform(asId<AgentId>),
  branchId: z.string().transform(asId<BranchId>),
})

const common = {
  family: 'agents',
  credential: 'workspace',
  query: z.object({}),
  params: branchParams,
  scope: ({ params }: { readonly params: { readonly agentId: string } }) => ({ agent: params.agentId }),
} as const

const ofTopic = {
  ...common,
  path: `${TOPICS}/:topicId`,
  params: branchParams.extend({ topicId: z.string() }),
}
const ofAttribute = {
  ...common,
  path: `${ATTRIBUTES}/:attributeId`,
  params: branchParams.extend({ attributeId: z.string() }),
}
const ofVariant = {
  ...common,
  path: `${VARIANTS}/:variantId`,
  params: branchParams.extend({ variantId: z.string() }),
}

const topicChange = z.object({
  name: topicSchema.shape.name.exactOptional(),
  content: topicSchema.shape.content.exactOptional(),
  actions: topicSchema.shape.actions.exactOptional(),
  exampleQueries: z.object({ queries: topicSchema.shape.exampleQueries.default([]) }).exactOptional(),
  isActive: topicSchema.shape.isActive.exactOptional(),
})
const newTopic = topicChange.extend({ name: topicSchema.shape.name, content: topicSchema.shape.content })

const variantChange = z.object({
  name: variantSchema.shape.name.exactOptional(),
  isDefault: variantSchema.shape.isDefault.exactOptional(),
  attributeValues: z.object({ values: variantSchema.shape.attributeValues.default({}) }).exactOptional(),
})
const newVariant = variantChange.extend({ name: variantSchema.shape.name })

const topicOnWire = ({
  id,
  name,
  content,
  actions,
  exampleQueries,
  isActive,
}: Topic & { readonly id: string }) => ({
  id,
  name,
  content,
  actions,
  exampleQueries: { queries: exampleQueries },
  isActive,
})

const variantOnWire = ({ id, name, isDefault, attributeValues }: Variant & { readonly id: string }) => ({
  id,
  name,
  isDefault,
  attributeValues: { values: attributeValues },
})

function topicFromWire<Body extends z.output<typeof topicChange>>({ exampleQueries, ...rest }: Body) {
  return { ...rest, ...(exampleQueries === undefined ? {} : { exampleQueries: exampleQueries.queries }) }
}

function variantFromWire<Body extends z.output<typeof variantChange>>({ attributeValues, ...rest }: Body) {
  return { ...rest, ...(attributeValues === undefined ? {} : { attributeValues: attributeValues.values }) }
}

const behaviorRoutes: readonly Route[] = [
  defineRoute({
    ...common,
    method: 'GET',
    path: `${BRANCH}/behavior`,
    summary: "Read a branch's behavior",
    body: null,
    async handle({ platform, params }) {
      return {
        status: 200,
        json: { behavior: await platform.agents.behavior(params.agentId, params.branchId) },
      }
    },
  }),
  defineRoute({
    ...common,
    method: 'PATCH',
    path: `${BRANCH}/behavior`,
    summary: "Replace a branch's behavior",
    body: behaviorSchema,
    async handle({ platform, params, body }) {
      const behavior = await platform.agents.updateBehavior(params.agentId, params.branchId, body.behavior)
      return { status: 200, json: { behavior } }
    },
  }),
]

const topicRoutes: readonly Route[] = [
  defineRoute({
    ...common,
    method: 'GET',
    path: TOPICS,
    summary: "List a branch's topics, by name",
    body: null,
    async handle({ platform, params }) {
      const topics = await platform.agents.topics(params.agentId, params.branchId)
      return { status: 200, json: topics.map(topicOnWire) }
    },
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: TOPICS,
    summary: 'Add a topic to a branch',
    body: newTopic,
    async handle({ platform, params, body }) {
      const topic = await platform.agents.createTopic(params.agentId, params.branchId, topicFromWire(body))
      return { status: 201, json: topicOnWire(topic) }
    },
  }),
  defineRoute({
    ...ofTopic,
    method: 'GET',
    summary: 'Read a topic',
    body: null,
    async handle({ platform, params: { agentId, branchId, topicId } }) {
      return { status: 200, json: topicOnWire(await platform.agents.topic(agentId, branchId, topicId)) }
    },
  }),
  defineRoute({
    ...ofTopic,
    method: 'PATCH',
    summary: 'Change the given fields of a topic',
    body: topicChange,
    async handle({ platform, params: { agentId, branchId, topicId }, body }) {
      await platform.agents.updateTopic(agentId, branchId, topicId, topicFromWire(body))
      return { status: 204 }
    },
  }),
  defineRoute({
    ...ofTopic,
    method: 'DELETE',
    summary: 'Remove a topic from a branch',
    body: null,
    async handle({ platform, params: { agentId, branchId, topicId } }) {
      await platform.agents.deleteTopic(agentId, branchId, topicId)
      return { status: 204 }
    },
  }),
]

const attributeRoutes: readonly Route[] = [
  defineRoute({
    ...common,
    method: 'GET',
    path: ATTRIBUTES,
    summary: "List a branch's variant attributes, by name",
    body: null,
    async handle({ platform, params }) {
      return { status: 200, json: await platform.agents.attributes(params.agentId, params.branchId) }
    },
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: ATTRIBUTES,
    summary: 'Add a variant attribute to a branch',
    body: attributeSchema,
    async handle({ platform, params, body }) {
      return {
        status: 201,
        json: await platform.agents.createAttribute(params.agentId, params.branchId, body),
      }
    },
  }),
  defineRoute({
    ...ofAttribute,
    method: 'GET',
    summary: 'Read a variant attribute',
    body: null,
    async handle({ platform, params: { agentId, branchId, attributeId } }) {
      return { status: 200, json: await platform.agents.attribute(agentId, branchId, attributeId) }
    },
  }),
  defineRoute({
    ...ofAttribute,
    method: 'PATCH',
    summary: 'Rename a variant attribute',
    body: z.object({ name: attributeSchema.shape.name.exactOptional() }),
    async handle({ platform, params: { agentId, branchId, attributeId }, body }) {
      const attribute = await platform.agents.updateAttribute(agentId, branchId, attributeId, body)
      return { status: 200, json: attribute }
    },
  }),
  defineRoute({
    ...ofAttribute,
    method: 'DELETE',
    summary: 'Remove a variant attribute with its values',
    body: null,
    async handle({ platform, params: { agentId, branchId, attributeId } }) {
      await platform.agents.deleteAttribute(agentId, branchId, attributeId)
      return { status: 204 }
    },
  }),
]

const variantRoutes: readonly Route[] = [
  defineRoute({
    ...common,
    method: 'GET',
    path: VARIANTS,
    summary: "List a branch's variants, by name",
    body: null,
    async handle({ platform, params }) {
      const variants = await platform.agents.variants(params.agentId, params.branchId)
      return { status: 200, json: variants.map(variantOnWire) }
    },
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: VARIANTS,
    summary: 'Add a variant to a branch',
    body: newVariant,
    async handle({ platform, params, body }) {
      const variant = await platform.agents.createVariant(
        params.agentId,
        params.branchId,
        variantFromWire(body),
      )
      return { status: 201, json: variantOnWire(variant) }
    },
  }),
  defineRoute({
    ...ofVariant,
    method: 'GET',
    summary: 'Read a variant',
    body: null,
    async handle({ platform, params: { agentId, branchId, variantId } }) {
      return { status: 200, json: variantOnWire(await platform.agents.variant(agentId, branchId, variantId)) }
    },
  }),
  defineRoute({
    ...ofVariant,
    method: 'PATCH',
    summary: 'Change the given fields of a variant',
    body: variantChange,
    async handle({ platform, params: { agentId, branchId, variantId }, body }) {
      const variant = await platform.agents.updateVariant(agentId, branchId, variantId, variantFromWire(body))
      return { status: 200, json: variantOnWire(variant) }
    },
  }),
  defineRoute({
    ...ofVariant,
    method: 'DELETE',
    summary: 'Remove a variant that is not the default',
    body: null,
    async handle({ platform, params: { agentId, branchId, variantId } }) {
      await platform.agents.deleteVariant(agentId, branchId, variantId)
      return { status: 204 }
    },
  }),
]

/** Behavior, topics, variant attributes and variants of a branch (decisions.md section 3). */
export const contentRoutes: readonly Route[] = [
  ...behaviorRoutes,
  ...topicRoutes,
  ...attributeRoutes,
  ...variantRoutes,
]
