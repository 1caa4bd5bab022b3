import type { ApiKey } from '../../domain/access/access.ts'
import type { AccountId, AgentId, ApiKeyId } from '../../domain/ids.ts'
import type { CreatedFilter } from './accounts.ts'
import type { Outbox } from './outbox.ts'

/** Which keys or connectors. All given conditions hold. */
export interface CredentialFilter extends CreatedFilter {
  readonly accountId?: AccountId
  /** Those that are limited to the agent, or lead to it. */
  readonly agentId?: AgentId
}

/**
 * API keys. Their secrets never reach a store: it sees hashes only. Every method reads or writes at one instant; values
 * are copied in and out. An `outbox` is kept with the write (see `Outbox`).
 */
export interface ApiKeyStore {
  /** `taken` when the id or the hash exists. */
  create(key: ApiKey, outbox?: Outbox): Promise<'created' | 'taken'>
  /** Also a revoked one; null when there is none. */
  find(id: ApiKeyId): Promise<ApiKey | null>
  /** The same by hash. */
  findByHash(hash: string): Promise<ApiKey | null>
  /** Revoked ones included; oldest first, then by the code points of the id; at most `limit`. */
  list(filter: CredentialFilter, limit: number): Promise<readonly ApiKey[]>
  /** The first revocation stands; a later one changes nothing. False when there is no such key. */
  revoke(id: ApiKeyId, at: number, outbox?: Outbox): Promise<boolean>
  /**
   * Notes a use: `lastUsedAt` becomes `at` when it is null or at least `interval` milliseconds before `at`, or more
   * than that after it, which a clock that was put back explains. True when it did: of racers within one interval one.
   * So it never goes back by less. False also when there is no such key.
   */
  touch(id: ApiKeyId, at: number, interval: number): Promise<boolean>
}
