import type { DeskSeat } from '../../domain/conversation/desk-seat.ts'
import type { AccountId } from '../../domain/ids.ts'

/**
 * Seats of those who watch the desks of accounts. Every method reads or writes at one instant. Values are copied in and
 * out.
 */
export interface DeskSeatStore {
  /**
   * Stores a seat, and replaces the one of its id. Removes at most 20 of the account's other seats that ended before
   * `at`, the first ones first.
   */
  keep(seat: DeskSeat, at: number): Promise<void>
  /** The account's seats that end after `at`: what ends first comes first, then by the code points of the id. */
  list(accountId: AccountId, at: number, limit: number): Promise<readonly DeskSeat[]>
  /** Removes a seat. Without an effect when it is not there. */
  remove(id: string): Promise<void>
}
