import { publicId } from '../../domain/conversation/conversation-key.ts'
import type { StoredTurn } from '../../domain/conversation/record.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'

/** The number of a chat's newest turns to read (DC11). */
export const RECENT_TURNS = 50

/** A turn of a debug chat as it is shown. */
export interface DebugTurn {
  readonly state: ConversationState
  readonly turn: StoredTurn
  /** True when the chat ended with this turn. */
  readonly ended: boolean
  /**
   * Turns of external events, failed ones included, between the previous turn of a greeting or message and this one.
   */
  readonly delayed: readonly StoredTurn[]
}

/** The newest turn of a chat; `turn` is null when it has none yet. */
export type MaybeDebugTurn = Omit<DebugTurn, 'turn'> & { readonly turn: StoredTurn | null }

/** Reports whether a turn failed (FN40). */
export const isFailed = ({ details }: StoredTurn): boolean => details.error !== undefined

/**
 * Returns one of a chat's newest turns, with the turns of external events that belong to it. `turns` are in order, the
 * newest one last.
 */
export function turnAt(
  state: ConversationState,
  turns: readonly StoredTurn[],
  index: number,
): MaybeDebugTurn {
  const before = turns.slice(0, Math.max(index, 0))
  const spoken = before.findLastIndex(({ details }) => details.input_type !== 'external_event')
  return {
    state: { ...state, id: publicId(state.id) },
    turn: turns[index] ?? null,
    ended: state.endedAt !== null && index === turns.length - 1,
    delayed: before.slice(spoken + 1),
  }
}

/** Returns the newest turn. */
export const newestTurn = (state: ConversationState, turns: readonly StoredTurn[]): MaybeDebugTurn =>
  turnAt(state, turns, turns.length - 1)
