import type { ApiKey } from '../../domain/access/access.ts'
import type { AccountId, AgentId, ApiKeyId } from '../../domain/ids.ts'
import type { CreatedFilter } from './accounts.ts'
import type { Outbox } from './outbox.ts'

/** The filter for keys or connectors. All given conditions must hold. */
export interface CredentialFilter extends CreatedFilter {
  readonly accountId?: AccountId
  /** Only keys that are limited to the agent, or lead to it. */
  readonly agentId?: AgentId
}

/**
 * API keys. Their secrets never reach a store: it sees hashes only. Every method reads or writes at one instant; values
 * are copied in and out. An `outbox` is kept with the write (see `Outbox`).
 */
export interface ApiKeyStore {
  /** `taken` when the id or the hash exists. */
  create(key: ApiKey, outbox?: Outbox): Promise<'created' | 'taken'>
  /** Also finds revoked keys; null when there is no such key. */
  find(id: ApiKeyId): Promise<ApiKey | null>
  /** As `find`, by hash. */
  findByHash(hash: string): Promise<ApiKey | null>
  /** Revoked ones included; oldest first, then by the code points of the id; at most `limit`. */
  list(filter: CredentialFilter, limit: number): Promise<readonly ApiKey[]>
  /** The first revocation stands; a later one changes nothing. False when there is no such key. */
  revoke(id: ApiKeyId, at: number, outbox?: Outbox): Promise<boolean>
  /**
   * Records a use: sets `lastUsedAt` to `at` when it is null, at least `interval` milliseconds earlier than `at`, or
   * more than `interval` later (the clock was put back). True when it was set: one of several callers within one
   * interval. False also when there is no such key.
   */
  touch(id: ApiKeyId, at: number, interval: number): Promise<boolean>
}
