import type { AnyConnector } from '../../domain/access/access.ts'
import type { ConnectorId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import { topics } from '../../ports/notices.ts'
import { auditEntry } from '../audit/audit-entry.ts'
import type { Acting } from '../context.ts'
import { connectorSubject } from './connector-audit.ts'

/**
 * Revokes a connector of either kind that was there. Resolves with the phone numbers that went with it, null if it was
 * revoked before.
 */
export async function revokeFound(
  context: Acting,
  connector: AnyConnector,
): Promise<readonly string[] | null> {
  const { clock, notices, store } = context
  const entry = auditEntry(context, 'connector.revoked', {
    ...connectorSubject(connector),
    details: { name: connector.name },
  })
  const { connectors } = store.access
  const numbers =
    connector.kind === 'telephony'
      ? await connectors.revokeTelephony(connector.id, clock.now(), { audit: entry })
      : await connectors.revoke(connector.id, clock.now(), { audit: entry }).then(() => [])
  // A revocation is final, so there is nothing more to write.
  notices.publish(topics.credential(connector.id), { changed: true })
  return numbers
}

/** See `Access.revokeConnector`. */
export async function revokeConnector(context: Acting, id: ConnectorId): Promise<void> {
  const connector = await context.store.access.connectors.find(id)
  if (connector === null) throw new PlatformError('CONNECTOR_NOT_FOUND', 'There is no connector of that id.')
  await revokeFound(context, connector)
}
