import type { WebhookEndpoint } from '../../domain/webhook/webhook.ts'
import type { Context } from '../context.ts'

/**
 * Disables an endpoint whose receiver says that it is gone, as the Standard Webhooks specification advises. An endpoint that
 * was changed since `seen` was read is left alone: whoever changed it knows better.
 */
export async function disableEndpoint(
  { clock, log, store }: Context,
  seen: WebhookEndpoint,
  disabledReason: string,
): Promise<void> {
  const next = {
    ...seen,
    enabled: false,
    disabledReason,
    version: seen.version + 1,
    updatedAt: clock.now(),
  }
  if ((await store.webhooks.updateEndpoint(seen.version, next)) === 'stale') return
  log.warn('A webhook endpoint was disabled', {
    endpointId: seen.id,
    accountId: seen.accountId,
    reason: disabledReason,
  })
}
