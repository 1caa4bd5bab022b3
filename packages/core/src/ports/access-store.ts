import type { Account, ApiKey, Connector } from '../domain/access/access.ts'
import type { AuditEntry } from '../domain/audit/audit.ts'
import type { AccountId, ApiKeyId, ConnectorId } from '../domain/ids.ts'

/**
 * Accounts and credentials. Secrets never reach a store: it sees hashes only.
 * Every method reads or writes at one instant; values are copied in and out. An `entry` is kept in the same write, exactly when
 * something changes (see `AuditStore`).
 */
export interface AccessStore {
  /** `taken` when the id or the slug exists, also as the other's value; nothing is written then. */
  createAccount(account: Account, entry?: AuditEntry): Promise<'created' | 'taken'>
  /** By id or by slug; null when there is none. */
  account(idOrSlug: string): Promise<Account | null>
  /** Oldest first, then by id. */
  accounts(): Promise<readonly Account[]>

  /** `taken` when the id or the hash exists. */
  createApiKey(key: ApiKey, entry?: AuditEntry): Promise<'created' | 'taken'>
  /** Also a revoked one; null when there is none. */
  apiKeyByHash(hash: string): Promise<ApiKey | null>
  /** All, revoked ones included; oldest first, then by id. */
  apiKeys(filter: { readonly accountId?: AccountId }): Promise<readonly ApiKey[]>
  /** The first revocation stands; a later one changes nothing. False when there is no such key. */
  revokeApiKey(id: ApiKeyId, at: number, entry?: AuditEntry): Promise<boolean>

  /** `taken` when the id or the token's hash exists. */
  createConnector(connector: Connector, entry?: AuditEntry): Promise<'created' | 'taken'>
  connector(id: ConnectorId): Promise<Connector | null>
  connectorByTokenHash(hash: string): Promise<Connector | null>
  /** All, revoked ones included; oldest first, then by id. */
  connectors(filter: { readonly accountId?: AccountId }): Promise<readonly Connector[]>
  /**
   * Replaces the connector of that id, the last write wins. False when there is none. The first revocation stands: a
   * `revokedAt` that is stored is neither cleared nor moved, so that an edit cannot bring back what was revoked meanwhile.
   */
  updateConnector(connector: Connector, entry?: AuditEntry): Promise<boolean>
  /** The first revocation stands; a later one changes nothing. False when there is no such connector. */
  revokeConnector(id: ConnectorId, at: number, entry?: AuditEntry): Promise<boolean>

  /** Keeps `candidate` under the name if nothing is kept there yet, and returns what is kept: all racers get the same. */
  secret(name: string, candidate: string): Promise<string>
}
