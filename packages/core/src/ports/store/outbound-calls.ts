import type { OutboundCall } from '../../domain/call/outbound-call.ts'

/**
 * Calls that agents make. Every method reads or writes at one instant; values are copied in and out. A store decides no
 * rule. Deleting an agent deletes its calls, and removing a conversation the call of its id.
 */
export interface OutboundCallStore {
  /** Null when there is no such call. */
  find(id: string): Promise<OutboundCall | null>
  /**
   * Writes the call whole. Of two writers with the same expected version one wins; 0 for a call that is not there yet.
   * `stale` when there is another version, and nothing was written.
   */
  save(call: OutboundCall, expectedVersion: number): Promise<'saved' | 'stale'>
  /** Calls whose `dueAt` is not after `now`, earliest first, at most `limit`. */
  due(now: number, limit: number): Promise<readonly OutboundCall[]>
  /** The earliest `dueAt`; null if there is no call. */
  nextDue(): Promise<number | null>
  /** Removes the call if it has that version; false when it has not. */
  remove(id: string, expectedVersion: number): Promise<boolean>
}
