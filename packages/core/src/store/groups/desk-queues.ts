import type { PerQueueStore } from '../../ports/store/desk-queues.ts'
import type { Kind } from '../documents.ts'
import { absent, type Guarded, unchanged } from '../guarded.ts'
import { idOf } from '../kind-parts.ts'

/** Values of the queues of accounts, one document for each queue. */
export const perQueue = <
  Value extends { readonly accountId: string; readonly queueName: string; readonly version: number },
>(
  kind: Kind<Value>,
  { decided, one, scan }: Guarded,
): PerQueueStore<Value> => ({
  find: (accountId, queueName) => one(kind, idOf(accountId, queueName)),
  list: accountId => scan(kind, 'account', { prefix: [accountId] }),
  save: (value, expectedVersion, most, outbox) =>
    decided<'saved' | 'stale' | 'full'>(async () => {
      const id = kind.id(value)
      const known = await one(kind, id)
      if ((known?.version ?? 0) !== expectedVersion) return { result: 'stale' }
      const room = { kind, index: 'account', prefix: [value.accountId], atMost: most - 1 }
      return {
        when: known === null ? [room, absent(kind, id)] : [unchanged(kind, known)],
        put: [{ kind, value }],
        outbox,
        result: 'saved',
        refused: place => (known === null && place === 0 ? 'full' : undefined),
      }
    }),
  remove: (accountId, queueName, outbox) =>
    decided(async () => {
      const known = await one(kind, idOf(accountId, queueName))
      if (known === null) return { result: false }
      const remove = [{ kind, id: kind.id(known) }]
      return { when: [unchanged(kind, known)], remove, outbox, result: true }
    }),
})
