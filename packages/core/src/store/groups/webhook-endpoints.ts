import type { WebhookEndpointStore } from '../../ports/store/webhook-endpoints.ts'
import { absent, type Guarded, unchanged } from '../guarded.ts'
import { WEBHOOK_DELIVERY, WEBHOOK_ENDPOINT } from '../kinds.ts'

/** Webhook endpoints. */
export const webhookEndpointsOver = ({
  decided,
  one,
  save,
  scanFor,
  write,
}: Guarded): WebhookEndpointStore => ({
  async create(endpoint, limit, outbox) {
    const { accountId, id } = endpoint
    const room = { kind: WEBHOOK_ENDPOINT, index: 'account', prefix: [accountId], atMost: limit - 1 }
    const refused = await write({
      when: [absent(WEBHOOK_ENDPOINT, id), room],
      put: [{ kind: WEBHOOK_ENDPOINT, value: endpoint }],
      outbox,
    })
    return refused === null ? 'created' : refused === 0 ? 'taken' : 'full'
  },
  async find(accountId, id) {
    const endpoint = await one(WEBHOOK_ENDPOINT, id)
    return endpoint?.accountId === accountId ? endpoint : null
  },
  list: (accountId, { after, enabled, eventType }, limit) =>
    scanFor(
      WEBHOOK_ENDPOINT,
      'account',
      { prefix: [accountId], after: after && [after.createdAt, after.id], limit },
      endpoint =>
        (enabled ?? endpoint.enabled) === endpoint.enabled &&
        (eventType === undefined || endpoint.eventTypes.includes(eventType)),
    ),
  update: async (expectedVersion, next, outbox) =>
    (await save(WEBHOOK_ENDPOINT, next, expectedVersion, outbox)) ? 'written' : 'stale',
  delete: (accountId, id, outbox) =>
    decided(async () => {
      const endpoint = await one(WEBHOOK_ENDPOINT, id)
      if (endpoint?.accountId !== accountId) return { result: false }
      return {
        when: [unchanged(WEBHOOK_ENDPOINT, endpoint)],
        clear: [{ kind: WEBHOOK_DELIVERY, index: 'endpoint', prefix: [id] }],
        remove: [{ kind: WEBHOOK_ENDPOINT, id }],
        outbox,
        result: true,
      }
    }),
})
