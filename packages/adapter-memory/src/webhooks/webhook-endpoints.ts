import type { WebhookEndpointStore } from '@colloquy/core/store'
import { behind } from '../order.ts'
import type { OutboxKeeper } from '../outbox.ts'
import type { HeldWebhooks } from './held-webhooks.ts'

/** Webhook endpoints. Every method runs without a pause. */
export function endpointMethods(
  { endpoints, events, endpointsOf }: HeldWebhooks,
  keeper: OutboxKeeper,
): WebhookEndpointStore {
  return {
    async create(endpoint, limit, outbox) {
      if (endpoints.has(endpoint.id)) return 'taken'
      if (endpointsOf(endpoint.accountId).length >= limit) return 'full'
      endpoints.set(endpoint.id, endpoint)
      keeper.keep(outbox)
      return 'created'
    },
    async find(accountId, id) {
      const endpoint = endpoints.get(id)
      return endpoint?.accountId === accountId ? endpoint : null
    },
    async list(accountId, { enabled, eventType, ...place }, limit) {
      const wanted = endpointsOf(accountId).filter(endpoint => {
        if (enabled !== undefined && endpoint.enabled !== enabled) return false
        return eventType === undefined || endpoint.eventTypes.includes(eventType)
      })
      return behind(wanted, place).slice(0, limit)
    },
    async update(expectedVersion, next, outbox) {
      if (endpoints.get(next.id)?.version !== expectedVersion) return 'stale'
      endpoints.set(next.id, next)
      keeper.keep(outbox)
      return 'written'
    },
    async delete(accountId, id, outbox) {
      if (endpoints.get(id)?.accountId !== accountId) return false
      for (const { deliveries } of events.values()) deliveries.delete(id)
      keeper.keep(outbox)
      return endpoints.delete(id)
    },
  }
}
