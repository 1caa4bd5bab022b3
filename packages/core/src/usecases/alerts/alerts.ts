import { type CallsOf, callsWith } from '../../calls/call.ts'
import type { AlertRule } from '../../domain/alert/alert-rule.ts'
import {
  type AlertRuleChange,
  alertRuleChangeSchema,
  type NewAlertRule,
  newAlertRuleSchema,
} from '../../domain/alert/schemas.ts'
import type { AccountId, AlertRuleId } from '../../domain/ids.ts'
import type { Context } from '../context.ts'
import { accountId, id } from '../shared/arguments.ts'
import {
  type AlertRuleQuery,
  alertRuleQuerySchema,
  createRule,
  deleteRule,
  findRule,
  listRules,
  updateRule,
} from './rules.ts'

/**
 * An account's alert rules (contract/alerts.md). Every call about a rule throws ALERT_RULE_NOT_FOUND when the account
 * has no rule with that id.
 */
export interface Alerts {
  /**
   * Adds a rule; it is `unknown` until it is evaluated.
   * @param accountId id or slug
   * @throws ACCOUNT_NOT_FOUND, PROJECT_NOT_FOUND, DEPLOYMENT_NOT_FOUND, SCHEMA_VALIDATION_FAILED, ALERT_RULE_INVALID
   * @throws ALERT_RULE_LIMIT when the account has `Settings.alerts.rules` of them
   */
  createRule(accountId: string, input: NewAlertRule): Promise<AlertRule>
  /** Lists the account's rules, oldest first. Rules whose state is `alert` are the account's active alerts. */
  rules(accountId: AccountId, query?: AlertRuleQuery): Promise<readonly AlertRule[]>
  /** Returns a rule of the account. @throws ALERT_RULE_NOT_FOUND */
  rule(accountId: AccountId, id: AlertRuleId): Promise<AlertRule>
  /**
   * Changes a rule. Missing fields stay as they are. A change of the rule's meaning sets its state to `unknown`, and so
   * does enabling it.
   * @throws PROJECT_NOT_FOUND, DEPLOYMENT_NOT_FOUND, SCHEMA_VALIDATION_FAILED, ALERT_RULE_INVALID
   */
  updateRule(accountId: AccountId, id: AlertRuleId, change: AlertRuleChange): Promise<AlertRule>
  /** Removes it. */
  deleteRule(accountId: AccountId, id: AlertRuleId): Promise<void>
}

const { call, act } = callsWith<Context>()

/** The implementations of the calls about alert rules. */
export const alertCalls = {
  createRule: act(() => [accountId, newAlertRuleSchema], createRule),
  rules: call(() => [accountId, alertRuleQuerySchema], listRules),
  rule: call(() => [accountId, id], findRule),
  updateRule: act(() => [accountId, id, alertRuleChangeSchema], updateRule),
  deleteRule: act(() => [accountId, id], deleteRule),
} satisfies CallsOf<Alerts, Context>
