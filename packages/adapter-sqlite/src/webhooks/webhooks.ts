import type { WebhookStore } from '@colloquy/core/store'
import type { Session } from '../database/session.ts'
import type { OutboxKeeper } from '../outbox/outbox-keeper.ts'
import { deliveryMethods } from './webhook-deliveries.ts'
import { endpointMethods } from './webhook-endpoints.ts'
import type { WebhookStatements } from './webhook-statements.ts'

/** Webhook endpoints and deliveries in SQLite. */
export const createWebhookStore = (
  session: Session,
  run: WebhookStatements,
  keeper: OutboxKeeper,
): WebhookStore => ({
  endpoints: endpointMethods(session, run, keeper),
  deliveries: deliveryMethods(session, run),
})
