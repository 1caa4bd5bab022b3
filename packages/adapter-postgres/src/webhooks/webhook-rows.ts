import type {
  AccountId,
  ConversationId,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointId,
  WebhookEvent,
  WebhookEventId,
  WebhookExchange,
} from '@colloquy/core'
import { fromJson, fromJsonOrNull } from '../database/json.ts'

/** An endpoint's row. */
export type EndpointRow = {
  id: WebhookEndpointId
  account_id: AccountId
  name: string
  url: string
  event_types: WebhookEndpoint['eventTypes']
  /** JSON. */
  headers: string
  timeout: number
  enabled: boolean
  disabled_reason: string | null
  secret: string
  /** JSON of the secret and until when it signs. */
  previous_secret: string | null
  version: number
  created_at: number
  updated_at: number
}

/** An event's row. */
export type EventRow = {
  id: WebhookEventId
  account_id: AccountId
  type: WebhookEvent['type']
  conversation_id: ConversationId | null
  at: number
  body: string
}

/** What is kept of a delivery's newest attempt: JSON. */
export type ExchangeValue = { exchange: string | null }

/** A delivery's row. */
export type DeliveryRow = {
  event_id: WebhookEventId
  status: WebhookDelivery['status']
  attempts: number
  due_at: number | null
  in_flight: boolean
  last_attempt_at: number | null
  last_status: number | null
  last_error: string | null
  version: number
  created_at: number
}

export const toEndpoint = (row: EndpointRow): WebhookEndpoint => ({
  id: row.id,
  accountId: row.account_id,
  name: row.name,
  url: row.url,
  eventTypes: row.event_types,
  headers: fromJson(row.headers),
  timeout: row.timeout,
  enabled: row.enabled,
  disabledReason: row.disabled_reason,
  secret: row.secret,
  previousSecret: fromJsonOrNull(row.previous_secret),
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export const fromEndpoint = (endpoint: WebhookEndpoint): EndpointRow => ({
  id: endpoint.id,
  account_id: endpoint.accountId,
  name: endpoint.name,
  url: endpoint.url,
  event_types: endpoint.eventTypes,
  headers: JSON.stringify(endpoint.headers),
  timeout: endpoint.timeout,
  enabled: endpoint.enabled,
  disabled_reason: endpoint.disabledReason,
  secret: endpoint.secret,
  previous_secret: endpoint.previousSecret === null ? null : JSON.stringify(endpoint.previousSecret),
  version: endpoint.version,
  created_at: endpoint.createdAt,
  updated_at: endpoint.updatedAt,
})

export const toEvent = (row: EventRow): WebhookEvent => ({
  id: row.id,
  accountId: row.account_id,
  type: row.type,
  conversationId: row.conversation_id,
  at: row.at,
  body: row.body,
})

export const fromEvent = (event: WebhookEvent): EventRow => ({
  id: event.id,
  account_id: event.accountId,
  type: event.type,
  conversation_id: event.conversationId,
  at: event.at,
  body: event.body,
})

export const toDelivery = (row: DeliveryRow, endpointId: WebhookEndpointId): WebhookDelivery => ({
  eventId: row.event_id,
  endpointId,
  status: row.status,
  attempts: row.attempts,
  dueAt: row.due_at,
  inFlight: row.in_flight,
  lastAttemptAt: row.last_attempt_at,
  lastStatus: row.last_status,
  lastError: row.last_error,
  version: row.version,
  createdAt: row.created_at,
})

export const fromDelivery = (delivery: WebhookDelivery): DeliveryRow => ({
  event_id: delivery.eventId,
  status: delivery.status,
  attempts: delivery.attempts,
  due_at: delivery.dueAt,
  in_flight: delivery.inFlight,
  last_attempt_at: delivery.lastAttemptAt,
  last_status: delivery.lastStatus,
  last_error: delivery.lastError,
  version: delivery.version,
  created_at: delivery.createdAt,
})

export const toExchange = (row: ExchangeValue) => fromJsonOrNull<WebhookExchange>(row.exchange)

export const fromExchange = (exchange: WebhookExchange | null | undefined): string | null =>
  exchange === null || exchange === undefined ? null : JSON.stringify(exchange)
