import { z } from 'zod'
import type { Branch } from '../../domain/agent/agent.ts'
import { responseSettingsSchema } from '../../domain/agent/content.ts'
import { PlatformError } from '../../errors.ts'
import type { AgentRecord } from '../../usecases/agents/agents.ts'
import { branchNameSchema } from '../../usecases/agents/branches.ts'
import { newAgentSchema } from '../../usecases/agents/lifecycle.ts'
import { defineRoute, type Route } from '../route.ts'
import { contentRoutes } from './agent-content.ts'
import { deploymentRoutes } from './agent-deployments.ts'
import { actorOf, agentsApi, deploymentMessage, ofAgent, ofBranch, time } from './agents-api.ts'
import { fromWire, resolutionsSchema, withWireConflicts } from './merge-conflicts.ts'

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
  createdAt: time(agent.createdAt),
  updatedAt: time(agent.updatedAt),
  branchCount: agent.branchCount,
})

const branchOnWire = (branch: Branch) => ({
  branchId: branch.id,
  branchName: branch.name,
  sequenceId: String(branch.version),
  createdAt: time(branch.createdAt),
  updatedAt: time(branch.updatedAt),
  isMain: branch.id === 'main',
})

const agentRoutesOnly: readonly Route[] = [
  defineRoute({
    ...agentsApi,
    ...ofAccount,
    method: 'GET',
    summary: 'List the agents of an account, oldest first',
    body: null,
    async handle({ platform, account }) {
      const agents = account ? await platform.agents.list(account.id) : []
      return { status: 200, json: agents.map(agentOnWire) }
    },
  }),
  defineRoute({
    ...agentsApi,
    ...ofAccount,
    method: 'POST',
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
    method: 'GET',
    path: '/v1/agents/:agentId',
    summary: 'Read an agent',
    body: null,
    async handle({ platform, params }) {
      const agent = await platform.agents.find(params.agentId)
      if (!agent) throw new PlatformError('PROJECT_NOT_FOUND', `There is no agent ${params.agentId}.`)
      return { status: 200, json: agentOnWire(agent) }
    },
  }),
  defineRoute({
    ...agentsApi,
    ...ofAgent,
    method: 'DELETE',
    path: '/v1/agents/:agentId',
    summary: 'Delete an agent with all its branches and deployments',
    body: null,
    async handle({ platform, params }) {
      await platform.agents.delete(params.agentId)
      return { status: 204 }
    },
  }),
]

const branchRoutes: readonly Route[] = [
  defineRoute({
    ...agentsApi,
    ...ofAgent,
    method: 'GET',
    path: '/v1/agents/:agentId/branches',
    summary: 'List the branches of an agent, main first',
    body: null,
    async handle({ platform, params }) {
      return {
        status: 200,
        json: { branches: (await platform.agents.branches(params.agentId)).map(branchOnWire) },
      }
    },
  }),
  defineRoute({
    ...agentsApi,
    ...ofAgent,
    method: 'POST',
    path: '/v1/agents/:agentId/branches',
    summary: "Create a branch from main's newest revision",
    body: z.object({ branchName: branchNameSchema }),
    async handle({ platform, params, body }) {
      const branch = await platform.agents.createBranch(params.agentId, { name: body.branchName })
      return { status: 201, json: { branchId: branch.id, sequenceId: String(branch.version) } }
    },
  }),
  defineRoute({
    ...agentsApi,
    ...ofBranch,
    method: 'DELETE',
    path: '/v1/agents/:agentId/branches/:branchId',
    summary: 'Delete a branch with its changes',
    body: null,
    async handle({ platform, params }) {
      const branch = await platform.agents.deleteBranch(params.agentId, params.branchId)
      return { status: 200, json: { sequence: String(branch.version), message: 'Branch deleted' } }
    },
  }),
  defineRoute({
    ...agentsApi,
    ...ofBranch,
    method: 'POST',
    path: '/v1/agents/:agentId/branches/:branchId/merge',
    summary: 'Merge a branch to main and deploy the result to sandbox',
    body: z.object({ ...deploymentMessage, conflictResolutions: resolutionsSchema.default([]) }),
    async handle({ platform, params, body, principal }) {
      const resolutions = body.conflictResolutions.map(fromWire)
      const input = { message: body.deploymentMessage, resolutions, ...actorOf({ principal }) }
      const merging = platform.agents.merge(params.agentId, params.branchId, input)
      const { deployment } = await withWireConflicts(merging)
      const message = 'Branch merged to main and deployed to sandbox'
      return { status: 200, json: { sequence: String(deployment.revision), message, testRunIds: [] } }
    },
  }),
]

/** Building and shipping agents (platform-api.md, Agents API; decisions.md section 3). */
export const agentRoutes: readonly Route[] = [
  ...agentRoutesOnly,
  ...branchRoutes,
  ...contentRoutes,
  ...deploymentRoutes,
]
