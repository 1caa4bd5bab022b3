import { z } from 'zod'
import { behaviorSchema, type Topic, topicSchema } from '../../domain/agent/content.ts'
import { defineRoute, type Route } from '../route.ts'
import { BRANCH_PATH, ofBranch } from './agents-api.ts'

const TOPICS = `${BRANCH_PATH}/knowledge-base/topics`

const ofTopic = {
  ...ofBranch,
  path: `${TOPICS}/:topicId`,
  params: ofBranch.params.extend({ topicId: z.string() }),
}
const topicChange = z.object({
  name: topicSchema.shape.name.exactOptional(),
  content: topicSchema.shape.content.exactOptional(),
  actions: topicSchema.shape.actions.exactOptional(),
  exampleQueries: z.object({ queries: topicSchema.shape.exampleQueries.default([]) }).exactOptional(),
  isActive: topicSchema.shape.isActive.exactOptional(),
})
const newTopic = topicChange.extend({ name: topicSchema.shape.name, content: topicSchema.shape.content })

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

function topicFromWire<Body extends z.output<typeof topicChange>>({ exampleQueries, ...rest }: Body) {
  return { ...rest, ...(exampleQueries === undefined ? {} : { exampleQueries: exampleQueries.queries }) }
}

const behaviorRoutes: readonly Route[] = [
  defineRoute({
    ...ofBranch,
    method: 'GET',
    path: `${BRANCH_PATH}/behavior`,
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
    ...ofBranch,
    method: 'PATCH',
    path: `${BRANCH_PATH}/behavior`,
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
    ...ofBranch,
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
    ...ofBranch,
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

/** Behavior and topics of a branch (decisions.md section 3). */
export const contentRoutes: readonly Route[] = [...behaviorRoutes, ...topicRoutes]
