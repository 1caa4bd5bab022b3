import type { TelephonyConnector } from '../../domain/access/access.ts'
import type { Environment } from '../../domain/environment.ts'
import type { AgentId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import type { Context } from '../context.ts'
import type { OutboundCallInput } from './call-fields.ts'

/** The most connectors of an agent that are checked. */
const MOST_CONNECTORS = 1_000

/** Returns the telephony connectors of an agent that are in force in an environment, oldest first. */
async function linesOf(
  { store }: Pick<Context, 'store'>,
  agentId: AgentId,
  environment: Environment,
): Promise<readonly TelephonyConnector[]> {
  const all = await store.access.connectors.listTelephony(agentId, {}, MOST_CONNECTORS)
  return all.filter(line => line.environment === environment && line.revokedAt === null)
}

/** Returns the connector over which an agent calls by default. Null without one. */
export async function usualLine(
  context: Pick<Context, 'store'>,
  agentId: AgentId,
  { environment, variantId }: Pick<OutboundCallInput, 'environment' | 'variantId'>,
): Promise<TelephonyConnector | null> {
  const lines = await linesOf(context, agentId, environment)
  const ofVariant = variantId === undefined ? undefined : lines.find(line => line.variantId === variantId)
  return ofVariant ?? lines.find(line => line.variantId === null) ?? lines[0] ?? null
}

/** Returns the connector over which a call goes (OC1). @throws CONNECTORS_NOT_FOUND */
export async function lineFor(
  context: Pick<Context, 'store'>,
  input: Pick<OutboundCallInput, 'agentId' | 'connectorId' | 'environment' | 'variantId'>,
): Promise<TelephonyConnector> {
  const { agentId, connectorId, environment } = input
  const line =
    connectorId === undefined
      ? await usualLine(context, agentId, input)
      : ((await linesOf(context, agentId, environment)).find(({ id }) => id === connectorId) ?? null)
  if (line !== null) return line
  throw new PlatformError(
    'CONNECTORS_NOT_FOUND',
    `The agent has no ${connectorId === undefined ? '' : 'such '}telephony connector in the environment ${environment}.`,
  )
}
