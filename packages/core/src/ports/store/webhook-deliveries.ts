import type { BoundedPage } from '../../domain/bounded-page.ts'
import type { WebhookEndpointId, WebhookEventId } from '../../domain/ids.ts'
import type {
  DeliveryStatus,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEvent,
} from '../../domain/webhook/webhook.ts'

/** A delivery with what is needed to send it. */
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

/** Which deliveries of an endpoint. */
export interface DeliveryFilter {
  readonly endpointId: WebhookEndpointId
  readonly status?: DeliveryStatus
  /** Only those that come behind this one. */
  readonly after?: Pick<WebhookDelivery, 'createdAt' | 'eventId'>
}

/** How far ahead deliveries may be due, milliseconds. */
export interface DeliveryReach {
  /** By the number of attempts, from none; the last one holds for all further attempts. Not empty. */
  readonly waiting: readonly number[]
  /** Of those that are in flight, whatever their attempts. */
  readonly inFlight: number
}

/**
 * Webhook events and their deliveries. Most events come in with the writes that they tell of (`Outbox.webhooks`). Every
 * method reads or writes at one instant; values are copied in and out.
 */
export interface WebhookDeliveryStore {
  /**
   * Keeps an event for one endpoint, whatever that is subscribed to, due at once. `missing` when there is no such
   * endpoint.
   */
  keepEvent(event: WebhookEvent, endpointId: WebhookEndpointId): Promise<'kept' | 'missing'>
  /** Enabled endpoints that have a delivery whose `dueAt` is not after `now`, the longest waiting first. */
  dueEndpoints(now: number, limit: number): Promise<readonly WebhookEndpointId[]>
  /**
   * Takes deliveries of an enabled endpoint whose `dueAt` is not after `now`, earliest first, then by the code points
   * of the event's id. They are in flight with `dueAt` set to `until`, and their version has grown by one: no other
   * caller takes them before that.
   */
  claim(
    endpointId: WebhookEndpointId,
    now: number,
    limit: number,
    until: number,
  ): Promise<readonly ClaimedDelivery[]>
  /**
   * Sets `dueAt`s that lie further after `now` than they may to the furthest that they may, at most `limit` of them,
   * and changes nothing else, versions included. Says how many it has set: fewer than the limit when none is left.
   */
  hasten(now: number, reach: DeliveryReach, limit: number): Promise<number>
  /**
   * Replaces the delivery. Of two writers with the same expected version one wins; `stale` also when it is not there.
   */
  update(expectedVersion: number, next: WebhookDelivery): Promise<'written' | 'stale'>
  /** Null when there is none. */
  find(endpointId: WebhookEndpointId, eventId: WebhookEventId): Promise<ListedDelivery | null>
  /**
   * Newest first by `createdAt`, then by the code points of the event's id, last first; at most `limit`, and at most
   * `bytes` of JSON, one at least.
   */
  list(filter: DeliveryFilter, limit: number, bytes?: number): Promise<BoundedPage<ListedDelivery>>
  /**
   * Removes up to `limit` events that happened before `before` and have no pending delivery, oldest first, with their
   * deliveries. Returns how many.
   */
  forgetEvents(before: number, limit: number): Promise<number>
}
