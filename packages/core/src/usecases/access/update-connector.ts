import type * as z from 'zod'
import type { InputOf } from '../../calls/call.ts'
import type { Connector } from '../../domain/access/access.ts'
import type { connectorChangeSchema } from '../../domain/access/schemas.ts'
import { changedFields } from '../../domain/audit/details.ts'
import type { ConnectorId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import { auditEntry } from '../audit/audit-entry.ts'
import type { Acting, Context } from '../context.ts'
import { untilWritten } from '../shared/until-written.ts'
import { checkVariant } from './check-variant.ts'
import { connectorSettings, connectorSubject } from './connector-audit.ts'
import { checkExpiry } from './expiry.ts'

/** The changes that a connector accepts. */
export type ConnectorChange = InputOf<typeof connectorChangeSchema>

/**
 * Finds a connector that was not revoked. An expired one is included: its end can be moved. @throws CONNECTOR_NOT_FOUND
 * also for a revoked one
 */
export async function liveConnector({ store }: Context, id: ConnectorId): Promise<Connector> {
  const connector = await store.access.connectors.find(id)
  if (connector === null || connector.revokedAt !== null)
    throw new PlatformError('CONNECTOR_NOT_FOUND', 'There is no connector of that id.')
  return connector
}

/** Returns the refusal of a change that others forestalled every time. */
export const connectorConflict = (): PlatformError =>
  new PlatformError('WRITE_CONFLICT', 'The connector is being changed too often. Try again.')

/**
 * See `Access.updateConnector`. Decides again when another change came first, so that concurrent changes do not undo
 * each other: a host that one of them removes stays removed (AG30). What changes nothing writes nothing (AU1).
 */
export async function updateConnector(
  context: Acting,
  id: ConnectorId,
  { handoff, ...change }: z.output<typeof connectorChangeSchema>,
): Promise<Connector> {
  if (change.expiresAt !== undefined) checkExpiry(change.expiresAt, context.clock.now())
  return untilWritten(connectorConflict, async () => {
    const before = await liveConnector(context, id)
    const next = { ...before, ...change, handoff: { ...before.handoff, ...handoff } }
    const changes = changedFields(connectorSettings(before), connectorSettings(next))
    if (Object.keys(changes).length === 0) return before
    if (change.variantId !== undefined || change.environment !== undefined) await checkVariant(context, next)
    const subject = { ...connectorSubject(before), details: { changes } }
    const entry = auditEntry(context, 'connector.changed', subject)
    return (await context.store.access.connectors.update(before, next, { audit: entry })) === 'written'
      ? next
      : 'stale'
  })
}
