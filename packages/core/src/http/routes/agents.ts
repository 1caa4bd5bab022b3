import { z } from 'zod'
import type { Branch, Deployment } from '../../domain/agent/agent.ts'
import { CONTENT_LIMITS, responseSettingsSchema } from '../../domain/agent/content.ts'
import { DEPLOYMENT_LIMITS, deploymentMessageSchema } from '../../domain/agent/deployment.ts'
import { ENVIRONMENTS, type Environment, isEnvironment } from '../../domain/environment.ts'
import { type AgentId, asId, type BranchId, type DeploymentId } from '../../domain/ids.ts'
import { type ErrorCode, PlatformError } from '../../errors.ts'
import type { AgentRecord } from '../../usecases/agents/agents.ts'
import { branchNameSchema } from '../../usecases/agents/branches.ts'
import { newAgentSchema } from '../../usecases/agents/lifecycle.ts'
import { defineRoute, type Route, type RouteCall } from '../route.ts'
import { contentRoutes } from './agent-content.ts'
import { fromWire, resolutionsSchema, withWireConflicts } from './merge-conflicts.ts'
import { integer } from './query-values.ts'

const none = z.object({})
const common = { family: 'agents', credential: 'workspace', query: none } as const

const ofAccount = {
  path: '/v1/accounts/:accountId/agents',
  params: z.object({ accountId: z.string() }),
  scope: ({ params }: { readonly params: { readonly accountId: string } }) => ({ account: params.accountId }),
}
const ofAgent = {
  params: z.object({ agentId: z.string().transform(asId<AgentId>) }),
  scope: ({ params }: { readonly params: { readonly agentId: string } }) => ({ agent: params.agentId }),
}
const ofBranch = {
  ...ofAgent,
  params: ofAgent.params.extend({ branchId: z.string().transform(asId<BranchId>) }),
}
const ofDeployment = {
  ...ofAgent,
  params: ofAgent.params.extend({ deploymentId: z.string().transform(asId<DeploymentId>) }),
}

const newAgentBody = z.object({
  name: newAgentSchema.shape.name,
  agentId: newAgentSchema.shape.agentId.unwrap().exactOptional(),
  responseSettings: z.object({
    greeting: responseSettingsSchema.shape.greeting,
    languageCode: responseSettingsSchema.shape.languageCode.exactOptional(),
  }),
  voiceSettings: z.object({ voiceId: z.string().max(CONTENT_LIMITS.nameLength).exactOptional() }).default({}),
  llmSettings: z.object({ modelId: z.string().max(CONTENT_LIMITS.nameLength).exactOptional() }).default({}),
})

const deploymentMessage = { deploymentMessage: deploymentMessageSchema.default('') }

const time = (at: number): string => new Date(at).toISOString()

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

const deploymentOnWire = (deployment: Deployment) => ({
  id: deployment.id,
  accountId: deployment.accountId,
  agentId: deployment.agentId,
  environment: deployment.environment,
  artifactVersion: String(deployment.revision),
  version: deployment.version,
  createdBy: deployment.createdBy,
  createdAt: time(deployment.createdAt),
  metadata: { deployment_message: deployment.message, deployment_type: deployment.type },
})

const deployed = (deployment: Deployment) => ({ deployment: deploymentOnWire(deployment), testRunIds: [] })

/** The key that asks, as deployments record it. */
const actorOf = ({ principal }: Pick<RouteCall<never, never, never>, 'principal'>) =>
  principal.type === 'api_key' ? { actor: principal.key.id } : {}

function environmentOf(value: string | undefined, code: ErrorCode): Environment {
  if (value !== undefined && isEnvironment(value)) return value
  throw new PlatformError(code, `The environment must be one of ${ENVIRONMENTS.join(', ')}.`)
}

const agentRoutesOnly: readonly Route[] = [
  defineRoute({
    ...common,
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
    ...common,
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
    ...common,
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
    ...common,
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
    ...common,
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
    ...common,
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
    ...common,
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
    ...common,
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

const listQuery = z.object({
  environment: z.string().exactOptional(),
  limit: integer(1, DEPLOYMENT_LIMITS.listMaximum).exactOptional(),
})

const deploymentRoutes: readonly Route[] = [
  defineRoute({
    ...common,
    ...ofAgent,
    method: 'GET',
    path: '/v1/agents/:agentId/deployments',
    summary: 'List the deployments of one environment, newest first',
    query: listQuery,
    body: null,
    async handle({ platform, params, query }) {
      const environment = environmentOf(query.environment, 'DEPLOYMENTS_INVALID_ENVIRONMENT')
      const deployments = await platform.agents.deployments(params.agentId, environment, query.limit)
      return { status: 200, json: { deployments: deployments.map(deploymentOnWire) } }
    },
  }),
  defineRoute({
    ...common,
    ...ofAgent,
    method: 'GET',
    path: '/v1/agents/:agentId/deployments/active',
    summary: 'The deployment that each environment runs',
    body: null,
    async handle({ platform, params }) {
      const active = await platform.agents.activeDeployments(params.agentId)
      const shown = ENVIRONMENTS.map(environment => {
        const deployment = active[environment]
        return [environment, deployment && deploymentOnWire(deployment)] as const
      })
      return { status: 200, json: { activeDeployments: Object.fromEntries(shown) } }
    },
  }),
  defineRoute({
    ...common,
    ...ofAgent,
    method: 'POST',
    path: '/v1/agents/:agentId/deployments/publish',
    summary: 'Deploy what main holds',
    body: z.object({ ...deploymentMessage, environment: z.string().default('sandbox') }),
    async handle({ platform, params, body, principal }) {
      const environment = environmentOf(body.environment, 'DEPLOYMENTS_INVALID_ENVIRONMENT')
      const input = { environment, message: body.deploymentMessage, ...actorOf({ principal }) }
      return { status: 201, json: deployed(await platform.agents.publish(params.agentId, input)) }
    },
  }),
  defineRoute({
    ...common,
    ...ofDeployment,
    method: 'POST',
    path: '/v1/agents/:agentId/deployments/:deploymentId/promote',
    summary: 'Deploy the same version to a later environment, by default the next',
    body: z.object({ ...deploymentMessage, targetEnvironment: z.string().exactOptional() }),
    async handle({ platform, params, body, principal }) {
      const { targetEnvironment } = body
      const target =
        targetEnvironment === undefined
          ? {}
          : { target: environmentOf(targetEnvironment, 'DEPLOYMENTS_INVALID_TARGET') }
      const input = { message: body.deploymentMessage, ...target, ...actorOf({ principal }) }
      const deployment = await platform.agents.promote(params.agentId, params.deploymentId, input)
      return { status: 200, json: deployed(deployment) }
    },
  }),
  defineRoute({
    ...common,
    ...ofDeployment,
    method: 'POST',
    path: '/v1/agents/:agentId/deployments/:deploymentId/rollback',
    summary: 'Deploy an earlier version again, in its environment',
    body: z.object(deploymentMessage),
    async handle({ platform, params, body, principal }) {
      const input = { message: body.deploymentMessage, ...actorOf({ principal }) }
      const deployment = await platform.agents.rollback(params.agentId, params.deploymentId, input)
      return { status: 200, json: deployed(deployment) }
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
