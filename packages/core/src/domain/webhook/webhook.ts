import type {
  AccountId,
  ConversationId,
  WebhookDeliveryId,
  WebhookEndpointId,
  WebhookEventId,
} from '../ids.ts'

/** The events that endpoints can be subscribed to (contract/webhooks.md). */
export const WEBHOOK_EVENT_TYPES = [
  'alerts.triggered',
  'alerts.resolved',
  'conversation.completed',
  'handoff.requested',
  'handoff.accepted',
  'handoff.failed',
  'handoff.returned',
  'handoff.transferred',
  'replay.finished',
  'rollout.ended',
] as const
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number]

/** Sent on request alone, to see whether an endpoint works; no endpoint subscribes to it. */
export const WEBHOOK_TEST_TYPE = 'webhook.test'

/** The address at which an account receives its events. */
export interface WebhookEndpoint {
  readonly id: WebhookEndpointId
  readonly accountId: AccountId
  /** For people. */
  readonly name: string
  /** Absolute, as `new URL` spells it. */
  readonly url: string
  readonly eventTypes: readonly WebhookEventType[]
  /** The additional headers of its requests. They override none of the platform's own. */
  readonly headers: Readonly<Record<string, string>>
  /** The time that the receiver may take to answer, milliseconds. */
  readonly timeout: number
  /** False: gets no new events, and its pending deliveries wait until it is enabled again. */
  readonly enabled: boolean
  /** The reason why the platform disabled it; null when the platform did not. */
  readonly disabledReason: string | null
  /** `whsec_<base64>`. Kept readable, because signing needs the secret itself and a hash would not do. */
  readonly secret: string
  /** The secret before the last rotation, which signs too while `until` is not reached. */
  readonly previousSecret: { readonly secret: string; readonly until: number } | null
  /** Grows by one with every change. */
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** An endpoint as calls give it: without its secrets. */
export interface WebhookEndpointInfo extends Omit<WebhookEndpoint, 'secret' | 'previousSecret'> {
  /** The time until which the secret before the last rotation signs too; null if none does. */
  readonly previousSecretUntil: number | null
}

/** Leaves the secrets out. */
export const endpointInfo = ({
  secret: _,
  previousSecret,
  ...endpoint
}: WebhookEndpoint): WebhookEndpointInfo => ({
  ...endpoint,
  previousSecretUntil: previousSecret?.until ?? null,
})

/** An event for endpoints, the same byte for byte in every attempt. */
export interface WebhookEvent {
  /** The `webhook-id` of every request for it. */
  readonly id: WebhookEventId
  readonly accountId: AccountId
  readonly type: WebhookEventType | typeof WEBHOOK_TEST_TYPE
  /** Null for a test. */
  readonly conversationId: ConversationId | null
  readonly at: number
  /** The body of the requests: JSON text. */
  readonly body: string
}

/** The statuses of a delivery: in progress, accepted by the receiver, or failed for good. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'dead'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** One event on its way to one endpoint. */
export interface WebhookDelivery {
  readonly eventId: WebhookEventId
  readonly endpointId: WebhookEndpointId
  readonly status: DeliveryStatus
  /** Attempts whose outcome is known, since it was created or last sent again by hand. */
  readonly attempts: number
  /**
   * The time at which it is due. While `inFlight`, the time at which its sender counts as lost. Null unless pending.
   */
  readonly dueAt: number | null
  /** True while a process is sending it. */
  readonly inFlight: boolean
  readonly lastAttemptAt: number | null
  /** HTTP status of the last answer; null when the last attempt got none. */
  readonly lastStatus: number | null
  /** The reason why the last attempt was no success, for people. */
  readonly lastError: string | null
  /** Grows by one with every write: of two writers at the same version one wins. */
  readonly version: number
  /** The time of its event. */
  readonly createdAt: number
}

/** Returns the name of a delivery to the outside. */
export const deliveryId = ({
  eventId,
  endpointId,
}: Pick<WebhookDelivery, 'eventId' | 'endpointId'>): WebhookDeliveryId => `${eventId}.${endpointId}`

/** The event whose delivery has that id and goes to that endpoint; null when the id names no such delivery. */
export function eventOfDelivery(id: string, endpointId: WebhookEndpointId): WebhookEventId | null {
  const suffix = `.${endpointId}`
  return id.endsWith(suffix) ? id.slice(0, -suffix.length) : null
}

/** Returns a new delivery of an event to an endpoint, due at once. */
export const newDelivery = (event: WebhookEvent, endpointId: WebhookEndpointId): WebhookDelivery => ({
  eventId: event.id,
  endpointId,
  status: 'pending',
  attempts: 0,
  dueAt: event.at,
  inFlight: false,
  lastAttemptAt: null,
  lastStatus: null,
  lastError: null,
  version: 1,
  createdAt: event.at,
})
