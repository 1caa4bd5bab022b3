import { z } from 'zod'
import type { Principal } from '../../domain/access/principal.ts'
import { type AccountId, asId, type WebhookEndpointId } from '../../domain/ids.ts'
import { isoTime } from '../../domain/time.ts'
import { endpointChangeSchema, newEndpointSchema } from '../../domain/webhook/schemas.ts'
import { DELIVERY_STATUSES, deliveryId, type WebhookEndpoint } from '../../domain/webhook/webhook.ts'
import { PlatformError } from '../../errors.ts'
import type { ListedDelivery } from '../../ports/webhook-store.ts'
import { defineRoute, type Route } from '../route.ts'
import { page } from './query-values.ts'

const common = { family: 'webhooks', credential: 'workspace' } as const
const none = z.object({})
const byId = z.object({ id: z.string().transform(asId<WebhookEndpointId>) })

const timeOrNull = (at: number | null): string | null => (at === null ? null : isoTime(at))

/** The account of the key. Endpoints hear of the whole account, so a key for one agent does not open them. */
function accountOf(principal: Principal): AccountId {
  const key = principal.type === 'api_key' ? principal.key : null
  if (key === null || key.accountId === null)
    throw new PlatformError('USER_ACCESS_FORBIDDEN', 'The key belongs to no account')
  if (key.agentId === null) return key.accountId
  const message = 'The API key is for one agent, and this concerns the whole account'
  throw new PlatformError('USER_ACCESS_FORBIDDEN', message)
}

/** An endpoint without its secrets. */
const endpointOnWire = (endpoint: WebhookEndpoint) => ({
  id: endpoint.id,
  url: endpoint.url,
  description: endpoint.description,
  events: endpoint.events,
  enabled: endpoint.enabled,
  disabledReason: endpoint.disabledReason,
  previousSecretUntil: timeOrNull(endpoint.previousSecret?.until ?? null),
  createdAt: isoTime(endpoint.createdAt),
  updatedAt: isoTime(endpoint.updatedAt),
})

/** The same with its secret: for the answers that show it, once each. */
const withSecret = (endpoint: WebhookEndpoint) => ({ ...endpointOnWire(endpoint), secret: endpoint.secret })

const deliveryOnWire = ({ delivery, event }: ListedDelivery) => ({
  id: deliveryId(delivery),
  eventId: delivery.eventId,
  type: event.type,
  conversationId: event.conversationId,
  status: delivery.status,
  attempts: delivery.attempts,
  nextAttemptAt: delivery.inFlight ? null : timeOrNull(delivery.dueAt),
  lastAttemptAt: timeOrNull(delivery.lastAttemptAt),
  lastStatus: delivery.lastStatus,
  lastError: delivery.lastError,
  createdAt: isoTime(delivery.createdAt),
})

const endpointRoutes = [
  defineRoute({
    ...common,
    method: 'POST',
    path: '/v1/webhook-endpoints',
    summary: 'Add a webhook endpoint; its secret is in this response alone',
    params: none,
    query: none,
    body: newEndpointSchema,
    async handle({ platform, principal, body }) {
      const endpoint = await platform.webhooks.createEndpoint(accountOf(principal), body)
      return { status: 201, json: withSecret(endpoint) }
    },
  }),
  defineRoute({
    ...common,
    method: 'GET',
    path: '/v1/webhook-endpoints',
    summary: 'List the webhook endpoints of the account, oldest first',
    params: none,
    query: z.object(page),
    body: null,
    async handle({ platform, principal, query }) {
      const { endpoints, cursor } = await platform.webhooks.endpoints(accountOf(principal), query)
      return { status: 200, json: { endpoints: endpoints.map(endpointOnWire), cursor } }
    },
  }),
  defineRoute({
    ...common,
    method: 'GET',
    path: '/v1/webhook-endpoints/:id',
    summary: 'Read a webhook endpoint',
    params: byId,
    query: none,
    body: null,
    async handle({ platform, principal, params }) {
      const endpoint = await platform.webhooks.endpoint(accountOf(principal), params.id)
      return { status: 200, json: endpointOnWire(endpoint) }
    },
  }),
  defineRoute({
    ...common,
    method: 'PATCH',
    path: '/v1/webhook-endpoints/:id',
    summary: 'Change a webhook endpoint; what is left out stays',
    params: byId,
    query: none,
    body: endpointChangeSchema,
    async handle({ platform, principal, params, body }) {
      const endpoint = await platform.webhooks.updateEndpoint(accountOf(principal), params.id, body)
      return { status: 200, json: endpointOnWire(endpoint) }
    },
  }),
  defineRoute({
    ...common,
    method: 'DELETE',
    path: '/v1/webhook-endpoints/:id',
    summary: 'Delete a webhook endpoint with its deliveries',
    params: byId,
    query: none,
    body: null,
    async handle({ platform, principal, params }) {
      await platform.webhooks.deleteEndpoint(accountOf(principal), params.id)
      return { status: 204 }
    },
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: '/v1/webhook-endpoints/:id/rotate-secret',
    summary:
      'Give a webhook endpoint a new secret, which is in this response alone; the old one signs on for a while',
    params: byId,
    query: none,
    body: null,
    async handle({ platform, principal, params }) {
      const endpoint = await platform.webhooks.rotateSecret(accountOf(principal), params.id)
      return { status: 200, json: withSecret(endpoint) }
    },
  }),
]

const deliveryRoutes = [
  defineRoute({
    ...common,
    method: 'POST',
    path: '/v1/webhook-endpoints/:id/test',
    summary: 'Send a test event to a webhook endpoint',
    params: byId,
    query: none,
    body: null,
    async handle({ platform, principal, params }) {
      const delivery = await platform.webhooks.test(accountOf(principal), params.id)
      return { status: 202, json: deliveryOnWire(delivery) }
    },
  }),
  defineRoute({
    ...common,
    method: 'GET',
    path: '/v1/webhook-endpoints/:id/deliveries',
    summary: 'List the deliveries to a webhook endpoint, newest first',
    params: byId,
    query: z.object({
      status: z.enum(DELIVERY_STATUSES, `must be one of ${DELIVERY_STATUSES.join(', ')}`).exactOptional(),
      ...page,
    }),
    body: null,
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
    method: 'POST',
    path: '/v1/webhook-endpoints/:id/deliveries/:deliveryId/resend',
    summary: 'Send an event to a webhook endpoint again',
    params: byId.extend({ deliveryId: z.string() }),
    query: none,
    body: null,
    async handle({ platform, principal, params }) {
      const delivery = await platform.webhooks.resend(accountOf(principal), params.id, params.deliveryId)
      return { status: 202, json: deliveryOnWire(delivery) }
    },
  }),
]

/** Outbound webhooks, `/v1/webhook-endpoints` (decisions.md section 9). */
export const webhookRoutes: readonly Route[] = [...endpointRoutes, ...deliveryRoutes]
