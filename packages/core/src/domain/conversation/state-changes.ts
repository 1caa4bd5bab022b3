import type { ConversationState, RecordFacts } from './state.ts'

/** Fields of a state with other values than before; of `record` those of its facts. */
export type StateChanges = Partial<Omit<ConversationState, 'record'>> & {
  readonly record?: Partial<RecordFacts>
}

/** Nothing has changed. */
export const NO_CHANGES: StateChanges = {}

/** Returns the state with these changes; null: as it is. */
export const withChanges = (base: ConversationState, changes: StateChanges | null): ConversationState =>
  changes === null
    ? base
    : {
        ...base,
        ...changes,
        record: changes.record === undefined ? base.record : { ...base.record, ...changes.record },
      }

/** Changes, and those that came after them. */
export function addedChanges(before: StateChanges, after: StateChanges): StateChanges {
  if (before === NO_CHANGES) return after
  const { record } = after
  return record === undefined
    ? { ...before, ...after }
    : { ...before, ...after, record: { ...before.record, ...record } }
}

/** Returns the given values that differ from those that fields have; null: none does. */
function differing<Fields extends object>(fields: Fields, given: Partial<Fields>): Partial<Fields> | null {
  let different: Partial<Fields> | null = null
  for (const name in given) {
    if (given[name] === fields[name]) continue
    different ??= {}
    different[name] = given[name]
  }
  return different
}

/** Returns those of the given values that change a state. States are immutable: the same object is the same value. */
export function changesOf(state: ConversationState, given: StateChanges): StateChanges {
  if (given.record === undefined)
    return differing<Omit<ConversationState, 'record'>>(state, given) ?? NO_CHANGES
  const { record, ...others } = given
  const facts = differing<RecordFacts>(state.record, record)
  const changes = differing<Omit<ConversationState, 'record'>>(state, others)
  return facts === null ? (changes ?? NO_CHANGES) : { ...changes, record: facts }
}

/**
 * The most characters of JSON that a field without a fixed size may have among the changes. A longer one is written
 * once, with the whole state, and not again whenever another field changes.
 */
const MOST_CHARACTERS = 512

/** Reports whether a state is better written whole than as these changes. */
export function areMany(changes: StateChanges): boolean {
  const { awaiting, deliveries, failure, guarded, handedOff, pending, record, verifiedContext } = changes
  const { integrationAttributes, metrics, setAttributes, variables } = changes
  const visitors = [integrationAttributes, metrics, setAttributes, variables, verifiedContext]
  const unbounded = [...visitors, awaiting, deliveries, failure, guarded, handedOff, pending, record?.topics]
  for (const value of unbounded) if (value && JSON.stringify(value).length > MOST_CHARACTERS) return true
  return false
}
