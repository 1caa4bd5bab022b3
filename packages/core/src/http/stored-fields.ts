import type { ConversationState } from '../domain/conversation/state.ts'
import type { JsonObject } from '../domain/json.ts'

// Fields of stored JSON as the contract types them: what was not kept is empty.

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const isText = (value: unknown): value is string => typeof value === 'string'

export const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter(isText) : []

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const objectOf = (value: unknown): JsonObject | null => (isObject(value) ? value : null)

export const objectsOf = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : []

type Metric = ConversationState['metrics'][string]

const isMetric = (value: unknown): value is Metric =>
  isText(value) || (Array.isArray(value) && value.every(isText))

/** Metrics, or null if none were kept. */
export function metricsOf(value: unknown): ConversationState['metrics'] | null {
  if (!isObject(value)) return null
  const entries = Object.entries(value).filter((entry): entry is [string, Metric] => isMetric(entry[1]))
  return Object.fromEntries(entries)
}
