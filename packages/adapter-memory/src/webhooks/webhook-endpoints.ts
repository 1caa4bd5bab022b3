import type { WebhookEndpointStore } from '@colloquy/core/store'
import type { AuditTrail } from '../audit.ts'
import { behind } from '../order.ts'
import type { HeldWebhooks } from './held-webhooks.ts'

/** Webhook endpoints. Every method runs without a pause. */
export function endpointMethods(
  { endpoints, events, endpointsOf }: HeldWebhooks,
  trail: AuditTrail,
): WebhookEndpointStore {
  return {
    async create(endpoint, limit, entry) {
      if (endpoints.has(endpoint.id)) return 'taken'
      if (endpointsOf(endpoint.accountId).length >= limit) return 'full'
      endpoints.set(endpoint.id, endpoint)
      trail.keep(entry)
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
    async update(expectedVersion, next, entry) {
      if (endpoints.get(next.id)?.version !== expectedVersion) return 'stale'
      endpoints.set(next.id, next)
      trail.keep(entry)
      return 'written'
    },
    async delete(accountId, id, entry) {
      if (endpoints.get(id)?.accountId !== accountId) return false
      for (const { deliveries } of events.values()) deliveries.delete(id)
      trail.keep(entry)
      return endpoints.delete(id)
    },
  }
}
