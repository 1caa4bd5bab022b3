import type { AccountId, WebhookEndpointId } from '../../domain/ids.ts'
import type { WebhookEndpoint, WebhookEventType } from '../../domain/webhook/webhook.ts'
import type { CreatedFilter } from './accounts.ts'
import type { Outbox } from './outbox.ts'

/** The filter for endpoints of an account. All given conditions must hold. */
export interface EndpointFilter extends CreatedFilter {
  readonly enabled?: boolean
  /** Only those that are subscribed to it. */
  readonly eventType?: WebhookEventType
}

/**
 * Webhook endpoints. Every method reads or writes at one instant; values are copied in and out. A store decides no
 * rule. An `outbox` is kept with the write (see `Outbox`).
 */
export interface WebhookEndpointStore {
  /** `full` when the account has `limit` endpoints or more, `taken` when the id exists; nothing is written then. */
  create(endpoint: WebhookEndpoint, limit: number, outbox?: Outbox): Promise<'created' | 'full' | 'taken'>
  /** Null when the account has no endpoint of that id. */
  find(accountId: AccountId, id: WebhookEndpointId): Promise<WebhookEndpoint | null>
  /** Oldest first, then by the code points of the id; at most `limit`. */
  list(accountId: AccountId, filter: EndpointFilter, limit: number): Promise<readonly WebhookEndpoint[]>
  /**
   * Replaces the endpoint. Of two writers with the same expected version one wins; `stale` also when it is not there.
   */
  update(expectedVersion: number, next: WebhookEndpoint, outbox?: Outbox): Promise<'written' | 'stale'>
  /** Removes it with its deliveries. False when the account has no endpoint of that id. */
  delete(accountId: AccountId, id: WebhookEndpointId, outbox?: Outbox): Promise<boolean>
}
