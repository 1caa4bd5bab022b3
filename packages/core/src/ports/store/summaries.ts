import type { HandoffSummary } from '../../domain/conversation/summary.ts'
import type { HandoffId } from '../../domain/ids.ts'

/**
 * Summaries of conversations for live agents. Every method reads or writes at one instant; values are copied in and
 * out. A store decides no rule. Removing a conversation removes its summaries at the same instant.
 */
export interface SummaryStore {
  /** Null when there is none for that handoff. */
  find(id: HandoffId): Promise<HandoffSummary | null>
  /**
   * Writes the summary whole. Of two writers with the same expected version one wins; 0 for one that is not there yet.
   * `stale` when there is another version. `missing` when the account has no such conversation. Nothing was written
   * then.
   */
  save(summary: HandoffSummary, expectedVersion: number): Promise<'saved' | 'stale' | 'missing'>
  /** Summaries whose `dueAt` is not after `now`, earliest first, at most `limit`. */
  due(now: number, limit: number): Promise<readonly HandoffSummary[]>
  /** The earliest `dueAt`; null if none is due. */
  nextDue(): Promise<number | null>
}
