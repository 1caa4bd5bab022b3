import type { WebhookEndpointStore } from '@colloquy/core/store'
import { behind } from '../database/created-order.ts'
import type { Session } from '../database/session.ts'
import type { OutboxKeeper } from '../outbox/outbox-keeper.ts'
import { flag, fromEndpoint, toEndpoint } from './webhook-rows.ts'
import type { WebhookStatements } from './webhook-statements.ts'

/** Webhook endpoints in SQLite. */
export function endpointMethods(
  { read, write }: Session,
  run: WebhookStatements,
  keeper: OutboxKeeper,
): WebhookEndpointStore {
  return {
    async create(endpoint, limit, outbox) {
      const keep = keeper.keeping(outbox)
      const row = fromEndpoint(endpoint)
      return write('create a webhook endpoint', () => {
        if (run.endpoint.get({ id: row.id }) !== undefined) return 'taken'
        if (run.insertEndpoint.run({ ...row, limit }).changes !== 1) return 'full'
        keep()
        return 'created'
      })
    },
    find: (accountId, id) =>
      read('read a webhook endpoint', () => {
        const row = run.endpoint.get({ id })
        return row?.account_id === accountId ? toEndpoint(row) : null
      }),
    list: async (accountId, { enabled, eventType = null, ...place }, limit) => {
      const wanted = enabled === undefined ? null : flag(enabled)
      const conditions = { accountId, enabled: wanted, eventType, ...behind(place, limit) }
      return read('list webhook endpoints', () => run.endpoints.all(conditions).map(toEndpoint))
    },
    async update(expectedVersion, next, outbox) {
      const keep = keeper.keeping(outbox)
      const row = fromEndpoint(next)
      return write('update a webhook endpoint', () => {
        if (run.updateEndpoint.run({ ...row, expectedVersion }).changes !== 1) return 'stale'
        keep()
        return 'written'
      })
    },
    async delete(accountId, id, outbox) {
      const keep = keeper.keeping(outbox)
      return write('delete a webhook endpoint', () => {
        if (run.deleteEndpoint.run({ accountId, id }).changes !== 1) return false
        keep()
        return true
      })
    },
  }
}
