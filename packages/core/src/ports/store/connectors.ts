import type { AnyConnector, Connector, TelephonyConnector } from '../../domain/access/access.ts'
import type { AgentId, ConnectorId } from '../../domain/ids.ts'
import type { CreatedFilter } from './accounts.ts'
import type { CredentialFilter } from './api-keys.ts'
import type { Outbox } from './outbox.ts'

/**
 * Connectors, of kind messaging or telephony. Their tokens never reach a store: it sees hashes only. Every method reads
 * or writes at one instant; values are copied in and out. An `outbox` is kept with the write (see `Outbox`).
 */
export interface ConnectorStore {
  /** Adds a connector of either kind. `taken` if the id, or the token's hash, exists. */
  create(connector: AnyConnector, outbox?: Outbox): Promise<'created' | 'taken'>
  /** Returns a connector of kind `messaging`, like the next two methods. */
  find(id: ConnectorId): Promise<Connector | null>
  findByTokenHash(hash: string): Promise<Connector | null>
  /** As `ApiKeyStore.list`. */
  list(filter: CredentialFilter, limit: number): Promise<readonly Connector[]>
  findTelephony(id: ConnectorId): Promise<TelephonyConnector | null>
  /**
   * Returns connectors of an agent, revoked ones included; oldest first, then by the code points of the id; at most
   * `limit`.
   */
  listTelephony(
    agentId: AgentId,
    filter: CreatedFilter,
    limit: number,
  ): Promise<readonly TelephonyConnector[]>
  /**
   * Replaces the connector of `before`'s id with `next` if it still equals `before`. `lastUsedAt` is neither compared
   * nor written: only `touch` changes it. `stale`, and nothing is written, when the connector has changed, was revoked,
   * or does not exist. Of several callers with the same `before` one wins. The phone numbers that it answers get its
   * account, agent and environment in the same write. Rejects when another connector has the token of `next`.
   */
  update<Kind extends AnyConnector>(before: Kind, next: Kind, outbox?: Outbox): Promise<'written' | 'stale'>
  /**
   * Revokes a connector of kind `messaging`. The first revocation stands; a later one changes nothing. False if there
   * is no such connector.
   */
  revoke(id: ConnectorId, at: number, outbox?: Outbox): Promise<boolean>
  /**
   * Revokes a telephony connector and removes the phone numbers that it answers, in one write. Resolves with the
   * numbers, in the order of their code points; null, and nothing is written, when there is no such connector, or it
   * was revoked before.
   */
  revokeTelephony(id: ConnectorId, at: number, outbox?: Outbox): Promise<readonly string[] | null>
  /** As `ApiKeyStore.touch`. */
  touch(id: ConnectorId, at: number, interval: number): Promise<boolean>
}
