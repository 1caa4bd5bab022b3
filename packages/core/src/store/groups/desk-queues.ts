import type { DeskQueueStore } from '../../ports/store/desk-queues.ts'
import { absent, type Guarded, unchanged } from '../guarded.ts'
import { idOf } from '../kind-parts.ts'
import { DESK_QUEUE } from '../kinds.ts'

/** Hours of the queues of accounts. */
export const deskQueuesOver = ({ decided, one, scan }: Guarded): DeskQueueStore => ({
  find: (accountId, queueName) => one(DESK_QUEUE, idOf(accountId, queueName)),
  list: accountId => scan(DESK_QUEUE, 'account', { prefix: [accountId] }),
  save: (queue, expectedVersion, most, outbox) =>
    decided<'saved' | 'stale' | 'full'>(async () => {
      const id = DESK_QUEUE.id(queue)
      const known = await one(DESK_QUEUE, id)
      if ((known?.version ?? 0) !== expectedVersion) return { result: 'stale' }
      const room = { kind: DESK_QUEUE, index: 'account', prefix: [queue.accountId], atMost: most - 1 }
      return {
        when: known === null ? [room, absent(DESK_QUEUE, id)] : [unchanged(DESK_QUEUE, known)],
        put: [{ kind: DESK_QUEUE, value: queue }],
        outbox,
        result: 'saved',
        refused: place => (known === null && place === 0 ? 'full' : undefined),
      }
    }),
  remove: (accountId, queueName, outbox) =>
    decided(async () => {
      const known = await one(DESK_QUEUE, idOf(accountId, queueName))
      if (known === null) return { result: false }
      const remove = [{ kind: DESK_QUEUE, id: DESK_QUEUE.id(known) }]
      return { when: [unchanged(DESK_QUEUE, known)], remove, outbox, result: true }
    }),
})
