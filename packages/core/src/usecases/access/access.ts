import type { Account, ApiKey, ApiKeyKind, Connector, HandoffSettings } from '../../domain/access/access.ts'
import { connectorChangeSchema } from '../../domain/access/schemas.ts'
import { hashSecret, sameHash } from '../../domain/access/secret.ts'
import { changedFields } from '../../domain/audit/details.ts'
import type { Environment } from '../../domain/environment.ts'
import type { AccountId, ApiKeyId, ConnectorId } from '../../domain/ids.ts'
import { parse } from '../../domain/parse.ts'
import { PlatformError } from '../../errors.ts'
import { auditEntry } from '../audit/audit-entry.ts'
import type { Context } from '../context.ts'
import { connectorSettings, connectorSubject } from './connector-audit.ts'
import { createAccount } from './create-account.ts'
import { createApiKey } from './create-api-key.ts'
import { createConnector } from './create-connector.ts'
import { announceRevocation } from './revocation.ts'

/** A new connector, or what a change of one may carry. */
export interface ConnectorInput {
  readonly environment: Environment
  readonly hosts: readonly string[]
  readonly variantId?: string | null
  readonly name?: string
  readonly handoff?: Partial<HandoffSettings>
}

/** Accounts, API keys and connectors, as the host's operator manages them (decisions.md section 11). */
export interface Access {
  /** `accountId` is `ws-<id>`, generated when omitted. @throws ACCOUNT_ALREADY_EXISTS */
  createAccount(input: {
    readonly accountId?: string
    readonly slug: string
    readonly name: string
  }): Promise<Account>
  /** By id or by slug; null when there is none. */
  account(idOrSlug: string): Promise<Account | null>
  accounts(): Promise<readonly Account[]>
  /**
   * Issues a key. Its secret is returned this once; the store keeps a hash. A host that brings its own secret passes
   * it, at least 16 characters; the same secret with the same scope again returns the key that exists.
   * @throws ACCOUNT_NOT_FOUND, PROJECT_NOT_FOUND, SCHEMA_VALIDATION_FAILED
   * @throws API_KEY_ALREADY_EXISTS when the secret was revoked or has another scope
   */
  createApiKey(input: {
    readonly kind: ApiKeyKind
    readonly accountId?: string
    readonly agentId?: string
    readonly region?: string
    readonly name?: string
    readonly permissions?: readonly string[]
    readonly secret?: string
  }): Promise<{ readonly key: ApiKey; readonly secret: string }>
  apiKeys(filter?: { readonly accountId?: AccountId }): Promise<readonly ApiKey[]>
  /** The key stops working at once. @throws API_KEY_NOT_FOUND */
  revokeApiKey(id: ApiKeyId): Promise<void>
  /** The key of that secret, of one of the kinds and for the region; null when it is missing, wrong or revoked. */
  authenticate(secret: string, kinds: readonly ApiKeyKind[], region: string | null): Promise<ApiKey | null>
  /**
   * Issues a connector. Its token is returned this once. A host that brings its own token passes it; the same token for the
   * same agent again returns the connector as it is.
   * @throws ACCOUNT_NOT_FOUND, PROJECT_NOT_FOUND, SCHEMA_VALIDATION_FAILED
   * @throws CONNECTOR_ALREADY_EXISTS when the token was revoked or serves another agent
   */
  createConnector(
    input: ConnectorInput & { readonly accountId: string; readonly agentId: string; readonly token?: string },
  ): Promise<{ readonly connector: Connector; readonly token: string }>
  connectors(filter?: { readonly accountId?: AccountId }): Promise<readonly Connector[]>
  /** @throws CONNECTOR_NOT_FOUND also when it was revoked */
  connector(id: ConnectorId): Promise<Connector>
  /** What is left out stays; so it is inside `handoff`. @throws CONNECTOR_NOT_FOUND, SCHEMA_VALIDATION_FAILED */
  updateConnector(id: ConnectorId, change: Partial<ConnectorInput>): Promise<Connector>
  /** Its token, access tokens, handshakes and open sessions stop working at once (MS28). @throws CONNECTOR_NOT_FOUND */
  revokeConnector(id: ConnectorId): Promise<void>
  /** The live connector of that token; null when there is none. */
  connectorByToken(token: string): Promise<Connector | null>
}

async function liveConnector({ store }: Context, id: ConnectorId): Promise<Connector> {
  const connector = await store.access.connector(id)
  if (connector === null || connector.revokedAt !== null)
    throw new PlatformError('CONNECTOR_NOT_FOUND', 'There is no connector of that id')
  return connector
}

async function authenticate(
  { store }: Context,
  ...[secret, kinds, region]: Parameters<Access['authenticate']>
): Promise<ApiKey | null> {
  const hash = hashSecret(secret)
  const key = await store.access.apiKeyByHash(hash)
  if (key === null || !sameHash(key.hash, hash) || key.revokedAt !== null) return null
  const here = region === null || key.region === null || key.region === region
  return here && kinds.includes(key.kind) ? key : null
}

async function updateConnector(
  context: Context,
  id: ConnectorId,
  change: Partial<ConnectorInput>,
): Promise<Connector> {
  const { handoff, ...checked } = parse(connectorChangeSchema, change, 'field')
  const connector = await liveConnector(context, id)
  const changed = { ...connector, ...checked, handoff: { ...connector.handoff, ...handoff } }
  const changes = changedFields(connectorSettings(connector), connectorSettings(changed))
  const entry = auditEntry(context, 'connector.changed', {
    ...connectorSubject(connector),
    details: { changes },
  })
  await context.store.access.updateConnector(changed, entry)
  return changed
}

async function revokeConnector(context: Context, id: ConnectorId): Promise<void> {
  const connector = await context.store.access.connector(id)
  if (connector === null) throw new PlatformError('CONNECTOR_NOT_FOUND', 'There is no connector of that id')
  const entry = auditEntry(context, 'connector.revoked', {
    ...connectorSubject(connector),
    details: { name: connector.name },
  })
  await context.store.access.revokeConnector(id, context.clock.now(), entry)
  announceRevocation(context.bus, id)
}

async function revokeApiKey(context: Context, id: ApiKeyId): Promise<void> {
  const { access } = context.store
  const key = (await access.apiKeys({})).find(one => one.id === id)
  if (key === undefined) throw new PlatformError('API_KEY_NOT_FOUND', 'There is no API key of that id')
  const entry = auditEntry(context, 'api_key.revoked', {
    ...{ accountId: key.accountId, agentId: key.agentId, resourceId: id },
    details: { kind: key.kind, name: key.name },
  })
  await access.revokeApiKey(id, context.clock.now(), entry)
}

async function connectorByToken({ store }: Context, token: string): Promise<Connector | null> {
  const hash = hashSecret(token)
  const connector = await store.access.connectorByTokenHash(hash)
  if (connector === null || !sameHash(connector.tokenHash, hash)) return null
  return connector.revokedAt === null ? connector : null
}

/** Binds the use cases of accounts and credentials to a context. */
export function createAccess(context: Context): Access {
  const { access } = context.store
  return {
    createAccount: input => createAccount(context, input),
    account: idOrSlug => access.account(idOrSlug),
    accounts: () => access.accounts(),
    createApiKey: input => createApiKey(context, input),
    apiKeys: (filter = {}) => access.apiKeys(filter),
    revokeApiKey: id => revokeApiKey(context, id),
    authenticate: (secret, kinds, region) => authenticate(context, secret, kinds, region),
    createConnector: input => createConnector(context, input),
    connectors: (filter = {}) => access.connectors(filter),
    connector: id => liveConnector(context, id),
    updateConnector: (id, change) => updateConnector(context, id, change),
    revokeConnector: id => revokeConnector(context, id),
    connectorByToken: token => connectorByToken(context, token),
  }
}
