import type { WebhookEndpointStore } from '@colloquy/core/store'
import { behind } from '../database/created-order.ts'
import { isViolated } from '../database/failure.ts'
import { mapped } from '../database/mapped.ts'
import { outboxOf } from '../outbox/outbox-keeper.ts'
import { fromEndpoint, toEndpoint } from './webhook-rows.ts'
import type { WebhookStatements } from './webhook-statements.ts'

/** Webhook endpoints in PostgreSQL. */
export function endpointMethods(run: WebhookStatements): WebhookEndpointStore {
  return {
    async create(endpoint, limit, outbox) {
      try {
        const added = await run.insertEndpoint.get({ ...fromEndpoint(endpoint), limit, ...outboxOf(outbox) })
        if (added?.done) return 'created'
        return added?.taken ? 'taken' : 'full'
      } catch (error) {
        // Another one took the id in between.
        if (isViolated(error, '23505')) return 'taken'
        throw error
      }
    },
    find: async (accountId, id) => mapped(await run.endpoint.get({ accountId, id }), toEndpoint),
    async list(accountId, { enabled = null, eventType = null, ...place }, limit) {
      const rows = await run.endpoints.all({ accountId, enabled, eventType, ...behind(place, limit) })
      return rows.map(toEndpoint)
    },
    async update(expectedVersion, next, outbox) {
      const row = { ...fromEndpoint(next), expectedVersion }
      const changed = await run.updateEndpoint.get({ ...row, ...outboxOf(outbox) })
      return changed?.done ? 'written' : 'stale'
    },
    async delete(accountId, id, outbox) {
      return (await run.deleteEndpoint.get({ accountId, id, ...outboxOf(outbox) }))?.done ?? false
    },
  }
}
