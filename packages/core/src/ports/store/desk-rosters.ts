import type { DeskOutcome } from '../../domain/conversation/desk-outcome.ts'
import type { DeskRoster } from '../../domain/conversation/desk-roster.ts'
import type { AccountId } from '../../domain/ids.ts'

/** Rosters of the desks of accounts. Every method reads or writes at one instant; values are copied in and out. */
export interface DeskRosterStore {
  /** Null when the account has none yet. */
  find(accountId: AccountId): Promise<DeskRoster | null>
  /**
   * Writes the roster whole. Of two writers with the same expected version one wins; 0 for one that is new. An outcome
   * is written with it, if the account still has its conversation.
   */
  save(roster: DeskRoster, expectedVersion: number, outcome?: DeskOutcome): Promise<boolean>
  /** The rosters with offers, the one whose next offer ends first coming first; at most `limit`. */
  withOffers(limit: number): Promise<readonly DeskRoster[]>
}
