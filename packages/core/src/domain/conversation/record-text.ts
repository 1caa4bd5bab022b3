import type { Json } from '../json.ts'
import type { RecordText, TurnText } from './record.ts'

/** `{a}` and `{b}` and … as the text of one object's fields, a comma behind each. */
const fieldsOf = (...objects: readonly string[]): string =>
  objects
    .map(object => object.slice(1, -1))
    .filter(fields => fields !== '')
    .map(fields => `${fields},`)
    .join('')

/**
 * A record as JSON text, but for its turns: what stands before them. Put together from what is kept without parsing it.
 */
export type RecordBeginning = (text: Pick<RecordText, 'summary' | 'details'>) => string

/** A v1 record up to its turns; with them, and `}`, it is whole. */
export const v1RecordBeginning: RecordBeginning = ({ summary }) => `{${fieldsOf(summary)}"turns":`

/** A v3 record up to its turns: the v1 record and the details (contract/conversations.md). */
export const v3RecordBeginning: RecordBeginning = ({ summary, details }) =>
  `{${fieldsOf(summary, details)}"turns":`

/** A v3 record up to the items of `function_events`, which stand before its turns. */
export const beforeFunctionEvents: RecordBeginning = ({ summary, details }) =>
  `{${fieldsOf(summary, details)}"function_events":[`

/** The function calls that a turn's details hold. */
export function functionEventsOf({ details }: Pick<TurnText, 'details'>): readonly Json[] {
  const { function_events: events }: { readonly function_events?: Json } = JSON.parse(details)
  return Array.isArray(events) ? events : []
}

/** The record with `function_events` among its details: the calls of its turns, in order. */
export function addFunctionEvents(text: RecordText, turns: readonly TurnText[]): RecordText {
  const events = JSON.stringify(turns.flatMap(functionEventsOf))
  return { ...text, details: `{${fieldsOf(text.details)}"function_events":${events}}` }
}
