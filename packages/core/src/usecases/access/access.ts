import type { Account, ApiKey, ApiKeyKind, Connector, HandoffSettings } from '../../domain/access/access.ts'
import type { Environment } from '../../domain/environment.ts'
import type { AccountId, ApiKeyId, ConnectorId } from '../../domain/ids.ts'

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
   * it; the same secret with the same scope again returns the key that exists.
   * @throws ACCOUNT_NOT_FOUND, PROJECT_NOT_FOUND, SCHEMA_VALIDATION_FAILED
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
  createConnector(
    input: ConnectorInput & { readonly accountId: string; readonly agentId: string; readonly token?: string },
  ): Promise<{ readonly connector: Connector; readonly token: string }>
  connectors(filter?: { readonly accountId?: AccountId }): Promise<readonly Connector[]>
  /** @throws CONNECTOR_NOT_FOUND */
  connector(id: ConnectorId): Promise<Connector>
  updateConnector(id: ConnectorId, change: Partial<ConnectorInput>): Promise<Connector>
  /** Its token, access tokens and sessions' handshakes stop working at once. @throws CONNECTOR_NOT_FOUND */
  revokeConnector(id: ConnectorId): Promise<void>
  /** The live connector of that token; null when there is none. */
  connectorByToken(token: string): Promise<Connector | null>
}
