import type { AlertRule } from '../../domain/alert/alert-rule.ts'
import type { AlertRuleChange, NewAlertRule } from '../../domain/alert/schemas.ts'
import type { Caller } from '../../domain/audit/audit.ts'
import type { AccountId, AlertRuleId } from '../../domain/ids.ts'
import { type Acting, actingIn, type Context } from '../context.ts'
import type { PartCalls } from '../shared/acts.ts'
import { type AlertRuleQuery, createRule, deleteRule, findRule, listRules, updateRule } from './rules.ts'

/**
 * An account's alert rules (contract/alerts.md). Every call about a rule throws ALERT_RULE_NOT_FOUND when the account
 * has no rule with that id.
 */
export interface Alerts {
  /**
   * Adds a rule; it is `unknown` until it is evaluated.
   * @param accountId id or slug
   * @throws ACCOUNT_NOT_FOUND, PROJECT_NOT_FOUND, SCHEMA_VALIDATION_FAILED
   * @throws ALERT_RULE_LIMIT when the account has `Settings.alerts.rules` of them
   */
  createRule(accountId: string, input: NewAlertRule): Promise<AlertRule>
  /** Oldest first. Rules whose state is `alert` are the account's active alerts. */
  rules(accountId: AccountId, query?: AlertRuleQuery): Promise<readonly AlertRule[]>
  /** A rule of the account. @throws ALERT_RULE_NOT_FOUND */
  rule(accountId: AccountId, id: AlertRuleId): Promise<AlertRule>
  /**
   * Missing fields stay as they are. A change of what the rule means sets its state to `unknown`, and so does enabling
   * it.
   * @throws PROJECT_NOT_FOUND, SCHEMA_VALIDATION_FAILED
   */
  updateRule(accountId: AccountId, id: AlertRuleId, change: AlertRuleChange): Promise<AlertRule>
  /** Removes it. */
  deleteRule(accountId: AccountId, id: AlertRuleId): Promise<void>
}

/** The calls of alerts, not bound to a caller yet: those that change a rule record their caller. */
export type AlertsCalls = PartCalls<Alerts, 'createRule' | 'updateRule' | 'deleteRule'>

/** Binds the use cases of alerts to a context. */
export function createAlerts(context: Context): AlertsCalls {
  const by = (caller: Caller): Acting => actingIn(context, caller)
  return {
    acts: {
      createRule: (caller, accountId, input) => createRule(by(caller), accountId, input),
      updateRule: (caller, accountId, id, change) => updateRule(by(caller), accountId, id, change),
      deleteRule: (caller, accountId, id) => deleteRule(by(caller), accountId, id),
    },
    common: {
      rules: (accountId, query = {}) => listRules(context, accountId, query),
      rule: (accountId, id) => findRule(context, accountId, id),
    },
  }
}
