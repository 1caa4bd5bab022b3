import type { BoundedPage } from '../../domain/bounded-page.ts'
import type { WebhookEndpointId, WebhookEventId } from '../../domain/ids.ts'
import type { WebhookExchange } from '../../domain/webhook/exchange.ts'
import type {
  DeliveryStatus,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEvent,
} from '../../domain/webhook/webhook.ts'

/** A delivery with all data for sending it. */
export interface ClaimedDelivery {
  readonly delivery: WebhookDelivery
  readonly event: WebhookEvent
  readonly endpoint: WebhookEndpoint
}

/** A delivery in a list, with the kind of its event. */
export interface ListedDelivery {
  readonly delivery: WebhookDelivery
  readonly event: Pick<WebhookEvent, 'type' | 'conversationId'>
}

/** A delivery with all that is kept of it. */
export interface KeptDelivery {
  readonly delivery: WebhookDelivery
  readonly event: WebhookEvent
  /** The newest attempt; null before the first one, and of attempts that were made before they were kept. */
  readonly exchange: WebhookExchange | null
}

/** The filter for deliveries of an endpoint. */
export interface DeliveryFilter {
  readonly endpointId: WebhookEndpointId
  readonly status?: DeliveryStatus
  /** Only deliveries after this one. */
  readonly after?: Pick<WebhookDelivery, 'createdAt' | 'eventId'>
}

/** The largest time ahead at which deliveries may be due, milliseconds. */
export interface DeliveryReach {
  /** The pauses by the number of attempts, from 0; the last entry applies to all further attempts. Not empty. */
  readonly waiting: readonly number[]
  /** Applies to deliveries in flight, regardless of their attempts. */
  readonly inFlight: number
}

/**
 * Webhook events and their deliveries. Most events are stored together with the write that they describe
 * (`Outbox.webhooks`). Every method reads or writes at one instant; values are copied in and out.
 */
export interface WebhookDeliveryStore {
  /**
   * Stores an event for one endpoint, regardless of its subscriptions, due at once. `missing` when there is no such
   * endpoint.
   */
  keepEvent(event: WebhookEvent, endpointId: WebhookEndpointId): Promise<'kept' | 'missing'>
  /** The earliest `dueAt` of a delivery of an enabled endpoint; null if none waits or is in flight. */
  nextDue(): Promise<number | null>
  /** Enabled endpoints that have a delivery whose `dueAt` is not after `now`, the longest waiting first. */
  dueEndpoints(now: number, limit: number): Promise<readonly WebhookEndpointId[]>
  /**
   * Claims deliveries of an enabled endpoint whose `dueAt` is not after `now`, earliest first, then by the code points
   * of the event's id. They are in flight with `dueAt` set to `until`, and their version grows by one: no other caller
   * claims them before that.
   */
  claim(
    endpointId: WebhookEndpointId,
    now: number,
    limit: number,
    until: number,
  ): Promise<readonly ClaimedDelivery[]>
  /**
   * Lowers up to `limit` `dueAt`s that lie further ahead of `now` than `reach` allows, to the latest moment it allows.
   * Changes nothing else, not even versions. Resolves to the number set: fewer than `limit` when no more are left.
   */
  hasten(now: number, reach: DeliveryReach, limit: number): Promise<number>
  /**
   * Replaces the delivery, and the record of its newest attempt: without `exchange` that is not changed. Of two writers
   * with the same expected version one wins; `stale` also when it is not there.
   */
  update(
    expectedVersion: number,
    next: WebhookDelivery,
    exchange?: WebhookExchange,
  ): Promise<'written' | 'stale'>
  /** Null when there is no such delivery. */
  find(endpointId: WebhookEndpointId, eventId: WebhookEventId): Promise<KeptDelivery | null>
  /**
   * Newest first by `createdAt`, then last first by the code points of the event's id; at most `limit`, and at most
   * `bytes` of JSON, but at least one.
   */
  list(filter: DeliveryFilter, limit: number, bytes?: number): Promise<BoundedPage<ListedDelivery>>
  /**
   * Removes up to `limit` events that happened before `before` and have no pending delivery, oldest first, with their
   * deliveries. Returns how many.
   */
  forgetEvents(before: number, limit: number): Promise<number>
}
