import * as z from 'zod'
import type { InputOf } from '../../calls/call.ts'
import type { Connector } from '../../domain/access/access.ts'
import { isInForce } from '../../domain/access/in-force.ts'
import { newConnectorSchema, secretSchema } from '../../domain/access/schemas.ts'
import { composeSecret, hashSecret, secretPrefix } from '../../domain/access/secret.ts'
import { PlatformError } from '../../errors.ts'
import { auditEntry } from '../audit/audit-entry.ts'
import type { Acting } from '../context.ts'
import { checkVariant } from './check-variant.ts'
import { connectorSettings, connectorSubject } from './connector-audit.ts'
import { checkExpiry } from './expiry.ts'
import { findAccount, findAgent } from './find-owner.ts'
import { refuseOrphan } from './refuse-orphan.ts'
import { revokeConnector } from './revoke-connector.ts'

/** The schema of {@link NewConnectorInput}. */
export const connectorInputSchema = newConnectorSchema.extend({
  accountId: z.string(),
  agentId: z.string(),
  token: secretSchema.exactOptional(),
})

/** The owner of a new connector, its settings, and its token if the host brings one. */
export type NewConnectorInput = InputOf<typeof connectorInputSchema>

/** See `Access.createConnector`. */
export async function createConnector(
  context: Acting,
  input: NewConnectorInput,
): Promise<{ readonly connector: Connector; readonly token: string }> {
  const { store, ids, clock, settings } = context
  const { accountId, agentId, token: given, handoff, expiresAt, ...settled } = input
  const account = await findAccount(context, accountId)
  const agent = await findAgent(context, account, agentId)
  const token = given ?? composeSecret('connector', ids.secret())
  const connector: Connector = {
    kind: 'messaging',
    id: `CONNECTOR-${ids.short()}`,
    tokenHash: hashSecret(token),
    tokenPrefix: secretPrefix(token),
    name: '',
    accountId: account.id,
    agentId: agent.id,
    variantId: null,
    ...settled,
    handoff: {
      mode: 'server',
      queueName: 'default',
      timeoutSeconds: settings.handoffTimeoutSeconds,
      ...handoff,
    },
    contextKeys: [],
    createdAt: clock.now(),
    revokedAt: null,
    expiresAt: checkExpiry(expiresAt, clock.now()),
    lastUsedAt: null,
  }
  await checkVariant(context, connector)
  const entry = auditEntry(context, 'connector.created', {
    ...connectorSubject(connector),
    details: connectorSettings(connector),
  })
  if ((await store.access.connectors.create(connector, { audit: entry })) === 'created') {
    await refuseOrphan(context, { account, agent }, () => revokeConnector(context, connector.id))
    return { connector, token }
  }
  const existing = await store.access.connectors.findByTokenHash(connector.tokenHash)
  if (existing !== null && isInForce(existing, clock.now()) && existing.agentId === agent.id)
    return { connector: existing, token }
  throw new PlatformError(
    'CONNECTOR_ALREADY_EXISTS',
    'That token belongs to a connector that was revoked, has expired or serves another agent. Bring another token.',
  )
}
