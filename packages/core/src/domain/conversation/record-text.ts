import type { RecordText, StoredTurn } from './record.ts'

/** `{a}` and `{b}` and … as one object's text; empty objects leave no trace. */
const joinObjects = (...objects: readonly string[]): string =>
  `{${objects
    .map(object => object.slice(1, -1))
    .filter(fields => fields !== '')
    .join(',')}}`

/** A v1 record as JSON text, put together from what is kept without parsing it. */
export const v1RecordText = (text: RecordText): string => joinObjects(text.summary, `{"turns":${text.turns}}`)

/** A v3 record as JSON text: the v1 record and the details (decisions.md section 5). */
export const v3RecordText = (text: RecordText): string =>
  joinObjects(text.summary, text.details, `{"turns":${text.turns}}`)

/** The record with `function_events` among its details: the calls that its turns' details hold, in order. */
export function addFunctionEvents(text: RecordText, turns: readonly StoredTurn[]): RecordText {
  const events = turns.flatMap(({ details }) =>
    Array.isArray(details.function_events) ? details.function_events : [],
  )
  return { ...text, details: joinObjects(text.details, JSON.stringify({ function_events: events })) }
}
