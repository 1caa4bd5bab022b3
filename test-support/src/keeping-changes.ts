import { isDeepStrictEqual } from 'node:util'
import type { ConversationState } from '../../packages/core/src/domain/conversation/state.ts'
import { type StateChanges, withChanges } from '../../packages/core/src/domain/conversation/state-changes.ts'
import type { Store } from '../../packages/core/src/ports/store/store.ts'

/** Stored form of a state: one that was written whole, and the changes since. */
interface Parts {
  readonly whole: ConversationState
  readonly changes: StateChanges | null
}

const stateOf = ({ whole, changes }: Parts): ConversationState => withChanges(whole, changes)

const asJson = <T>(value: T): T => JSON.parse(JSON.stringify(value))

/**
 * A store in memory that loads the last state that was written whole with the changes applied, as a store does that
 * writes only changes. An append rejects when its changes do not give its state. `partial` counts the others that had changes.
 */
export function keepingChanges(store: Store): Store & { readonly partial: () => number } {
  const { append, create, load } = store.conversations
  const kept = new Map<string, Parts>()
  let partial = 0
  store.conversations.create = async write => {
    const parts = { whole: asJson(write.state), changes: null }
    const result = await create(write)
    if (result === 'created') kept.set(write.conversationId, parts)
    return result
  }
  store.conversations.append = async write => {
    const whole = kept.get(write.conversationId)?.whole
    const state = asJson(write.state)
    const parts =
      write.changes === null || whole === undefined
        ? { whole: state, changes: null }
        : { whole, changes: asJson(write.changes) }
    const result = await append(write)
    if (result.status !== 'appended') return result
    if (!isDeepStrictEqual(stateOf(parts), state)) throw new Error('The changes do not give the state.')
    if (parts.changes !== null) partial++
    kept.set(write.conversationId, parts)
    return result
  }
  store.conversations.load = async id => {
    const stored = await load(id)
    const parts = kept.get(id)
    return stored === null || parts === undefined ? stored : { ...stored, state: stateOf(parts) }
  }
  return { ...store, partial: () => partial }
}
