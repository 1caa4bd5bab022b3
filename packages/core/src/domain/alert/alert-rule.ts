import type { AccountId, AgentId, AlertRuleId, DeploymentId } from '../ids.ts'

/**
 * The metrics that a rule can watch (contract/alerts.md, Metrics). Latencies are in milliseconds, the others are
 * counts.
 */
export const ALERT_METRICS = [
  'turn_latency_p50',
  'turn_latency_p95',
  'api_errors',
  'function_errors',
  'call_crashes',
  'call_volume',
] as const
export type AlertMetric = (typeof ALERT_METRICS)[number]

/** The metrics of turns: a deployment gave each of them. Conversations start before one is chosen for them. */
export const TURN_METRICS: readonly AlertMetric[] = [
  ...(['turn_latency_p50', 'turn_latency_p95', 'function_errors', 'call_crashes'] as const),
]

/** The comparisons of a metric with the threshold. */
export const ALERT_OPERATORS = ['>', '<', '>=', '<='] as const
export type AlertOperator = (typeof ALERT_OPERATORS)[number]

/** The lengths of windows, in milliseconds. A window ends at the time of the evaluation. */
export const ALERT_WINDOWS = { '5m': 300_000, '10m': 600_000, '60m': 3_600_000 } as const
export type AlertWindow = keyof typeof ALERT_WINDOWS

/**
 * The states of a rule. `unknown`: not evaluated yet, or its meaning was changed since. `no_data`: the window has
 * nothing to measure.
 */
export const ALERT_STATES = ['ok', 'alert', 'no_data', 'unknown'] as const
export type AlertState = (typeof ALERT_STATES)[number]

/** The settings of a rule. */
export interface AlertRuleSettings {
  /** For people. */
  readonly name: string
  /** Null: the whole account. */
  readonly agentId: AgentId | null
  /** Only turns that this deployment of the agent gave, such as a side of a rollout. Null or missing: of all. */
  readonly deploymentId?: DeploymentId | null
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
  /** The beginning of the present state. Null while it is `unknown`. */
  readonly since: number | null
  /** Null until the first evaluation. */
  readonly lastEvaluatedAt: number | null
  /** The value that the last evaluation measured. Null if there was nothing to measure. */
  readonly currentValue: number | null
  /** Grows by one with every write. */
  readonly version: number
  readonly createdAt: number
  /** The time of the last change of its settings. Evaluations do not count. */
  readonly updatedAt: number
}
