import * as z from 'zod'
import type { TelephonyConnector } from '../../domain/access/access.ts'
import { newTelephonyConnectorSchema, telephonyConnectorChangeSchema } from '../../domain/access/schemas.ts'
import type { AgentId, ConnectorId } from '../../domain/ids.ts'
import { parse } from '../../domain/parse.ts'
import { MAX_BATCH, phoneNumberSchema } from '../../domain/telephony/phone-number.ts'
import { isPlatformError, PlatformError } from '../../errors.ts'
import { resolveScope } from '../authorize.ts'
import { defineRoute, type Route, type RouteCall } from '../route.ts'
import { agentsApi, ofAgent } from './agents-api.ts'

const PATH = '/v1/agents/:agentId/telephony/connectors'

/** Returns a telephony connector as clients know it (contract/agents.md, Telephony connectors). */
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

/** The connectors that a request names; the use case says how many there may be. */
const ids = z.array(z.string().max(200)).min(1).max(MAX_BATCH)

const changeSchema = telephonyConnectorChangeSchema.extend({ projectId: z.string().exactOptional() })

type Named = { readonly agentId: AgentId; readonly connectorId: ConnectorId }

/** Changes a connector of the agent, and moves it where the change names another agent. */
async function change(
  { platform, principal }: Pick<RouteCall<unknown, unknown, unknown>, 'platform' | 'principal'>,
  { agentId, connectorId }: Named,
  { projectId, ...fields }: z.output<typeof changeSchema>,
): Promise<TelephonyConnector> {
  const { access } = platform
  await access.telephonyConnector(agentId, connectorId)
  // The key must open where it goes, too.
  if (projectId !== undefined) await resolveScope(platform, principal, { agent: projectId })
  return access.updateTelephonyConnector(agentId, connectorId, {
    ...fields,
    ...(projectId === undefined ? {} : { agentId: projectId }),
  })
}

/** Makes one change of several. A refusal becomes its result. */
async function changeOne(
  call: Parameters<typeof change>[0],
  agentId: AgentId,
  { connectorId, ...given }: { readonly connectorId: ConnectorId },
) {
  try {
    const fields = parse(changeSchema, given, 'field')
    const connector = await change(call, { agentId, connectorId }, fields)
    return { connectorId, success: true, data: connectorOnWire(connector) }
  } catch (error) {
    if (!isPlatformError(error)) throw error
    return { connectorId, success: false, error: error.message }
  }
}

const ofAll = { ...agentsApi, ...ofAgent, invalid } as const

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
    body: changeSchema,
    async handle({ body, params, ...call }) {
      const connector = await change(call, params, body)
      return { status: 200, json: connectorOnWire(connector) }
    },
  }),
  defineRoute({
    ...ofConnector,
    method: 'DELETE',
    path: `${PATH}/:connectorId`,
    operation: 'deleteTelephonyConnector',
    summary: 'Delete a telephony connector, and the phone numbers that it answers',
    async handle({ platform, params: { agentId, connectorId } }) {
      const deletedPhoneNumbers = await platform.access.revokeTelephonyConnector(agentId, connectorId)
      if (deletedPhoneNumbers === null)
        throw new PlatformError('CONNECTORS_NOT_FOUND', 'The agent has no telephony connector of that id.')
      return { status: 200, json: { deletedConnector: connectorId, deletedPhoneNumbers } }
    },
  }),
  defineRoute({
    ...ofAll,
    method: 'POST',
    path: `${PATH}/batch`,
    operation: 'findTelephonyConnectors',
    summary: 'Read several telephony connectors',
    body: z.object({ connectorIds: ids }),
    async handle({ platform, params, body }) {
      const among = await platform.telephony.connectorsAmong(params.agentId, body.connectorIds)
      return { status: 200, json: { ...among, found: among.found.map(connectorOnWire) } }
    },
  }),
  defineRoute({
    ...ofAll,
    method: 'PATCH',
    path: `${PATH}/batch`,
    operation: 'updateTelephonyConnectors',
    summary: 'Change several telephony connectors, in their order, each independently',
    body: z.object({
      // Each update is checked separately, so that an invalid one leaves the others alone.
      updates: z
        .array(z.looseObject({ connectorId: z.string().max(200) }))
        .min(1)
        .max(MAX_BATCH),
    }),
    async handle({ params, body, ...call }) {
      const results: Awaited<ReturnType<typeof changeOne>>[] = []
      for (const update of body.updates) results.push(await changeOne(call, params.agentId, update))
      return { status: 200, json: { results } }
    },
  }),
  defineRoute({
    ...ofAll,
    method: 'POST',
    path: `${PATH}/lookup`,
    operation: 'findTelephonyConnector',
    summary: 'Find the telephony connector that answers a phone number',
    body: z.object({ phoneNumber: phoneNumberSchema }),
    async handle({ platform, params, body }) {
      const connector = await platform.telephony.connectorOf(params.agentId, body.phoneNumber)
      return { status: 200, json: connectorOnWire(connector) }
    },
  }),
]
