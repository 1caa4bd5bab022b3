import * as z from 'zod'
import type { Principal } from '../../domain/access/principal.ts'
import { publicId } from '../../domain/conversation/conversation-key.ts'
import type { AccountId } from '../../domain/ids.ts'
import { isoTime, isoTimeOrNull } from '../../domain/time.ts'
import { endpointChangeSchema, eventTypeSchema, overlapSecondsSchema } from '../../domain/webhook/schemas.ts'
import { DELIVERY_STATUSES, deliveryId, type WebhookEndpointInfo } from '../../domain/webhook/webhook.ts'
import { PlatformError } from '../../errors.ts'
import type { ListedDelivery } from '../../ports/store/webhook-deliveries.ts'
import { oneOf } from '../../usecases/shared/one-of.ts'
import type { DeliveryDetail } from '../../usecases/webhooks/deliveries.ts'
import { accountOfPrincipal } from '../principal-account.ts'
import { defineRoute, type Route } from '../route.ts'
import { boolean, page } from './query-values.ts'
import { strictBody } from './strict-body.ts'

const common = { family: 'webhooks', credential: 'workspace' } as const
const byId = z.object({ id: z.string() })
const byDelivery = byId.extend({ deliveryId: z.string() })

/**
 * Returns the account of the request. Endpoints hear of the whole account, so a key for one agent does not open them.
 */
function accountOf(principal: Principal): AccountId {
  const accountId = accountOfPrincipal(principal)
  if (principal.type !== 'api_key' || principal.key.agentId === null) return accountId
  const message = 'The API key is for one agent, and this concerns the whole account.'
  throw new PlatformError('USER_ACCESS_FORBIDDEN', message)
}

/**
 * Returns an endpoint without its secrets (contract/webhooks.md, Endpoints). Two fields of ours are there only while
 * they say something: why the platform disabled it, and until when an earlier secret signs.
 */
const endpointOnWire = (endpoint: WebhookEndpointInfo) => ({
  id: endpoint.id,
  name: endpoint.name,
  url: endpoint.url,
  enabled: endpoint.enabled,
  event_types: endpoint.eventTypes,
  headers: endpoint.headers,
  timeout_ms: endpoint.timeout,
  created_at: isoTime(endpoint.createdAt),
  updated_at: isoTime(endpoint.updatedAt),
  ...(endpoint.disabledReason === null ? {} : { disabled_reason: endpoint.disabledReason }),
  ...(endpoint.previousSecretUntil === null
    ? {}
    : { previous_secret_until: isoTime(endpoint.previousSecretUntil) }),
})

const { name, url, eventTypes, headers, timeout, enabled } = endpointChangeSchema.shape

const changeBody = strictBody({
  name,
  url,
  event_types: eventTypes,
  headers,
  timeout_ms: timeout,
  enabled,
})
const newBody = changeBody.required({ name: true, url: true, event_types: true })
const rotationBody = strictBody({ overlap_seconds: overlapSecondsSchema.exactOptional() })

/** The body's fields in the library's words. */
const inputOf = <Given extends z.output<typeof changeBody>>({ event_types, timeout_ms, ...rest }: Given) => ({
  ...rest,
  ...(event_types === undefined ? {} : { eventTypes: event_types }),
  ...(timeout_ms === undefined ? {} : { timeout: timeout_ms }),
})

const deliveryOnWire = ({ delivery, event }: ListedDelivery) => ({
  id: deliveryId(delivery),
  eventId: delivery.eventId,
  type: event.type,
  conversationId: event.conversationId === null ? null : publicId(event.conversationId),
  status: delivery.status,
  attempts: delivery.attempts,
  nextAttemptAt: delivery.inFlight ? null : isoTimeOrNull(delivery.dueAt),
  lastAttemptAt: isoTimeOrNull(delivery.lastAttemptAt),
  lastStatus: delivery.lastStatus,
  lastError: delivery.lastError,
  createdAt: isoTime(delivery.createdAt),
})

/**
 * Returns a delivery with its request, sent or to be sent, and the response. Separate from the list, which stays as
 * clients know it.
 */
const detailOnWire = ({ delivery, event, exchange, headers }: DeliveryDetail) => ({
  ...deliveryOnWire({ delivery, event }),
  sent: {
    url: exchange?.url ?? null,
    at: isoTimeOrNull(exchange?.sentAt ?? null),
    headers,
    body: event.body,
  },
  answer: delivery.lastStatus === null ? null : { status: delivery.lastStatus, body: exchange?.body ?? null },
})

const endpointRoutes = [
  defineRoute({
    ...common,
    method: 'POST',
    path: '/v1/webhook-endpoints',
    operation: 'createWebhookEndpoint',
    summary: 'Add a webhook endpoint; only this response has its secret',
    body: newBody,
    async handle({ platform, principal, body }) {
      const { event_types: eventTypes, ...rest } = body
      const input = { ...inputOf(rest), eventTypes }
      const { endpoint, secret } = await platform.webhooks.createEndpoint(accountOf(principal), input)
      return { status: 201, json: { ...endpointOnWire(endpoint), signing_secret: secret } }
    },
  }),
  defineRoute({
    ...common,
    method: 'GET',
    path: '/v1/webhook-endpoints',
    operation: 'listWebhookEndpoints',
    summary: 'List the webhook endpoints of the account, oldest first',
    query: z.object({
      enabled: boolean.exactOptional(),
      event_type: eventTypeSchema.exactOptional(),
      ...page,
    }),
    async handle({ platform, principal, query: { event_type, ...rest } }) {
      const query = { ...rest, ...(event_type === undefined ? {} : { eventType: event_type }) }
      const { endpoints, cursor } = await platform.webhooks.endpoints(accountOf(principal), query)
      const data = endpoints.map(endpointOnWire)
      return { status: 200, json: { data, ...(cursor === null ? {} : { cursor }) } }
    },
  }),
  defineRoute({
    ...common,
    method: 'GET',
    path: '/v1/webhook-endpoints/:id',
    operation: 'readWebhookEndpoint',
    summary: 'Read a webhook endpoint',
    params: byId,
    async handle({ platform, principal, params }) {
      const endpoint = await platform.webhooks.endpoint(accountOf(principal), params.id)
      return { status: 200, json: endpointOnWire(endpoint) }
    },
  }),
  defineRoute({
    ...common,
    method: 'PATCH',
    path: '/v1/webhook-endpoints/:id',
    operation: 'updateWebhookEndpoint',
    summary: 'Change a webhook endpoint; what is left out stays',
    params: byId,
    body: changeBody,
    async handle({ platform, principal, params, body }) {
      const endpoint = await platform.webhooks.updateEndpoint(accountOf(principal), params.id, inputOf(body))
      return { status: 200, json: endpointOnWire(endpoint) }
    },
  }),
  defineRoute({
    ...common,
    method: 'DELETE',
    path: '/v1/webhook-endpoints/:id',
    operation: 'deleteWebhookEndpoint',
    summary: 'Delete a webhook endpoint with its deliveries',
    params: byId,
    async handle({ platform, principal, params }) {
      await platform.webhooks.deleteEndpoint(accountOf(principal), params.id)
      return { status: 204 }
    },
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: '/v1/webhook-endpoints/:id/rotate-secret',
    operation: 'rotateWebhookSecret',
    summary:
      'Create a new secret for a webhook endpoint; only this response has it, and the old one stays valid for a while',
    params: byId,
    body: rotationBody,
    async handle({ platform, principal, params, body: { overlap_seconds } }) {
      const rotation = overlap_seconds === undefined ? {} : { overlapSeconds: overlap_seconds }
      const { secret } = await platform.webhooks.rotateSecret(accountOf(principal), params.id, rotation)
      return { status: 200, json: { signing_secret: secret } }
    },
  }),
]

const deliveryRoutes = [
  defineRoute({
    ...common,
    method: 'POST',
    path: '/v1/webhook-endpoints/:id/test',
    operation: 'testWebhookEndpoint',
    summary: 'Send a test event to a webhook endpoint',
    params: byId,
    async handle({ platform, principal, params }) {
      const delivery = await platform.webhooks.test(accountOf(principal), params.id)
      return { status: 202, json: deliveryOnWire(delivery) }
    },
  }),
  defineRoute({
    ...common,
    method: 'GET',
    path: '/v1/webhook-endpoints/:id/deliveries',
    operation: 'listWebhookDeliveries',
    summary: 'List the deliveries to a webhook endpoint, newest first',
    params: byId,
    query: z.object({
      status: oneOf(DELIVERY_STATUSES).exactOptional(),
      ...page,
    }),
    async handle({ platform, principal, params, query }) {
      const { deliveries, cursor } = await platform.webhooks.deliveries(
        accountOf(principal),
        params.id,
        query,
      )
      return { status: 200, json: { deliveries: deliveries.map(deliveryOnWire), cursor } }
    },
  }),
  defineRoute({
    ...common,
    method: 'GET',
    path: '/v1/webhook-endpoints/:id/deliveries/:deliveryId',
    operation: 'readWebhookDelivery',
    summary: 'Read a delivery to a webhook endpoint, with its request and response',
    params: byDelivery,
    async handle({ platform, principal, params }) {
      const detail = await platform.webhooks.delivery(accountOf(principal), params.id, params.deliveryId)
      return { status: 200, json: detailOnWire(detail) }
    },
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: '/v1/webhook-endpoints/:id/deliveries/:deliveryId/resend',
    operation: 'resendWebhookDelivery',
    summary: 'Send an event to a webhook endpoint again',
    params: byDelivery,
    async handle({ platform, principal, params }) {
      const delivery = await platform.webhooks.resend(accountOf(principal), params.id, params.deliveryId)
      return { status: 202, json: deliveryOnWire(delivery) }
    },
  }),
]

/** Outbound webhooks, `/v1/webhook-endpoints` (contract/webhooks.md). */
export const webhookRoutes: readonly Route[] = [...endpointRoutes, ...deliveryRoutes]
