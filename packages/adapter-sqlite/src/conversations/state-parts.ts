import { type ConversationState, projectRecord } from '@colloquy/core/domain'
import { type StateChanges, withChanges } from '@colloquy/core/store'
import { fromJson, fromJsonOrNull } from '../database/json.ts'

/** A state as its two columns hold it: what was written whole last, and what differs from it by now. */
export interface StateParts {
  readonly state: string
  readonly changes: string | null
}

/** The state that the parts are of. */
export const stateOf = ({ state, changes }: StateParts): ConversationState =>
  withChanges(fromJson(state), fromJsonOrNull<StateChanges>(changes))

/** What the record of a conversation in that state says beside its turns, as JSON. */
export function recordTextOf(parts: StateParts): { readonly summary: string; readonly details: string } {
  const { summary, details } = projectRecord(stateOf(parts))
  return { summary: JSON.stringify(summary), details: JSON.stringify(details) }
}
