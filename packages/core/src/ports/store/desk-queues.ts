import type { DeskQueue } from '../../domain/conversation/queue-hours.ts'
import type { AccountId } from '../../domain/ids.ts'
import type { Outbox } from './outbox.ts'

/**
 * Hours of the queues of accounts. Every method reads or writes at one instant; values are copied in and out. An
 * `outbox` is kept with the write (see `Outbox`).
 */
export interface DeskQueueStore {
  /** Null when the queue has no hours. */
  find(accountId: AccountId, queueName: string): Promise<DeskQueue | null>
  /** All queues of the account that have hours, by the code points of their names. */
  list(accountId: AccountId): Promise<readonly DeskQueue[]>
  /**
   * Writes the hours whole. Of two writers with the same expected version one wins; 0 for a queue that has none yet.
   * `full` when a new one would be more than `most`.
   */
  save(
    queue: DeskQueue,
    expectedVersion: number,
    most: number,
    outbox?: Outbox,
  ): Promise<'saved' | 'stale' | 'full'>
  /** False when the queue has no hours. */
  remove(accountId: AccountId, queueName: string, outbox?: Outbox): Promise<boolean>
}
