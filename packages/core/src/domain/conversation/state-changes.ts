import type { ConversationState, RecordFacts } from './state.ts'

/** Fields of a state with other values than before; of `record` those of its facts. */
export type StateChanges = Partial<Omit<ConversationState, 'record'>> & {
  readonly record?: Partial<RecordFacts>
}

/** Nothing has changed. */
export const NO_CHANGES: StateChanges = {}

/** The state with these changes; null: as it is. */
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

/** The given values that differ from those that fields have. */
function differing<Fields extends object>(fields: Fields, given: Partial<Fields>): Partial<Fields> {
  const different: Partial<Fields> = {}
  for (const name in given) if (given[name] !== fields[name]) different[name] = given[name]
  return different
}

/** What of the given values changes a state. States are never changed in place: the same object is the same value. */
export function changesOf(state: ConversationState, given: StateChanges): StateChanges {
  const { record, ...rest } = given
  const changes = differing<Omit<ConversationState, 'record'>>(state, rest)
  const facts = record && differing<RecordFacts>(state.record, record)
  if (facts !== undefined && !isEmpty(facts)) return { ...changes, record: facts }
  return isEmpty(changes) ? NO_CHANGES : changes
}

function isEmpty(fields: object): boolean {
  for (const _ in fields) return false
  return true
}

/**
 * The most characters of JSON that a field without a fixed size may have among the changes. A longer one is written
 * once, with the whole state, and not again whenever another field changes.
 */
const MOST_CHARACTERS = 512

const UNBOUNDED = [
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
] as const satisfies readonly (keyof StateChanges)[]

/** Whether a state is better written whole than as these changes (EN52). */
export function areMany(changes: StateChanges): boolean {
  for (const name of UNBOUNDED) {
    const value = changes[name]
    if (value && JSON.stringify(value).length > MOST_CHARACTERS) return true
  }
  return false
}
