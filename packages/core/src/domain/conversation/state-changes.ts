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
  let tooMuch = false
  const changes = changedFields(base, state, (name, value, before) => {
    if (value === null || !FILLED.has(name)) return false
    const text = JSON.stringify(value)
    if (text === JSON.stringify(before)) return true
    tooMuch ||= text.length > MOST_CHARACTERS
    return false
  })
  if (tooMuch) return null
  const { record } = changes
  return record === undefined
    ? changes
    : Object.assign(changes, { record: changedFields(base.record, record, () => false) })
}

/**
 * Reads the values as lists: one by one, by their names, takes V8 three times as long. A field that was not changed is
 * never set: to delete it later, and then to copy the object, doubles what it takes to build it and write it as JSON.
 *
 * @param isSame for fields whose values are different objects
 */
function changedFields<Fields extends object>(
  base: Fields,
  fields: Fields,
  isSame: (name: string, value: unknown, before: unknown) => boolean,
): Changed<Fields> {
  const changed: Changed<Fields> = {}
  const values: readonly unknown[] = Object.values(fields)
  const namesBefore = Object.keys(base)
  const valuesBefore: readonly unknown[] = Object.values(base)
  let index = 0
  for (const name in fields) {
    const value = values[index]
    const before = namesBefore[index] === name ? valuesBefore[index] : base[name]
    index++
    if (value === before || (isEmpty(value) && isEmpty(before)) || isSame(name, value, before)) continue
    changed[name] = fields[name]
  }
  return changed
}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0

/** The state that differs from `base` by these changes. */
export const withChanges = (base: StoredState, changes: StateChanges | null): StoredState =>
  changes === null ? base : { ...base, ...changes, record: { ...base.record, ...changes.record } }
