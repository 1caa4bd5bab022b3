import { changedFacts, changedFields } from './changed-fields.ts'
import type { ConversationState, RecordFacts } from './state.ts'
import type { StoredState } from './stored-state.ts'

/** The fields of a state that differ from an earlier state of the conversation; those of `record` one by one. */
export type StateChanges = Partial<Omit<ConversationState, 'record'>> & {
  readonly record?: Partial<RecordFacts>
}

type Changed<Fields> = { -readonly [Name in keyof Fields]?: Fields[Name] }

/** Fields without a fixed size, which are often new objects of the same content. */
const FILLED: ReadonlySet<string> = new Set<keyof ConversationState>([
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
])

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
  const changes: Changed<StateChanges> = {}
  for (const name of changedFields(base, state)) {
    const [before, value] = [base[name], state[name]]
    if (isEmpty(value) && isEmpty(before)) continue
    if (value !== null && FILLED.has(name)) {
      const text = JSON.stringify(value)
      if (text === JSON.stringify(before)) continue
      if (text.length > MOST_CHARACTERS) return null
    }
    if (name === 'record') changes.record = recordChanges(base.record, state.record)
    else copy(changes, state, name)
  }
  return changes
}

function recordChanges(base: RecordFacts, facts: RecordFacts): Partial<RecordFacts> {
  const changes: Changed<RecordFacts> = {}
  for (const name of changedFacts(base, facts)) copy(changes, facts, name)
  return changes
}

function copy<Fields, Name extends keyof Fields>(to: Changed<Fields>, from: Fields, name: Name): void {
  to[name] = from[name]
}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0

/** The state that differs from `base` by these changes. */
export const withChanges = (base: StoredState, changes: StateChanges | null): StoredState =>
  changes === null ? base : { ...base, ...changes, record: { ...base.record, ...changes.record } }
