import * as z from 'zod'
import type { InputOf } from '../../calls/call.ts'
import type { Connector } from '../../domain/access/access.ts'
import { type ContextKey, rotatedKeys } from '../../domain/access/context-key.ts'
import { composeSecret } from '../../domain/access/secret.ts'
import type { AuditAction } from '../../domain/audit/audit.ts'
import type { ConnectorId } from '../../domain/ids.ts'
import { auditEntry } from '../audit/audit-entry.ts'
import type { Acting } from '../context.ts'
import { untilWritten } from '../shared/until-written.ts'
import { connectorSubject } from './connector-audit.ts'
import { connectorConflict, liveConnector } from './update-connector.ts'

/** The schema of a rotation. */
export const contextKeyRotationSchema = z.object({
  /** The time for which the previous secret still verifies, 0 to 2,592,000 seconds. @default 86,400 */
  overlapSeconds: z.int().min(0).max(2_592_000).exactOptional(),
})

/** The options of a rotation of a connector's context key. */
export type ContextKeyRotation = InputOf<typeof contextKeyRotationSchema>

const DEFAULT_OVERLAP_SECONDS = 86_400

/** See `Access.rotateContextKeys`. */
export async function rotateContextKeys(
  context: Acting,
  id: ConnectorId,
  { overlapSeconds = DEFAULT_OVERLAP_SECONDS }: ContextKeyRotation,
): Promise<{ readonly connector: Connector; readonly contextKey: ContextKey }> {
  const contextKey: ContextKey = {
    kid: `ctx-${context.ids.short()}`,
    secret: composeSecret('context', context.ids.secret()),
    createdAt: context.clock.now(),
    verifiesUntil: null,
  }
  const rotated = { next: contextKey, overlap: overlapSeconds * 1_000 }
  const connector = await change(context, id, 'connector.context_keys_rotated', secrets =>
    rotatedKeys(secrets, rotated),
  )
  return { connector, contextKey }
}

/** See `Access.revokeContextKeys`. */
export const revokeContextKeys = (context: Acting, id: ConnectorId): Promise<Connector> =>
  change(context, id, 'connector.context_keys_revoked', () => [])

/** Decides again when another change came first. To revoke none writes nothing (AU1). */
async function change(
  context: Acting,
  id: ConnectorId,
  action: AuditAction,
  decide: (secrets: readonly ContextKey[]) => readonly ContextKey[],
): Promise<Connector> {
  return untilWritten(connectorConflict, async () => {
    const before = await liveConnector(context, id)
    const next = { ...before, contextKeys: decide(before.contextKeys) }
    if (before.contextKeys.length + next.contextKeys.length === 0) return before
    const kids = next.contextKeys.map(({ kid }) => kid)
    const entry = auditEntry(context, action, { ...connectorSubject(before), details: { kids } })
    return (await context.store.access.connectors.update(before, next, { audit: entry })) === 'written'
      ? next
      : 'stale'
  })
}
