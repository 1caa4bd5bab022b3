import { type CallsOf, callsWith } from '../../calls/call.ts'
import type { AccountId, WebhookEndpointId } from '../../domain/ids.ts'
import {
  type EndpointChange,
  endpointChangeSchema,
  type NewEndpoint,
  newEndpointSchema,
} from '../../domain/webhook/schemas.ts'
import { endpointInfo, type WebhookEndpoint, type WebhookEndpointInfo } from '../../domain/webhook/webhook.ts'
import type { ListedDelivery } from '../../ports/store/webhook-deliveries.ts'
import type { Context } from '../context.ts'
import { accountId, id, text } from '../shared/arguments.ts'
import {
  type DeliveryDetail,
  type DeliveryPage,
  type DeliveryQuery,
  deliveryQuerySchema,
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
  endpointQuerySchema,
  findEndpoint,
  listEndpoints,
  rotateSecret,
  type SecretRotation,
  secretRotationSchema,
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
  /**
   * Lists the account's endpoints, oldest first, without secrets. @throws SCHEMA_VALIDATION_FAILED for a limit out of
   * range or an invalid cursor
   */
  endpoints(accountId: AccountId, query?: EndpointQuery): Promise<EndpointPage>
  /** Returns an endpoint of the account, without its secrets. @throws WEBHOOK_ENDPOINT_NOT_FOUND */
  endpoint(accountId: AccountId, id: WebhookEndpointId): Promise<WebhookEndpointInfo>
  /**
   * Changes an endpoint. Missing fields stay as they are. Pending deliveries go to the new address. @throws
   * SCHEMA_VALIDATION_FAILED
   */
  updateEndpoint(
    accountId: AccountId,
    id: WebhookEndpointId,
    change: EndpointChange,
  ): Promise<WebhookEndpointInfo>
  /** Removes it with its deliveries, pending ones included. */
  deleteEndpoint(accountId: AccountId, id: WebhookEndpointId): Promise<void>
  /**
   * Creates a new secret. The previous one signs too, in the headers that can carry both signatures, for
   * `Settings.webhooks.secretOverlap` or as long as the rotation says; earlier ones do not.
   *
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
  /** Lists deliveries, newest first. @throws SCHEMA_VALIDATION_FAILED as `endpoints` */
  deliveries(accountId: AccountId, id: WebhookEndpointId, query?: DeliveryQuery): Promise<DeliveryPage>
  /**
   * Returns a delivery with its body, sent or to be sent, and the receiver's response to the newest attempt. Events are
   * removed after `Settings.webhooks.retention`, with their deliveries. @throws WEBHOOK_DELIVERY_NOT_FOUND
   */
  delivery(accountId: AccountId, id: WebhookEndpointId, deliveryId: string): Promise<DeliveryDetail>
  /**
   * Sends an event again, with all its attempts: one that is dead or delivered, or pending and not to wait any longer.
   * @throws WEBHOOK_DELIVERY_NOT_FOUND
   * @throws WEBHOOK_DELIVERY_CONFLICT while it is being sent, and when the endpoint is disabled
   */
  resend(accountId: AccountId, id: WebhookEndpointId, deliveryId: string): Promise<ListedDelivery>
}

const { call, act } = callsWith<Context>()
const deliveryId = ['deliveryId', text] as const

/** The implementations of the calls about webhooks. */
export const webhookCalls = {
  createEndpoint: act(
    () => [accountId, newEndpointSchema],
    (...input) => createEndpoint(...input).then(withSecret),
  ),
  endpoints: call(() => [accountId, endpointQuerySchema], listEndpoints),
  endpoint: call(
    () => [accountId, id],
    (...input) => findEndpoint(...input).then(endpointInfo),
  ),
  updateEndpoint: act(
    () => [accountId, id, endpointChangeSchema],
    (...input) => updateEndpoint(...input).then(endpointInfo),
  ),
  deleteEndpoint: act(() => [accountId, id], deleteEndpoint),
  rotateSecret: act(
    () => [accountId, id, secretRotationSchema],
    (...input) => rotateSecret(...input).then(withSecret),
  ),
  test: call(() => [accountId, id], sendTest),
  deliveries: call(() => [accountId, id, deliveryQuerySchema], listDeliveries),
  delivery: call(() => [accountId, id, deliveryId], readDelivery),
  resend: call(() => [accountId, id, deliveryId], resendDelivery),
} satisfies CallsOf<Webhooks, Context>
