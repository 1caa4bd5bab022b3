import type { WebhookStore } from '@colloquy/core/store'
import type { Session } from '../database/session.ts'
import { deliveryMethods } from './webhook-deliveries.ts'
import { endpointMethods } from './webhook-endpoints.ts'
import { webhookStatements } from './webhook-statements.ts'

/** Webhook endpoints and deliveries in PostgreSQL. */
export function createWebhookStore({ define }: Session): WebhookStore {
  const run = webhookStatements(define)
  return { endpoints: endpointMethods(run), deliveries: deliveryMethods(run) }
}
