import type { AlertRule } from '../../domain/alert/alert-rule.ts'
import { type AlertEventType, alertData } from '../../domain/alert/decide.ts'
import { webhookBody } from '../../domain/webhook/outgoing.ts'
import type { Outbox } from '../../ports/store/outbox.ts'
import type { Context } from '../context.ts'

/** Returns the part of an outbox that tells the rule's account of an event. Empty without one. */
export function alertOutbox(
  { ids }: Pick<Context, 'ids'>,
  rule: AlertRule,
  type: AlertEventType | null,
  now: number,
): Pick<Outbox, 'webhooks'> {
  if (type === null) return {}
  const { accountId } = rule
  const body = webhookBody(type, now, alertData(rule, now))
  return {
    webhooks: [{ id: `EVENT-${ids.uuid()}`, accountId, type, conversationId: null, at: now, body }],
  }
}
