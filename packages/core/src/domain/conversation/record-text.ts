import { type Brand, brandedDuration, withBrandedField } from '../brand.ts'
import { isJsonArray, type Json, type JsonObject } from '../json.ts'
import { jsonOf } from '../stored-json.ts'
import type { RecordJson, TurnJson } from './record.ts'

/** `{a}` and `{b}` and … as the text of one object's fields, a comma behind each. */
const fieldsOf = (...objects: readonly string[]): string =>
  objects
    .map(object => object.slice(1, -1))
    .filter(fields => fields !== '')
    .map(fields => `${fields},`)
    .join('')

/**
 * A record as JSON text up to its turns. Those of v1 and v3 are put together from the stored texts, without parsing
 * them.
 */
export type RecordBeginning = (json: Pick<RecordJson, 'summary' | 'details' | 'turnEvents'>) => string

/**
 * Returns the field with the word of a host's brand beside `ai_duration`. Without a brand the texts stay as they are.
 */
export function brandedRecord(brand: Brand, beginning: RecordBeginning): RecordBeginning {
  const name = brandedDuration(brand, '_duration')
  if (name === 'ai_duration') return beginning
  return ({ summary, ...json }) =>
    beginning({ ...json, summary: jsonOf({ ...withBrandedField(summary.value, 'ai_duration', name) }) })
}

/** Returns a turn's record without its latency. */
export function withoutLatency({ latency: _, ...record }: JsonObject): string {
  return JSON.stringify(record)
}

/** A v1 record up to its turns; with them, and `}`, it is whole. */
export const v1RecordBeginning: RecordBeginning = ({ summary }) => `{${fieldsOf(summary.text)}"turns":`

/** A v3 record up to its turns: the v1 record and the details (contract/conversations.md). */
export const v3RecordBeginning: RecordBeginning = ({ summary, details }) =>
  `{${fieldsOf(summary.text, details.text)}"turns":`

/** A v3 record up to the items of `function_events`, which stand before its turns. */
export const beforeFunctionEvents: RecordBeginning = ({ summary, details }) =>
  `{${fieldsOf(summary.text, details.text)}"function_events":[`

/** Returns the function calls that a turn's details hold. */
export function functionEventsOf({ details }: Pick<TurnJson, 'details'>): readonly Json[] {
  const { function_events: events } = details.value
  return isJsonArray(events) ? events : []
}

/** Returns the record with `function_events` among its details: the calls of its turns, in order. */
export const addFunctionEvents = (record: RecordJson, turns: readonly TurnJson[]): RecordJson => ({
  ...record,
  turnEvents: turns.map(functionEventsOf),
  details: jsonOf({ ...record.details.value, function_events: turns.flatMap(functionEventsOf) }),
})
