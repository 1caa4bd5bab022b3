import * as z from 'zod'
import type { AgentRecord } from '../../domain/agent/agent.ts'
import { responseSettingsSchema } from '../../domain/agent/content.ts'
import { isoTime } from '../../domain/time.ts'
import { PlatformError } from '../../errors.ts'
import { newAgentSchema } from '../../usecases/agents/releases/lifecycle.ts'
import { defineRoute, type Route } from '../route.ts'
import { branchRoutes } from './agent-branches.ts'
import { contentRoutes } from './agent-content.ts'
import { agentConversationRoutes } from './agent-conversations.ts'
import { deploymentRoutes } from './agent-deployments.ts'
import { agentsApi, ofAgent } from './agents-api.ts'
import { audioCacheRoutes } from './audio-cache.ts'
import { phoneNumberRoutes } from './phone-numbers.ts'
import { realTimeConfigRoutes } from './real-time-configs.ts'
import { replayRoutes } from './replays.ts'
import { rolloutRoutes } from './rollouts.ts'
import { telephonyConnectorRoutes } from './telephony-connectors.ts'
import { testCaseRoutes } from './test-cases.ts'
import { testRunRoutes } from './test-runs.ts'
import { testingRoutes } from './testing.ts'
import { unansweredRoutes } from './unanswered.ts'
import { voiceRoutes } from './voice-library.ts'

const ofAccount = {
  path: '/v1/accounts/:accountId/agents',
  params: z.object({ accountId: z.string() }),
  scope: ({ params }: { readonly params: { readonly accountId: string } }) => ({ account: params.accountId }),
}

const newAgentBody = z.object({
  name: newAgentSchema.shape.name,
  agentId: newAgentSchema.shape.agentId.unwrap().exactOptional(),
  responseSettings: z.object({
    greeting: responseSettingsSchema.shape.greeting,
    languageCode: responseSettingsSchema.shape.languageCode.exactOptional(),
  }),
  voiceSettings: z.object({ voiceId: newAgentSchema.shape.voiceId.unwrap().exactOptional() }).default({}),
  llmSettings: z.object({ modelId: newAgentSchema.shape.modelId.unwrap().exactOptional() }).default({}),
})

const agentOnWire = (agent: AgentRecord) => ({
  accountId: agent.accountId,
  agentId: agent.id,
  agentName: agent.name,
  createdAt: isoTime(agent.createdAt),
  updatedAt: isoTime(agent.updatedAt),
  branchCount: agent.branchCount,
})

const agentRoutesOnly: readonly Route[] = [
  defineRoute({
    ...agentsApi,
    ...ofAccount,
    method: 'GET',
    operation: 'listAgents',
    summary: 'List the agents of an account, oldest first',
    async handle({ platform, account }) {
      const agents = account ? await platform.agents.list(account.id) : []
      return { status: 200, json: agents.map(agentOnWire) }
    },
  }),
  defineRoute({
    ...agentsApi,
    ...ofAccount,
    method: 'POST',
    operation: 'createAgent',
    summary: 'Create an agent with an empty main branch',
    body: newAgentBody,
    async handle({ platform, account, body }) {
      if (!account) throw new PlatformError('ACCOUNT_NOT_FOUND', 'There is no such account.')
      const { responseSettings, voiceSettings, llmSettings, ...rest } = body
      const input = { accountId: account.id, ...rest, ...responseSettings, ...voiceSettings, ...llmSettings }
      return { status: 200, json: agentOnWire(await platform.agents.create(input)) }
    },
  }),
  defineRoute({
    ...agentsApi,
    ...ofAgent,
    scope: ({ params }) => ({ agent: params.agentId, asRecord: true }),
    method: 'GET',
    path: '/v1/agents/:agentId',
    operation: 'readAgent',
    summary: 'Read an agent',
    async handle({ params, record }) {
      if (!record) throw new PlatformError('PROJECT_NOT_FOUND', `There is no agent ${params.agentId}.`)
      return { status: 200, json: agentOnWire(record) }
    },
  }),
  defineRoute({
    ...agentsApi,
    ...ofAgent,
    // It concerns the account as a whole: a key for one agent makes no others.
    scope: ({ params }) => ({ agent: params.agentId, wholeAccount: true }),
    method: 'POST',
    path: '/v1/agents/:agentId/duplicate',
    operation: 'duplicateAgent',
    summary: "Create an agent that begins with what this one's main holds",
    body: z.object({
      newAgentName: newAgentSchema.shape.name,
      newAgentId: newAgentSchema.shape.agentId.unwrap().exactOptional(),
    }),
    async handle({ platform, params, body }) {
      return { status: 200, json: agentOnWire(await platform.agents.duplicate(params.agentId, body)) }
    },
  }),
  defineRoute({
    ...agentsApi,
    ...ofAgent,
    method: 'PATCH',
    path: '/v1/agents/:agentId',
    operation: 'updateAgent',
    summary: 'Rename an agent',
    body: z.object({ name: newAgentSchema.shape.name }),
    async handle({ platform, params, body }) {
      return { status: 200, json: agentOnWire(await platform.agents.update(params.agentId, body)) }
    },
  }),
  defineRoute({
    ...agentsApi,
    ...ofAgent,
    method: 'DELETE',
    path: '/v1/agents/:agentId',
    operation: 'deleteAgent',
    summary: 'Delete an agent with all its branches and deployments',
    async handle({ platform, params }) {
      await platform.agents.delete(params.agentId)
      return { status: 204 }
    },
  }),
]

/** Building and shipping agents (contract/agents.md). */
export const agentRoutes: readonly Route[] = [
  ...agentRoutesOnly,
  ...branchRoutes,
  ...contentRoutes,
  ...deploymentRoutes,
  ...rolloutRoutes,
  ...realTimeConfigRoutes,
  ...telephonyConnectorRoutes,
  ...phoneNumberRoutes,
  ...voiceRoutes,
  ...audioCacheRoutes,
  ...agentConversationRoutes,
  ...unansweredRoutes,
  ...testCaseRoutes,
  ...testRunRoutes,
  ...replayRoutes,
  ...testingRoutes,
]
