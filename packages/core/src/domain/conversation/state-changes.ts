import type { ConversationState, RecordFacts } from './state.ts'
import type { StoredState } from './stored-state.ts'

/** The fields of a state that differ from an earlier state of the conversation; those of `record` one by one. */
export type StateChanges = Partial<Omit<ConversationState, 'record'>> & {
  readonly record?: Partial<RecordFacts>
}

type Changed<Fields> = { -readonly [Name in keyof Fields]?: Fields[Name] }

/** Fields without a fixed size, which are often new objects of the same content. */
const FILLED = [
  'variables',
  'metrics',
  'integrationAttributes',
  'verifiedContext',
  'setAttributes',
  'pending',
  'deliveries',
  'awaiting',
  'failure',
  'handedOff',
] as const

/**
 * The most characters of JSON that one of these may have among the changes. A longer one is written once, with the
 * whole state, and not again whenever another field changes.
 */
const MOST_CHARACTERS = 512

/**
 * What differs in `state` from `base`, an earlier state of the conversation; null when that is too much, so that the
 * state should be written whole (EN52). States are never changed in place, so the same object is the same value.
 */
export function stateChanges(base: ConversationState, state: ConversationState): StateChanges | null {
  const changes = changedFields(base, state)
  for (const name of FILLED) {
    const value = changes[name]
    if (value === undefined || value === null) continue
    const text = JSON.stringify(value)
    if (text === JSON.stringify(base[name])) delete changes[name]
    else if (text.length > MOST_CHARACTERS) return null
  }
  return changes.record === undefined
    ? changes
    : { ...changes, record: changedFields(base.record, changes.record) }
}

function changedFields<Fields extends object>(base: Fields, fields: Fields): Changed<Fields> {
  const changed: Changed<Fields> = {}
  for (const name in fields) {
    const value = fields[name]
    if (value !== base[name] && !(isEmpty(value) && isEmpty(base[name]))) changed[name] = value
  }
  return changed
}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0

/** The state that differs from `base` by these changes. */
export const withChanges = (base: StoredState, changes: StateChanges | null): StoredState =>
  changes === null ? base : { ...base, ...changes, record: { ...base.record, ...changes.record } }
