import type { Caller } from '../../domain/audit/audit.ts'
import type { AccountId, WebhookEndpointId } from '../../domain/ids.ts'
import type { EndpointChange, NewEndpoint } from '../../domain/webhook/schemas.ts'
import { endpointInfo, type WebhookEndpoint, type WebhookEndpointInfo } from '../../domain/webhook/webhook.ts'
import type { ListedDelivery } from '../../ports/store/webhook-deliveries.ts'
import { type Acting, actingIn, type Context } from '../context.ts'
import type { PartCalls } from '../shared/acts.ts'
import {
  type DeliveryDetail,
  type DeliveryPage,
  type DeliveryQuery,
  listDeliveries,
  readDelivery,
  resendDelivery,
  sendTest,
} from './deliveries.ts'
import {
  createEndpoint,
  deleteEndpoint,
  type EndpointPage,
  type EndpointQuery,
  findEndpoint,
  listEndpoints,
  rotateSecret,
  type SecretRotation,
  updateEndpoint,
} from './endpoints.ts'

/** An endpoint and its secret, `whsec_<base64>`, which no later call gives. */
export interface EndpointWithSecret {
  readonly endpoint: WebhookEndpointInfo
  readonly secret: string
}

const withSecret = (endpoint: WebhookEndpoint): EndpointWithSecret => ({
  endpoint: endpointInfo(endpoint),
  secret: endpoint.secret,
})

/**
 * An account's webhook endpoints and what was sent to them (contract/webhooks.md). Every call about an endpoint throws
 * WEBHOOK_ENDPOINT_NOT_FOUND when the account has no endpoint with that id.
 */
export interface Webhooks {
  /**
   * Adds an endpoint; it gets the events of its `eventTypes` and no others. Its secret, which is
   * returned this once, is for the receiver to verify with.
   * @param accountId id or slug
   * @throws ACCOUNT_NOT_FOUND, SCHEMA_VALIDATION_FAILED also for an address that may not be reached
   * @throws WEBHOOK_ENDPOINT_LIMIT when the account has `Settings.webhooks.endpoints` of them
   */
  createEndpoint(accountId: string, input: NewEndpoint): Promise<EndpointWithSecret>
  /** Oldest first, without secrets. @throws SCHEMA_VALIDATION_FAILED for a limit out of range or an invalid cursor */
  endpoints(accountId: AccountId, query?: EndpointQuery): Promise<EndpointPage>
  /** An endpoint of the account, without its secrets. @throws WEBHOOK_ENDPOINT_NOT_FOUND */
  endpoint(accountId: AccountId, id: WebhookEndpointId): Promise<WebhookEndpointInfo>
  /** Missing fields stay as they are. Pending deliveries go to the new address. @throws SCHEMA_VALIDATION_FAILED */
  updateEndpoint(
    accountId: AccountId,
    id: WebhookEndpointId,
    change: EndpointChange,
  ): Promise<WebhookEndpointInfo>
  /** Removes it with its deliveries, pending ones included. */
  deleteEndpoint(accountId: AccountId, id: WebhookEndpointId): Promise<void>
  /**
   * Gives it a new secret. The earlier one signs too, in the headers that can carry both signatures, for
   * `Settings.webhooks.secretOverlap` or as long as the rotation says; still earlier ones do not.
   * @throws SCHEMA_VALIDATION_FAILED
   */
  rotateSecret(
    accountId: AccountId,
    id: WebhookEndpointId,
    rotation?: SecretRotation,
  ): Promise<EndpointWithSecret>
  /**
   * Sends a `webhook.test` event, also to an endpoint that is not subscribed to it.
   * @throws NOT_IMPLEMENTED without a sender
   */
  test(accountId: AccountId, id: WebhookEndpointId): Promise<ListedDelivery>
  /** Newest first. @throws SCHEMA_VALIDATION_FAILED as `endpoints` */
  deliveries(accountId: AccountId, id: WebhookEndpointId, query?: DeliveryQuery): Promise<DeliveryPage>
  /**
   * A delivery with the body that was sent, or is to be, and what the receiver answered to the newest attempt. Events
   * are removed after `Settings.webhooks.retention`, with their deliveries. @throws WEBHOOK_DELIVERY_NOT_FOUND
   */
  delivery(accountId: AccountId, id: WebhookEndpointId, deliveryId: string): Promise<DeliveryDetail>
  /**
   * Sends an event again, with all its attempts: one that is dead or delivered, or pending and not to wait any longer.
   * @throws WEBHOOK_DELIVERY_NOT_FOUND
   * @throws WEBHOOK_DELIVERY_CONFLICT while it is being sent, and when the endpoint is disabled
   */
  resend(accountId: AccountId, id: WebhookEndpointId, deliveryId: string): Promise<ListedDelivery>
}

/**
 * The calls of webhooks, not bound to a caller yet: those that create, change and remove an endpoint record their
 * caller.
 */
export type WebhooksCalls = PartCalls<
  Webhooks,
  'createEndpoint' | 'updateEndpoint' | 'deleteEndpoint' | 'rotateSecret'
>

/** Binds the use cases of webhooks to a context. */
export function createWebhooks(context: Context): WebhooksCalls {
  const by = (caller: Caller): Acting => actingIn(context, caller)
  return {
    acts: {
      createEndpoint: (caller, accountId, input) =>
        createEndpoint(by(caller), accountId, input).then(withSecret),
      updateEndpoint: (caller, accountId, id, change) =>
        updateEndpoint(by(caller), accountId, id, change).then(endpointInfo),
      deleteEndpoint: (caller, accountId, id) => deleteEndpoint(by(caller), accountId, id),
      rotateSecret: (caller, accountId, id, rotation = {}) =>
        rotateSecret(by(caller), accountId, id, rotation).then(withSecret),
    },
    common: {
      endpoints: (accountId, query = {}) => listEndpoints(context, accountId, query),
      endpoint: (accountId, id) => findEndpoint(context, accountId, id).then(endpointInfo),
      test: (accountId, id) => sendTest(context, accountId, id),
      deliveries: (accountId, id, query = {}) => listDeliveries(context, accountId, id, query),
      delivery: (accountId, id, deliveryId) => readDelivery(context, accountId, id, deliveryId),
      resend: (accountId, id, deliveryId) => resendDelivery(context, accountId, id, deliveryId),
    },
  }
}
