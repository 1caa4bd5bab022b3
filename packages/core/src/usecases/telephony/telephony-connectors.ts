import * as z from 'zod'
import type { TelephonyConnector } from '../../domain/access/access.ts'
import type { AgentId, ConnectorId } from '../../domain/ids.ts'
import { MAX_BATCH } from '../../domain/telephony/phone-number.ts'
import { PlatformError } from '../../errors.ts'
import type { Context } from '../context.ts'
import { checkNumber } from './phone-numbers.ts'

export const connectorIdsSchema = z
  .array(z.string().max(200))
  .min(1)
  .max(MAX_BATCH)
  .transform(ids => [...new Set(ids)])

/** The requested connectors that an agent has, in the order of the request. */
export interface ConnectorsAmong {
  readonly found: readonly TelephonyConnector[]
  readonly notFound: readonly ConnectorId[]
}

async function inForce(
  { store }: Context,
  agentId: AgentId,
  id: ConnectorId,
): Promise<TelephonyConnector | null> {
  const connector = await store.access.connectors.findTelephony(id)
  return connector?.revokedAt === null && connector.agentId === agentId ? connector : null
}

/** See `Telephony.connectorsAmong`. */
export async function connectorsAmong(
  context: Context,
  agentId: AgentId,
  ids: readonly ConnectorId[],
): Promise<ConnectorsAmong> {
  const all = await Promise.all(ids.map(async id => inForce(context, agentId, id)))
  return {
    found: all.filter(connector => connector !== null),
    notFound: ids.filter((_, index) => all[index] === null),
  }
}

/** See `Telephony.connectorOf`. */
export async function connectorOf(
  context: Context,
  agentId: AgentId,
  given: string,
): Promise<TelephonyConnector> {
  const [number] = await context.store.access.phoneNumbers.find([await checkNumber(given)])
  const id = number?.agentId === agentId ? number.connectorId : null
  const connector = id === null ? null : await inForce(context, agentId, id)
  if (connector !== null) return connector
  throw new PlatformError('CONNECTORS_NOT_FOUND', 'No telephony connector of the agent answers that number.')
}
