import type { WebhookStore } from '@colloquy/core/store'
import type { AuditTrail } from '../audit/audit.ts'
import type { Session } from '../database/session.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import { deliveryMethods } from './webhook-deliveries.ts'
import { endpointMethods } from './webhook-endpoints.ts'
import { webhookStatements } from './webhook-statements.ts'

/** Webhook endpoints and deliveries in SQLite, and the way in for the events of conversations. */
export function createWebhookStore(
  session: Session,
  trail: AuditTrail,
): {
  readonly store: WebhookStore
  readonly outbox: Outbox
} {
  const run = webhookStatements(session.define)
  const store = { endpoints: endpointMethods(session, run, trail), deliveries: deliveryMethods(session, run) }
  return { store, outbox: createOutbox(run) }
}
