import type { AlertRule } from '../../domain/alert/alert-rule.ts'
import type { AccountId, AlertRuleId } from '../../domain/ids.ts'
import type { Outbox } from './outbox.ts'

/**
 * Alert rules. Every method reads or writes at one instant; values are copied in and out. A store decides no rule. An
 * `outbox` is kept with the write (see `Outbox`).
 */
export interface AlertRuleStore {
  /** `full` when the account has `limit` rules or more, `taken` when the id exists; nothing is written then. */
  create(rule: AlertRule, limit: number, outbox?: Outbox): Promise<'created' | 'full' | 'taken'>
  /** Null when the account has no rule of that id. */
  find(accountId: AccountId, id: AlertRuleId): Promise<AlertRule | null>
  /** Returns all rules of the account: oldest first, then by the code points of the id. */
  list(accountId: AccountId): Promise<readonly AlertRule[]>
  /** Replaces the rule. Of two writers with the same expected version one wins; `stale` also when it is not there. */
  update(expectedVersion: number, next: AlertRule, outbox?: Outbox): Promise<'written' | 'stale'>
  /** Removes the rule if it has that version. `stale` also when the account has no rule of that id. */
  delete(
    accountId: AccountId,
    id: AlertRuleId,
    expectedVersion: number,
    outbox?: Outbox,
  ): Promise<'deleted' | 'stale'>
  /**
   * Claims the rules of whole accounts until `until`, to evaluate them: those of accounts that have an enabled rule and
   * whose claim has expired at `now`, or lies beyond `claimReach`. In no particular order. Each account goes to one of
   * several callers.
   */
  claimAccounts(now: number, until: number): Promise<readonly AccountId[]>
  /** Returns the earliest end of an account's claim. Returns null if no account has rules to evaluate. */
  nextDue(): Promise<number | null>
}
