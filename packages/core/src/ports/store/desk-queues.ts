import type { QueueAssignment } from '../../domain/conversation/assignment.ts'
import type { DeskQueue } from '../../domain/conversation/queue-hours.ts'
import type { AccountId } from '../../domain/ids.ts'
import type { Outbox } from './outbox.ts'

/**
 * Values of the queues of accounts, one for each queue. Every method reads or writes at one instant; values are copied
 * in and out. An `outbox` is kept with the write (see `Outbox`).
 */
export interface PerQueueStore<Value> {
  /** Null when the queue has no value. */
  find(accountId: AccountId, queueName: string): Promise<Value | null>
  /** The values of all queues of the account, by the code points of the names of their queues. */
  list(accountId: AccountId): Promise<readonly Value[]>
  /**
   * Writes the value whole. Of two writers with the same expected version one wins; 0 for a queue that has none yet.
   * `full` when a new one would be more than `most`.
   */
  save(
    value: Value,
    expectedVersion: number,
    most: number,
    outbox?: Outbox,
  ): Promise<'saved' | 'stale' | 'full'>
  /** False when the queue has no value. */
  remove(accountId: AccountId, queueName: string, outbox?: Outbox): Promise<boolean>
}

/** Hours of the queues of accounts. */
export type DeskQueueStore = PerQueueStore<DeskQueue>

/** Assignments of the visitors of queues to live agents. */
export type QueueAssignmentStore = PerQueueStore<QueueAssignment>
