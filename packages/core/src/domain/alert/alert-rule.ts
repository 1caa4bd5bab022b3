import type { AccountId, AgentId, AlertRuleId } from '../ids.ts'

/** What a rule watches (contract/alerts.md, Metrics). Latencies are in milliseconds, the others count. */
export const ALERT_METRICS = [
  'turn_latency_p50',
  'turn_latency_p95',
  'api_errors',
  'function_errors',
  'call_crashes',
  'call_volume',
] as const
export type AlertMetric = (typeof ALERT_METRICS)[number]

/** How a metric is compared with the threshold. */
export const ALERT_OPERATORS = ['>', '<', '>=', '<='] as const
export type AlertOperator = (typeof ALERT_OPERATORS)[number]

/** How long a window is, each with its milliseconds. A window ends when it is evaluated. */
export const ALERT_WINDOWS = { '5m': 300_000, '10m': 600_000, '60m': 3_600_000 } as const
export type AlertWindow = keyof typeof ALERT_WINDOWS

/**
 * How a rule stands: `unknown` until it is evaluated for the first time, and again after a change of what it means;
 * `no_data` when the window holds nothing to measure.
 */
export const ALERT_STATES = ['ok', 'alert', 'no_data', 'unknown'] as const
export type AlertState = (typeof ALERT_STATES)[number]

/** What a person sets of a rule. */
export interface AlertRuleSettings {
  /** For people. */
  readonly name: string
  /** Null: the whole account. */
  readonly agentId: AgentId | null
  readonly metric: AlertMetric
  readonly operator: AlertOperator
  readonly threshold: number
  readonly window: AlertWindow
  /** False: keeps its last state, and is not evaluated. */
  readonly enabled: boolean
}

/** A rule with what its evaluations have found. Times are milliseconds since the epoch. */
export interface AlertRule extends AlertRuleSettings {
  readonly id: AlertRuleId
  readonly accountId: AccountId
  readonly state: AlertState
  /** When the present state began; null while it is `unknown`. */
  readonly since: number | null
  /** Null until the first evaluation. */
  readonly lastEvaluatedAt: number | null
  /** What the last evaluation has measured; null when there was nothing to measure. */
  readonly currentValue: number | null
  /** Grows by one with every write. */
  readonly version: number
  readonly createdAt: number
  /** When its settings were changed last: evaluations do not count. */
  readonly updatedAt: number
}
