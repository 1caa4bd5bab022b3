import { PLATFORM } from '../../domain/audit/audit.ts'
import type { WebhookEndpoint } from '../../domain/webhook/webhook.ts'
import { auditEntry } from '../audit/audit-entry.ts'
import { actingIn, type Context } from '../context.ts'
import { endpointChange } from './endpoint-audit.ts'

/**
 * Disables an endpoint whose receiver says that it is gone, as the Standard Webhooks specification advises. An endpoint
 * that was changed since `seen` was read is left alone: the change is newer.
 */
export async function disableEndpoint(
  context: Context,
  seen: WebhookEndpoint,
  disabledReason: string,
): Promise<void> {
  const { clock, log, store } = context
  const next = {
    ...seen,
    enabled: false,
    disabledReason,
    version: seen.version + 1,
    updatedAt: clock.now(),
  }
  const { details, ...subject } = endpointChange(seen, next)
  const entry = auditEntry(actingIn(context, PLATFORM), 'webhook_endpoint.changed', {
    ...subject,
    details: { ...details, reason: disabledReason },
  })
  if ((await store.webhooks.endpoints.update(seen.version, next, { audit: entry })) === 'stale') return
  log.warn('A webhook endpoint was disabled', {
    endpointId: seen.id,
    accountId: seen.accountId,
    reason: disabledReason,
  })
}
