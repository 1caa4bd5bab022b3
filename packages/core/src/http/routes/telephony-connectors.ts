import * as z from 'zod'
import type { TelephonyConnector } from '../../domain/access/access.ts'
import { newTelephonyConnectorSchema, telephonyConnectorChangeSchema } from '../../domain/access/schemas.ts'
import { PlatformError } from '../../errors.ts'
import { resolveScope } from '../authorize.ts'
import { defineRoute, type Route } from '../route.ts'
import { agentsApi, ofAgent } from './agents-api.ts'

const PATH = '/v1/agents/:agentId/telephony/connectors'

/** A telephony connector as clients know it (contract/agents.md, Telephony connectors). */
const connectorOnWire = (connector: TelephonyConnector) => ({
  connectorId: connector.id,
  name: connector.name,
  accountId: connector.accountId,
  projectId: connector.agentId,
  clientEnv: connector.environment,
  variantId: connector.variantId ?? '',
  asrLangCode: connector.asrLangCode,
  ttsLangCode: connector.ttsLangCode,
  voiceName: connector.voiceName,
  disableHandoff: connector.disableHandoff,
})

const invalid = 'CONNECTORS_VALIDATION_FAILED'

const ofConnector = {
  ...agentsApi,
  ...ofAgent,
  invalid,
  params: ofAgent.params.extend({ connectorId: z.string() }),
} as const

/** Telephony connectors are created by the operator alone. */
export const newTelephonyConnectorRoute: Route = defineRoute({
  family: 'operator',
  credential: 'operator',
  method: 'POST',
  path: '/operator/v1/telephony-connectors',
  operation: 'createTelephonyConnector',
  summary: 'Create a telephony connector',
  params: z.object({}),
  query: z.object({}),
  body: newTelephonyConnectorSchema.extend({ accountId: z.string(), agentId: z.string() }),
  async handle({ platform, body }) {
    return { status: 201, json: connectorOnWire(await platform.access.createTelephonyConnector(body)) }
  },
})

/** The telephony connectors of an agent (contract/agents.md, Telephony connectors). */
export const telephonyConnectorRoutes: readonly Route[] = [
  defineRoute({
    ...agentsApi,
    ...ofAgent,
    method: 'GET',
    path: PATH,
    operation: 'listTelephonyConnectors',
    summary: 'List the telephony connectors of an agent, oldest first',
    body: null,
    async handle({ platform, params }) {
      const connectors = await platform.access.telephonyConnectors(params.agentId)
      return { status: 200, json: { connectors: connectors.map(connectorOnWire) } }
    },
  }),
  defineRoute({
    ...ofConnector,
    method: 'GET',
    path: `${PATH}/:connectorId`,
    operation: 'readTelephonyConnector',
    summary: 'Read a telephony connector',
    body: null,
    async handle({ platform, params }) {
      const connector = await platform.access.telephonyConnector(params.agentId, params.connectorId)
      return { status: 200, json: connectorOnWire(connector) }
    },
  }),
  defineRoute({
    ...ofConnector,
    method: 'PATCH',
    path: `${PATH}/:connectorId`,
    operation: 'updateTelephonyConnector',
    summary: 'Change a telephony connector, or move it to another agent; what is left out stays',
    body: telephonyConnectorChangeSchema.extend({
      projectId: z.string().exactOptional(),
    }),
    async handle({ platform, params, principal, body: { projectId, ...change } }) {
      const { access } = platform
      await access.telephonyConnector(params.agentId, params.connectorId)
      // The key must open where it goes, too.
      if (projectId !== undefined) await resolveScope(platform, principal, { agent: projectId })
      const connector = await access.updateTelephonyConnector(params.agentId, params.connectorId, {
        ...change,
        ...(projectId === undefined ? {} : { agentId: projectId }),
      })
      return { status: 200, json: connectorOnWire(connector) }
    },
  }),
  defineRoute({
    ...ofConnector,
    method: 'DELETE',
    path: `${PATH}/:connectorId`,
    operation: 'deleteTelephonyConnector',
    summary: 'Delete a telephony connector',
    body: null,
    async handle({ platform, params: { agentId, connectorId } }) {
      if (!(await platform.access.revokeTelephonyConnector(agentId, connectorId)))
        throw new PlatformError('CONNECTORS_NOT_FOUND', 'The agent has no telephony connector of that id.')
      return { status: 200, json: { deletedConnector: connectorId, deletedPhoneNumbers: [] } }
    },
  }),
]
