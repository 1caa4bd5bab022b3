import type {
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointId,
  WebhookEvent,
  WebhookExchange,
} from '@colloquy/core'
import type { Selectable } from 'kysely'
import { fromJson, fromJsonOrNull } from '../database/json.ts'
import type { Flag, Schema } from '../database/tables.ts'

/** A truth as SQLite keeps it. */
export const flag = (value: boolean): Flag => (value ? 1 : 0)

export const toEndpoint = (row: Selectable<Schema['webhook_endpoint']>): WebhookEndpoint => ({
  id: row.id,
  accountId: row.account_id,
  name: row.name,
  url: row.url,
  eventTypes: fromJson(row.event_types),
  headers: fromJson(row.headers),
  timeout: row.timeout,
  enabled: row.enabled === 1,
  disabledReason: row.disabled_reason,
  secret: row.secret,
  previousSecret: fromJsonOrNull(row.previous_secret),
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export const fromEndpoint = (endpoint: WebhookEndpoint) => ({
  id: endpoint.id,
  account_id: endpoint.accountId,
  name: endpoint.name,
  url: endpoint.url,
  event_types: JSON.stringify(endpoint.eventTypes),
  headers: JSON.stringify(endpoint.headers),
  timeout: endpoint.timeout,
  enabled: flag(endpoint.enabled),
  disabled_reason: endpoint.disabledReason,
  secret: endpoint.secret,
  previous_secret: endpoint.previousSecret === null ? null : JSON.stringify(endpoint.previousSecret),
  version: endpoint.version,
  created_at: endpoint.createdAt,
  updated_at: endpoint.updatedAt,
})

export const toEvent = (row: Omit<Selectable<Schema['webhook_event']>, 'row'>): WebhookEvent => ({
  id: row.id,
  accountId: row.account_id,
  type: row.type,
  conversationId: row.conversation_id,
  at: row.at,
  body: row.body,
})

export const fromEvent = (event: WebhookEvent) => ({
  id: event.id,
  account_id: event.accountId,
  type: event.type,
  conversation_id: event.conversationId,
  at: event.at,
  body: event.body,
})

export const toDelivery = (
  row: Omit<Selectable<Schema['webhook_delivery']>, 'row' | 'event' | 'endpoint' | 'exchange'>,
  endpointId: WebhookEndpointId,
): WebhookDelivery => ({
  eventId: row.event_id,
  endpointId,
  status: row.status,
  attempts: row.attempts,
  dueAt: row.due_at,
  inFlight: row.in_flight === 1,
  lastAttemptAt: row.last_attempt_at,
  lastStatus: row.last_status,
  lastError: row.last_error,
  version: row.version,
  createdAt: row.created_at,
})

export const fromDelivery = (delivery: WebhookDelivery) => ({
  event_id: delivery.eventId,
  status: delivery.status,
  attempts: delivery.attempts,
  due_at: delivery.dueAt,
  in_flight: flag(delivery.inFlight),
  last_attempt_at: delivery.lastAttemptAt,
  last_status: delivery.lastStatus,
  last_error: delivery.lastError,
  version: delivery.version,
  created_at: delivery.createdAt,
})

export const toExchange = (row: Pick<Selectable<Schema['webhook_delivery']>, 'exchange'>) =>
  fromJsonOrNull<WebhookExchange>(row.exchange)

export const fromExchange = (exchange: WebhookExchange | null | undefined): string | null =>
  exchange === null || exchange === undefined ? null : JSON.stringify(exchange)
