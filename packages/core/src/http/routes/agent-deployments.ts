import * as z from 'zod'
import type { Deployment } from '../../domain/agent/agent.ts'
import { DEPLOYMENT_LIMITS } from '../../domain/agent/deployment.ts'
import { ENVIRONMENTS, type Environment } from '../../domain/environment.ts'
import { isoTime } from '../../domain/time.ts'
import type { Deployed } from '../../usecases/agents/releases/deploy.ts'
import { environmentOf, environmentSchema } from '../../usecases/shared/environment.ts'
import { defineRoute, type Route } from '../route.ts'
import {
  agentsApi,
  deploymentMessage,
  ofAgent,
  seenDeployment,
  seenNumbers,
  seenVersions,
} from './agents-api.ts'
import { listAnswer } from './list-answer.ts'
import { differenceOnWire } from './merge-conflicts.ts'
import { integer } from './query-values.ts'

const ofDeployment = {
  ...ofAgent,
  params: ofAgent.params.extend({ deploymentId: z.string() }),
}

const deploymentOnWire = (deployment: Deployment) => ({
  id: deployment.id,
  accountId: deployment.accountId,
  agentId: deployment.agentId,
  environment: deployment.environment,
  artifactVersion: String(deployment.revision),
  version: deployment.version,
  createdBy: deployment.createdBy,
  createdAt: isoTime(deployment.createdAt),
  metadata: { deployment_message: deployment.message, deployment_type: deployment.type },
})

const deployed = (deployment: Deployed) => ({
  deployment: deploymentOnWire(deployment),
  testRunIds: deployment.testRunIds,
})

/** Checked where it is used, so that a wrong one is refused with a code of its own. */
const environmentName = z.string().meta({ enum: ENVIRONMENTS })

const listQuery = z.object({
  environment: environmentSchema,
  limit: integer(1, DEPLOYMENT_LIMITS.listMaximum).exactOptional(),
})

const deploymentInput = { ...deploymentMessage, expected: z.object(seenDeployment).exactOptional() }

/** Nothing is promoted to the first environment. */
const PROMOTION_TARGETS = ENVIRONMENTS.slice(1)

const targetName = z.string().meta({ enum: PROMOTION_TARGETS })

/** Publishing, promoting and rolling back (contract/agents.md, Deployments). */
export const deploymentRoutes: readonly Route[] = [
  defineRoute({
    ...agentsApi,
    ...ofAgent,
    method: 'GET',
    path: '/v1/agents/:agentId/deployments',
    operation: 'listDeployments',
    summary: 'List the deployments of one environment, newest first',
    query: listQuery,
    invalidFields: { environment: 'DEPLOYMENTS_INVALID_ENVIRONMENT' },
    async handle({ platform, params, query: { environment, limit } }) {
      const deployments = await platform.agents.deployments(params.agentId, environment, limit)
      return { status: 200, json: { deployments: deployments.map(deploymentOnWire) } }
    },
  }),
  defineRoute({
    ...agentsApi,
    ...ofAgent,
    method: 'GET',
    path: '/v1/agents/:agentId/deployments/active',
    operation: 'listActiveDeployments',
    summary: 'Read the active deployment of each environment',
    async handle({ platform, params }) {
      const active = await platform.agents.activeDeployments(params.agentId)
      const shown = (environment: Environment) => {
        const deployment = active[environment]
        return deployment && deploymentOnWire(deployment)
      }
      const [sandbox, preRelease, live] = [shown('sandbox'), shown('pre-release'), shown('live')]
      return { status: 200, json: { activeDeployments: { sandbox, 'pre-release': preRelease, live } } }
    },
  }),
  defineRoute({
    ...agentsApi,
    ...ofAgent,
    method: 'POST',
    path: '/v1/agents/:agentId/deployments/publish',
    operation: 'publishDeployment',
    summary: 'Deploy the content of main',
    body: z.object({
      ...deploymentMessage,
      environment: environmentName.default('sandbox'),
      expected: z.object({ mainRevision: seenVersions.mainRevision, ...seenDeployment }).default({}),
    }),
    async handle({ platform, params, body }) {
      const environment = environmentOf(body.environment, 'DEPLOYMENTS_INVALID_ENVIRONMENT')
      const { mainRevision, ...running } = body.expected
      const expected = { ...running, ...seenNumbers(mainRevision === undefined ? {} : { mainRevision }) }
      const input = { ...body, environment, expected }
      return { status: 201, json: deployed(await platform.agents.publish(params.agentId, input)) }
    },
  }),
  defineRoute({
    ...agentsApi,
    ...ofDeployment,
    method: 'GET',
    path: '/v1/agents/:agentId/deployments/:deploymentId/diff/:otherId',
    params: ofDeployment.params.extend({ otherId: z.string() }),
    operation: 'compareDeployments',
    summary: 'List the differences between two deployments, field by field',
    async handle({ platform, params }) {
      const { agentId, deploymentId, otherId } = params
      const changes = await platform.agents.compareDeployments(agentId, deploymentId, otherId)
      return listAnswer({ changes: changes.map(differenceOnWire) }, platform.settings.limits.sliceBytes)
    },
  }),
  defineRoute({
    ...agentsApi,
    ...ofDeployment,
    method: 'POST',
    path: '/v1/agents/:agentId/deployments/:deploymentId/promote',
    operation: 'promoteDeployment',
    summary: 'Deploy the same version to a later environment, by default the next',
    body: z.object({ ...deploymentInput, targetEnvironment: targetName.exactOptional() }),
    async handle({ platform, params, body }) {
      const { targetEnvironment: wanted, ...about } = body
      const target =
        wanted === undefined
          ? {}
          : { targetEnvironment: environmentOf(wanted, 'DEPLOYMENTS_INVALID_TARGET', PROMOTION_TARGETS) }
      const input = { ...about, ...target }
      const deployment = await platform.agents.promote(params.agentId, params.deploymentId, input)
      return { status: 200, json: deployed(deployment) }
    },
  }),
  defineRoute({
    ...agentsApi,
    ...ofDeployment,
    method: 'POST',
    path: '/v1/agents/:agentId/deployments/:deploymentId/rollback',
    operation: 'rollbackDeployment',
    summary: 'Deploy an earlier version again, in its environment',
    body: z.object(deploymentInput),
    async handle({ platform, params, body }) {
      const deployment = await platform.agents.rollback(params.agentId, params.deploymentId, body)
      return { status: 200, json: deployed(deployment) }
    },
  }),
]
