import type { Account, AnyConnector, ApiKey, Connector, TelephonyConnector } from '../domain/access/access.ts'
import type { TokenKey } from '../domain/access/token-key.ts'
import type { AuditEntry } from '../domain/audit/audit.ts'
import type { AccountId, AgentId, ApiKeyId, ConnectorId } from '../domain/ids.ts'

/** A place in a list that is oldest first: what was created at that moment under that id, whether it is there or not. */
export interface CreatedPlace {
  readonly createdAt: number
  readonly id: string
}

/** Which part of a list that is oldest first. */
export interface CreatedFilter {
  /** Only what comes behind this place in the order of the list. */
  readonly after?: CreatedPlace
}

/** Which keys or connectors. All given conditions hold. */
export interface CredentialFilter extends CreatedFilter {
  readonly accountId?: AccountId
  /** Those that are limited to the agent, or lead to it. */
  readonly agentId?: AgentId
}

/**
 * Accounts and credentials. The secrets of keys and connectors never reach a store: it sees hashes only. What signs access
 * tokens it keeps as it is.
 * Every method reads or writes at one instant; values are copied in and out. An `entry` is kept in the same write, exactly when
 * something changes (see `AuditStore`).
 */
export interface AccessStore {
  /** `taken` when the id or the slug exists, also as the other's value; nothing is written then. */
  createAccount(account: Account, entry?: AuditEntry): Promise<'created' | 'taken'>
  /** By id or by slug; null when there is none. */
  account(idOrSlug: string): Promise<Account | null>
  /** Oldest first, then by the code points of the id; at most `limit`. */
  accounts(filter: CreatedFilter, limit: number): Promise<readonly Account[]>

  /** `taken` when the id or the hash exists. */
  createApiKey(key: ApiKey, entry?: AuditEntry): Promise<'created' | 'taken'>
  /** Also a revoked one; null when there is none. */
  apiKey(id: ApiKeyId): Promise<ApiKey | null>
  /** The same by hash. */
  apiKeyByHash(hash: string): Promise<ApiKey | null>
  /** Revoked ones included; oldest first, then by the code points of the id; at most `limit`. */
  apiKeys(filter: CredentialFilter, limit: number): Promise<readonly ApiKey[]>
  /** The first revocation stands; a later one changes nothing. False when there is no such key. */
  revokeApiKey(id: ApiKeyId, at: number, entry?: AuditEntry): Promise<boolean>
  /**
   * Notes a use: `lastUsedAt` becomes `at` when it is null or at least `interval` milliseconds before `at`, or more than
   * that after it, which a clock that was put back explains. True when it did: of
   * racers within one interval one. So it never goes back by less. False also when there is no such key.
   */
  touchApiKey(id: ApiKeyId, at: number, interval: number): Promise<boolean>

  /** Of either kind. `taken` when the id, or the token's hash, exists. */
  createConnector(connector: AnyConnector, entry?: AuditEntry): Promise<'created' | 'taken'>
  /** Of kind `messaging`, as the two methods that follow. */
  connector(id: ConnectorId): Promise<Connector | null>
  connectorByTokenHash(hash: string): Promise<Connector | null>
  /** As `apiKeys`. */
  connectors(filter: CredentialFilter, limit: number): Promise<readonly Connector[]>
  telephonyConnector(id: ConnectorId): Promise<TelephonyConnector | null>
  /** Those of an agent, revoked ones included; oldest first, then by the code points of the id; at most `limit`. */
  telephonyConnectors(
    agentId: AgentId,
    filter: CreatedFilter,
    limit: number,
  ): Promise<readonly TelephonyConnector[]>
  /**
   * Replaces the connector of `before`'s id with `next`, exactly when it still is as `before` says; `lastUsedAt`, which is
   * `touchConnector`'s, is neither compared nor written. `stale` when it is another by now, revoked meanwhile, or not there: nothing is
   * written then. Of racers that saw the same one wins.
   */
  updateConnector<Kind extends AnyConnector>(
    before: Kind,
    next: Kind,
    entry?: AuditEntry,
  ): Promise<'written' | 'stale'>
  /** Of either kind. The first revocation stands; a later one changes nothing. False when there is no such connector. */
  revokeConnector(id: ConnectorId, at: number, entry?: AuditEntry): Promise<boolean>
  /** As `touchApiKey`. */
  touchConnector(id: ConnectorId, at: number, interval: number): Promise<boolean>

  /** Keeps `candidate` under the name if nothing is kept there yet, and returns what is kept: all racers get the same. */
  secret(name: string, candidate: string): Promise<string>

  /** The newest first, which is the one that signs. */
  tokenKeys(): Promise<readonly TokenKey[]>
  /**
   * Adds a key as the newest; the keys before it verify until `earlierUntil`, or until the moment that is stored when that is
   * earlier. `stale` when `key.number` is not one more than the newest's, 1 when there is none, or the id exists: nothing is
   * written then. Of racers with one number one wins.
   */
  addTokenKey(key: TokenKey, earlierUntil: number, entry?: AuditEntry): Promise<'added' | 'stale'>
  /** Removes every key whose `verifiesUntil` is `at` or earlier; never the one that signs. */
  removeTokenKeys(at: number): Promise<void>
}
