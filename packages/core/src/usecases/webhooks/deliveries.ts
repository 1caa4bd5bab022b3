import * as z from 'zod'
import type { InputOf } from '../../calls/call.ts'
import type { AccountId, WebhookEndpointId } from '../../domain/ids.ts'
import { resend } from '../../domain/webhook/attempt.ts'
import { webhookBody } from '../../domain/webhook/outgoing.ts'
import { shownHeaders } from '../../domain/webhook/signature.ts'
import {
  DELIVERY_STATUSES,
  eventOfDelivery,
  newDelivery,
  WEBHOOK_TEST_TYPE,
  type WebhookEndpoint,
  type WebhookEvent,
} from '../../domain/webhook/webhook.ts'
import { PlatformError } from '../../errors.ts'
import type { DeliveryFilter, KeptDelivery, ListedDelivery } from '../../ports/store/webhook-deliveries.ts'
import type { Context } from '../context.ts'
import { type PageEnd, pageFields, readPage } from '../shared/page.ts'
import { findEndpoint } from './endpoints.ts'

/** A page of deliveries, newest first. */
export interface DeliveryPage extends PageEnd {
  readonly deliveries: readonly ListedDelivery[]
}

/** The schema of {@link DeliveryQuery}. */
export const deliveryQuerySchema = z.object({
  ...pageFields,
  /** @default any */
  status: z.enum(DELIVERY_STATUSES).exactOptional(),
})

/** The filter of a list of deliveries, and its page. */
export type DeliveryQuery = InputOf<typeof deliveryQuerySchema>

/** See `Webhooks.deliveries`. */
export async function listDeliveries(
  context: Context,
  accountId: AccountId,
  id: WebhookEndpointId,
  { status, ...query }: DeliveryQuery,
): Promise<DeliveryPage> {
  const { sliceBytes } = context.settings.limits
  const endpoint = await findEndpoint(context, accountId, id)
  const conditions = { endpointId: endpoint.id, ...(status === undefined ? {} : { status }) }
  const { values: deliveries, cursor } = await readPage(query, {
    read: (filter: Pick<DeliveryFilter, 'after'>, limit) =>
      context.store.webhooks.deliveries.list({ ...conditions, ...filter }, limit, sliceBytes),
    nameOf: ({ delivery }) => ({ startedAt: delivery.createdAt, id: delivery.eventId }),
    positionOf: ({ startedAt, id }) => ({ createdAt: startedAt, eventId: id }),
  })
  return { deliveries, cursor }
}

/** A delivery with its request, or the next one, and its response. */
export interface DeliveryDetail extends KeptDelivery {
  /**
   * The headers of its newest attempt, without the signatures and the endpoint's own. Without times before the first
   * one.
   */
  readonly headers: Readonly<Record<string, string>>
}

/** @throws WEBHOOK_DELIVERY_NOT_FOUND */
async function findDelivery(
  { store }: Context,
  endpoint: WebhookEndpoint,
  deliveryId: string,
): Promise<KeptDelivery> {
  const eventId = eventOfDelivery(deliveryId, endpoint.id)
  const found = eventId === null ? null : await store.webhooks.deliveries.find(endpoint.id, eventId)
  if (found !== null) return found
  throw new PlatformError('WEBHOOK_DELIVERY_NOT_FOUND', 'The webhook endpoint has no delivery of that id.')
}

/** See `Webhooks.delivery`. */
export async function readDelivery(
  context: Context,
  accountId: AccountId,
  id: WebhookEndpointId,
  deliveryId: string,
): Promise<DeliveryDetail> {
  const endpoint = await findEndpoint(context, accountId, id)
  const { delivery, event, exchange } = await findDelivery(context, endpoint, deliveryId)
  const timestamp = exchange === null ? null : exchange.sentAt / 1000
  const headers = shownHeaders(event.id, context.settings.brand, timestamp)
  return { delivery, event, exchange, headers }
}

function refuseDisabled({ enabled }: WebhookEndpoint): void {
  if (enabled) return
  const message = 'The webhook endpoint is disabled, and nothing is sent to it. Enable it first.'
  throw new PlatformError('WEBHOOK_DELIVERY_CONFLICT', message)
}

/** See `Webhooks.resend`. */
export async function resendDelivery(
  context: Context,
  accountId: AccountId,
  id: WebhookEndpointId,
  deliveryId: string,
): Promise<ListedDelivery> {
  const { store, clock } = context
  const endpoint = await findEndpoint(context, accountId, id)
  const found = await findDelivery(context, endpoint, deliveryId)
  refuseDisabled(endpoint)
  const next = resend(found.delivery, clock.now())
  if (next !== null && (await store.webhooks.deliveries.update(found.delivery.version, next)) === 'written')
    return { delivery: next, event: found.event }
  throw new PlatformError(
    'WEBHOOK_DELIVERY_CONFLICT',
    'The delivery is being sent right now. Look again later.',
  )
}

/** See `Webhooks.test`. */
export async function sendTest(
  context: Context,
  accountId: AccountId,
  id: WebhookEndpointId,
): Promise<ListedDelivery> {
  const { store, clock, ids, webhookSender } = context
  const endpoint = await findEndpoint(context, accountId, id)
  if (webhookSender === null)
    throw new PlatformError(
      'NOT_IMPLEMENTED',
      'Nothing is sent: this server was set up without a webhook sender.',
    )
  refuseDisabled(endpoint)
  const at = clock.now()
  const event: WebhookEvent = {
    id: `EVENT-${ids.uuid()}`,
    accountId,
    type: WEBHOOK_TEST_TYPE,
    conversationId: null,
    at,
    body: webhookBody(WEBHOOK_TEST_TYPE, at, { account_id: accountId, endpoint_id: endpoint.id }),
  }
  if ((await store.webhooks.deliveries.keepEvent(event, endpoint.id)) === 'missing')
    throw new PlatformError('WEBHOOK_ENDPOINT_NOT_FOUND', 'The account has no webhook endpoint of that id.')
  return { delivery: newDelivery(event, endpoint.id), event }
}
