import * as z from 'zod'
import {
  attributeSchema,
  behaviorSchema,
  responseSettingsSchema,
  topicSchema,
  variantSchema,
} from '../../domain/agent/content.ts'
import { phrasesChangeSchema } from '../../domain/agent/phrases.ts'
import { pictureOrNoneSchema } from '../../domain/web-address.ts'
import type * as wire from '../answers/content.ts'
import { defineRoute, type Route } from '../route.ts'
import { BRANCH_PATH, changeExpecting, ofBranch, removedId } from './agents-api.ts'
import { namedResourceRoutes } from './named-resources.ts'

const ofBehavior = { ...ofBranch, path: `${BRANCH_PATH}/behavior` }

const behaviorRoutes: readonly Route[] = [
  defineRoute({
    ...ofBehavior,
    method: 'GET',
    operation: 'readBehavior',
    summary: "Read a branch's behavior",
    async handle({ platform, params: { agentId, branchId } }) {
      return { status: 200, json: { behavior: await platform.agents.behavior(agentId, branchId) } }
    },
  }),
  defineRoute({
    ...ofBehavior,
    method: 'PATCH',
    operation: 'updateBehavior',
    summary: "Replace a branch's behavior",
    body: changeExpecting(behaviorSchema),
    async handle({ platform, params: { agentId, branchId }, body }) {
      const { behavior: now, expected } = body
      const behavior = await platform.agents.updateBehavior(agentId, branchId, now, expected?.behavior)
      return { status: 200, json: { behavior } }
    },
  }),
]

const ofSettings = { ...ofBranch, path: `${BRANCH_PATH}/response-settings` }
const settings = responseSettingsSchema.shape
const settingsChange = z.object({
  greeting: settings.greeting.exactOptional(),
  languageCode: settings.languageCode.exactOptional(),
  voiceId: settings.voiceId.exactOptional(),
  modelId: settings.modelId.exactOptional(),
  avatarUrl: pictureOrNoneSchema.nullable().exactOptional(),
  phrases: phrasesChangeSchema.nullable().exactOptional(),
})

const settingsRoutes: readonly Route[] = [
  defineRoute({
    ...ofSettings,
    method: 'GET',
    operation: 'readResponseSettings',
    summary: "Read a branch's response settings",
    async handle({ platform, params: { agentId, branchId } }) {
      return { status: 200, json: await platform.agents.responseSettings(agentId, branchId) }
    },
  }),
  defineRoute({
    ...ofSettings,
    method: 'PATCH',
    operation: 'updateResponseSettings',
    summary: "Change a branch's response settings",
    body: changeExpecting(settingsChange),
    async handle({ platform, params: { agentId, branchId }, body }) {
      return { status: 200, json: await platform.agents.updateResponseSettings(agentId, branchId, body) }
    },
  }),
]

const topic = topicSchema.shape
const topicChange = z.object({
  name: topic.name.exactOptional(),
  content: topic.content.exactOptional(),
  actions: topic.actions.exactOptional(),
  exampleQueries: z
    .object({ queries: topic.exampleQueries.default([]) })
    .transform(({ queries }) => queries)
    .exactOptional(),
  isActive: topic.isActive.exactOptional(),
})

const topicRoutes = namedResourceRoutes({
  path: '/knowledge-base/topics',
  idPath: '/:topicId',
  params: ofBranch.params.extend({ topicId: z.string() }),
  idOf: params => params.topicId,
  noun: 'topic',
  names: ['Topic', 'Topics'],
  newBody: topicChange.extend({ ...removedId, name: topic.name, content: topic.content }),
  changeBody: changeExpecting(topicChange),
  writesShow: false,
  onWire: ({
    id,
    name,
    content,
    actions,
    exampleQueries: queries,
    isActive,
  }): z.input<typeof wire.topic> => ({
    id,
    name,
    content,
    actions,
    exampleQueries: { queries },
    isActive,
  }),
  calls: agents => ({
    list: agents.topics,
    read: agents.topic,
    create: agents.createTopic,
    update: agents.updateTopic,
    delete: agents.deleteTopic,
  }),
})

const attributeRoutes = namedResourceRoutes({
  path: '/attributes',
  idPath: '/:attributeId',
  params: ofBranch.params.extend({ attributeId: z.string() }),
  idOf: params => params.attributeId,
  noun: 'variant attribute',
  names: ['Attribute', 'Attributes'],
  listField: 'attributes',
  newBody: attributeSchema.extend(removedId),
  changeBody: changeExpecting(z.object({ name: attributeSchema.shape.name.exactOptional() })),
  writesShow: true,
  onWire: ({ id, name }): z.input<typeof wire.attribute> => ({ id, name }),
  calls: agents => ({
    list: agents.attributes,
    read: agents.attribute,
    create: agents.createAttribute,
    update: agents.updateAttribute,
    delete: agents.deleteAttribute,
  }),
})

const variant = variantSchema.shape
const variantChange = z.object({
  name: variant.name.exactOptional(),
  isDefault: variant.isDefault.exactOptional(),
  attributeValues: z
    .object({ values: variant.attributeValues.default({}) })
    .transform(({ values }) => values)
    .exactOptional(),
})

const variantRoutes = namedResourceRoutes({
  path: '/variants',
  idPath: '/:variantId',
  params: ofBranch.params.extend({ variantId: z.string() }),
  idOf: params => params.variantId,
  noun: 'variant',
  names: ['Variant', 'Variants'],
  listField: 'variants',
  newBody: variantChange.extend({ ...removedId, name: variant.name }),
  changeBody: changeExpecting(variantChange),
  writesShow: true,
  onWire: ({ id, name, isDefault, attributeValues: values }): z.input<typeof wire.variant> => ({
    id,
    name,
    isDefault,
    attributeValues: { values },
  }),
  calls: agents => ({
    list: agents.variants,
    read: agents.variant,
    create: agents.createVariant,
    update: agents.updateVariant,
    delete: agents.deleteVariant,
  }),
})

/**
 * Routes for the content of a branch: behavior, response settings, topics, variant attributes and variants
 * (contract/agents.md, Content).
 */
export const contentRoutes: readonly Route[] = [
  ...behaviorRoutes,
  ...settingsRoutes,
  ...topicRoutes,
  ...attributeRoutes,
  ...variantRoutes,
]
