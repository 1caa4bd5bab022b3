import type { JsonObject } from '../json.ts'
import { isoTime } from '../time.ts'
import type { AlertOperator, AlertRule, AlertRuleSettings, AlertState } from './alert-rule.ts'

/** The events that notify a rule's account. */
export type AlertEventType = 'alerts.triggered' | 'alerts.resolved'

/** A decision about a rule: its next state, and the events that are written with it. */
export interface AlertDecision {
  readonly rule: AlertRule
  readonly event: AlertEventType | null
}

const COMPARE: Readonly<Record<AlertOperator, (value: number, threshold: number) => boolean>> = {
  '>': (value, threshold) => value > threshold,
  '<': (value, threshold) => value < threshold,
  '>=': (value, threshold) => value >= threshold,
  '<=': (value, threshold) => value <= threshold,
}

function stateOf({ operator, threshold }: AlertRuleSettings, value: number | null): AlertState {
  if (value === null) return 'no_data'
  return COMPARE[operator](value, threshold) ? 'alert' : 'ok'
}

/** Each alert that was triggered is resolved once, whatever ends it, before it is triggered again (AL12). */
function told(before: AlertState, after: AlertState): AlertEventType | null {
  if (before === after) return null
  if (after === 'alert') return 'alerts.triggered'
  return before === 'alert' ? 'alerts.resolved' : null
}

/** Returns the rule after an evaluation that has measured a value, null for nothing to measure. */
export function evaluated(rule: AlertRule, value: number | null, now: number): AlertDecision {
  const state = stateOf(rule, value)
  return {
    rule: {
      ...rule,
      state,
      since: state === rule.state ? rule.since : now,
      lastEvaluatedAt: now,
      currentValue: value,
      version: rule.version + 1,
    },
    event: told(rule.state, state),
  }
}

/** The settings that define a rule. A change of them makes the state obsolete. */
const MEANING = ['agentId', 'deploymentId', 'metric', 'operator', 'threshold', 'window'] as const

/** Reports whether the rule has to be evaluated again: its definition changed, or it was enabled. */
const isAnotherRule = (before: AlertRuleSettings, after: AlertRuleSettings): boolean =>
  MEANING.some(name => (before[name] ?? null) !== (after[name] ?? null)) || (after.enabled && !before.enabled)

/** The rule after its settings were changed. */
export function changed(rule: AlertRule, change: Partial<AlertRuleSettings>, now: number): AlertDecision {
  const next = { ...rule, ...change, version: rule.version + 1, updatedAt: now }
  if (!isAnotherRule(rule, next)) return { rule: next, event: null }
  return {
    rule: { ...next, state: 'unknown', since: null, currentValue: null },
    event: told(rule.state, 'unknown'),
  }
}

/** Returns the event of a removed rule: its alert is resolved, if it had one. */
export const ended = ({ state }: AlertRule): AlertEventType | null => told(state, 'unknown')

/** Returns what a rule watches, as clients and receivers of events know it. */
export const watchedData = (rule: AlertRule) => ({
  name: rule.name,
  project_id: rule.agentId,
  ...(rule.deploymentId && { deployment_id: rule.deploymentId }),
  metric: rule.metric,
  operator: rule.operator,
  threshold_value: rule.threshold,
  window_duration: rule.window,
})

/**
 * Returns the data of an event about a rule (contract/alerts.md, Events): its settings and the measured value.
 *
 * @param since the beginning of the state that the event reports: now
 */
export const alertData = (rule: AlertRule, since: number): JsonObject => ({
  alert_rule_id: rule.id,
  ...watchedData(rule),
  current_value: rule.currentValue,
  since: isoTime(since),
})
