import type { StoredTurn } from '../conversation/record.ts'
import { type ConversationState, isGenuine } from '../conversation/state.ts'
import type { AccountId, AgentId, DeploymentId } from '../ids.ts'
import { parseIsoTime } from '../time.ts'
import type { AlertMetric } from './alert-rule.ts'

/** Milliseconds of a minute. */
export const MINUTE = 60_000

/** The names of the counters. `turn_latency` counts turns by their latency. The others have no value. */
export const COUNTER_NAMES = [
  'turn_latency',
  'api_errors',
  'function_errors',
  'call_crashes',
  'call_volume',
] as const
export type CounterName = (typeof COUNTER_NAMES)[number]

/** The count of something within a minute. */
export interface Count {
  readonly accountId: AccountId
  /** Null for what concerns no agent in particular. */
  readonly agentId: AgentId | null
  readonly name: CounterName
  /** The beginning of the minute, milliseconds since the epoch. */
  readonly minute: number
  /** The measured value, in whole milliseconds. 0 for counters without a value. */
  readonly value: number
  readonly count: number
  /** The deployment that gave a turn. Missing for what is of no turn. */
  readonly deploymentId?: DeploymentId
}

/** The count of a value. */
export interface ValueCount {
  readonly value: number
  readonly count: number
}

/** The count of a value, of one deployment where it is of turns. Older counts have none. */
export type SideCount = ValueCount & Pick<Count, 'deploymentId'>

/** Returns the beginning of the minute in which a moment lies. */
export const minuteOf = (at: number): number => Math.floor(at / MINUTE) * MINUTE

/**
 * Returns the first minute of a window that ends now: windows hold the minutes that began within them, the present one
 * included, and so never anything older than they are.
 */
export const firstMinute = (now: number, window: number): number => minuteOf(now - window - 1) + MINUTE

/** Values up to here are counted as they are; above it in steps that are at most a thousandth of the value. */
const EXACT = 2_048

/**
 * Returns a measured value as it is counted: whole, and from 2,048 on rounded to the nearest step, so that a minute has
 * a bounded number of different ones.
 */
export function countedValue(measured: number): number {
  const value = Math.max(0, Math.round(measured))
  if (value < EXACT) return value
  const step = 2 ** (Math.floor(Math.log2(value)) - 10)
  return Math.round(value / step) * step
}

/** Returns the counter from which a metric is read. */
export const counterOf = (metric: AlertMetric): CounterName =>
  metric === 'turn_latency_p50' || metric === 'turn_latency_p95' ? 'turn_latency' : metric

/** Debug chats, tests and recorded conversations of sandbox count in nothing. */
const isCounted = ({ kind, environment }: Pick<ConversationState, 'kind' | 'environment'>): boolean =>
  isGenuine(kind) && !(kind === 'recorded' && environment === 'sandbox')

type Whose = Pick<ConversationState, 'kind' | 'environment' | 'accountId' | 'agentId'>

/** Returns the counts of a turn, in the minute of its answer. */
function countsOfTurn(whose: Whose, { record, details }: StoredTurn, now: number): Count[] {
  const { accountId, agentId, kind } = whose
  const { agent_response_datetime: answered, latency } = record
  const { deployment_id: ran, error, input_type: inputType, function_events: calls } = details
  const side = typeof ran === 'string' && ran !== '' ? { deploymentId: ran } : {}
  const counts: Count[] = []
  // Hosts record what was long ago; all other turns were answered just now.
  const at = kind === 'recorded' && typeof answered === 'string' ? parseIsoTime(answered) : now
  const minute = minuteOf(at ?? now)
  const failedCalls = Array.isArray(calls) ? calls.filter(hasError).length : 0
  const add = (name: CounterName, count: number, value = 0): void => {
    if (count > 0) counts.push({ accountId, agentId, ...side, name, minute, value, count })
  }
  const failed = error !== undefined
  add('function_errors', failedCalls)
  add('call_crashes', failed ? 1 : 0)
  if (!failed && inputType !== 'greeting' && typeof latency === 'number')
    add('turn_latency', 1, countedValue(latency * 1000))
  return counts
}

/** True for a call of a function that has failed. */
function hasError(call: unknown): boolean {
  if (typeof call !== 'object' || call === null || !('error' in call)) return false
  return call.error !== null && call.error !== undefined && call.error !== '' && call.error !== false
}

/** Returns the counts of turns that were written just now. */
export const countsOfTurns = (whose: Whose, turns: readonly StoredTurn[], now: number): readonly Count[] =>
  isCounted(whose) ? turns.flatMap(turn => countsOfTurn(whose, turn, now)) : []

/** Returns the counts of the start of a conversation. */
export function countsOfStart(conversation: Whose & Pick<ConversationState, 'startedAt'>): readonly Count[] {
  if (!isCounted(conversation)) return []
  const { accountId, agentId, startedAt } = conversation
  return [{ accountId, agentId, name: 'call_volume', minute: minuteOf(startedAt), value: 0, count: 1 }]
}

/**
 * Returns the smallest counted value that at least the given share of all counted values does not exceed; null of none.
 */
export function percentile(values: readonly ValueCount[], share: number): number | null {
  const ascending = [...values].sort((one, other) => one.value - other.value)
  const total = ascending.reduce((sum, { count }) => sum + count, 0)
  const rank = Math.max(1, Math.ceil(total * share))
  let passed = 0
  for (const { value, count } of ascending) {
    passed += count
    if (passed >= rank) return value
  }
  return null
}

/** Returns the value of a metric. Returns null for the latency of a window without turns. */
export function figureOf(metric: AlertMetric, values: readonly ValueCount[]): number | null {
  if (metric === 'turn_latency_p50') return percentile(values, 0.5)
  if (metric === 'turn_latency_p95') return percentile(values, 0.95)
  return values.reduce((sum, { count }) => sum + count, 0)
}
