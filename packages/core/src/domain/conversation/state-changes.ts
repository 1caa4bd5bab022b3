import { type ChangedFields, changedFields } from './changed-fields.ts'
import type { ConversationState, RecordFacts } from './state.ts'

/** The fields of a state that differ from an earlier state of the conversation; those of `record` one by one. */
export type StateChanges = Partial<Omit<ConversationState, 'record'>> & {
  readonly record?: Partial<RecordFacts>
}

/**
 * The most characters of JSON that a field without a fixed size may have among the changes. A longer one is written
 * once, with the whole state, and not again whenever another field changes.
 */
const MOST_CHARACTERS = 512

/**
 * What differs in `state` from `base`, an earlier state of the conversation; null when that is too much, so that the
 * state should be written whole (EN52). States are never changed in place, so the same object is the same value.
 */
export function stateChanges(base: ConversationState, state: ConversationState): StateChanges | null {
  const changes = changedFields(base, state)
  return isTooMuch(changes) ? null : changes
}

const isTooMuch = (changes: ChangedFields): boolean =>
  isLong(changes.variables) ||
  isLong(changes.metrics) ||
  isLong(changes.integrationAttributes) ||
  isLong(changes.verifiedContext) ||
  isLong(changes.setAttributes) ||
  isLong(changes.pending) ||
  isLong(changes.deliveries) ||
  isLong(changes.awaiting) ||
  isLong(changes.failure) ||
  isLong(changes.handedOff)

const isLong = (value: object | null | undefined): boolean =>
  value !== undefined && value !== null && JSON.stringify(value).length > MOST_CHARACTERS

/** The state that differs from `base` by these changes. */
export const withChanges = (base: ConversationState, changes: StateChanges | null): ConversationState =>
  changes === null ? base : { ...base, ...changes, record: { ...base.record, ...changes.record } }
