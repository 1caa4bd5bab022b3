import * as z from 'zod'
import { isoTime } from '../../domain/time.ts'
import type { RealTimeConfigRecord } from '../../usecases/agents/content/real-time-configs.ts'
import { environmentOf } from '../../usecases/shared/environment.ts'
import { defineRoute, type Route } from '../route.ts'
import { agentsApi, ofAgent } from './agents-api.ts'

const PATH = '/v1/agents/:agentId/real-time-configs'

/** Returns the environment that a path names. */
const clientEnv = (params: { readonly clientEnv: string }) =>
  environmentOf(params.clientEnv, 'REAL_TIME_CONFIG_UNKNOWN_CLIENT_ENVIRONMENT')

const ofConfig = {
  ...agentsApi,
  ...ofAgent,
  params: ofAgent.params.extend({ clientEnv: z.string() }),
  /** No body could make an unknown environment right. */
  precondition({ params }: { readonly params: { readonly clientEnv: string } }) {
    clientEnv(params)
  },
}

const anyObject = z.record(z.string(), z.unknown(), 'expected an object')

/**
 * Returns a config as clients know it. Without a schema, or before the first write, the fields for them are absent
 * (AG62).
 */
const configOnWire = ({ environment, variables, schema, updatedAt }: RealTimeConfigRecord) => ({
  clientEnv: environment,
  variables,
  ...(schema === null ? {} : { schema }),
  ...(updatedAt === null ? {} : { lastUpdated: isoTime(updatedAt) }),
})

/** Values that conversations read at every turn (contract/agents.md, Real-time configs). */
export const realTimeConfigRoutes: readonly Route[] = [
  defineRoute({
    ...agentsApi,
    ...ofAgent,
    method: 'GET',
    path: PATH,
    operation: 'listRealTimeConfigs',
    summary: 'List the real-time configs of an agent, one for each environment',
    async handle({ platform, params }) {
      const configs = await platform.agents.realTimeConfigs(params.agentId)
      return { status: 200, json: { configPages: configs.map(configOnWire) } }
    },
  }),
  defineRoute({
    ...ofConfig,
    method: 'GET',
    path: `${PATH}/:clientEnv`,
    operation: 'readRealTimeConfig',
    summary: 'Read the real-time config of an environment',
    async handle({ platform, params }) {
      const config = await platform.agents.realTimeConfig(params.agentId, clientEnv(params))
      return { status: 200, json: configOnWire(config) }
    },
  }),
  defineRoute({
    ...ofConfig,
    method: 'PUT',
    path: `${PATH}/:clientEnv/schema`,
    operation: 'replaceRealTimeConfigSchema',
    summary: 'Replace or remove the JSON Schema for the variables of an environment',
    body: z.object({ schema: anyObject.nullable() }),
    async handle({ platform, params, body }) {
      const { agentId } = params
      const config = await platform.agents.updateRealTimeConfigSchema(agentId, clientEnv(params), body.schema)
      return { status: 200, json: configOnWire(config) }
    },
  }),
  defineRoute({
    ...ofConfig,
    method: 'PATCH',
    path: `${PATH}/:clientEnv/variables`,
    operation: 'updateRealTimeConfigVariables',
    summary: 'Merge variables into those of an environment',
    body: z.object({ variables: anyObject }),
    async handle({ platform, params, body }) {
      const { agentId } = params
      const config = await platform.agents.updateRealTimeConfigVariables(
        agentId,
        clientEnv(params),
        body.variables,
      )
      return { status: 200, json: configOnWire(config) }
    },
  }),
]
