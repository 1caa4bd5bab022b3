import {
  counted,
  type Decided,
  type Decision,
  decide,
  type MachineRules,
  type Moment,
  refuse,
  tell,
  withTurns,
} from './draft.ts'
import { allows, move } from './move.ts'
import type { StoredTurn } from './record.ts'
import type { ConversationState } from './state.ts'

/** The text for the visitor when the conversation has reached its bound. */
export const OUTGROWN_TEXT = 'This conversation has become too long and has ended. Please start a new one.'

/** True when the conversation may not become any longer. */
const isOutgrown = (
  { bytes, sequence }: Pick<ConversationState, 'bytes' | 'sequence'>,
  { conversationBytes, conversationEvents }: Pick<MachineRules, 'conversationBytes' | 'conversationEvents'>,
): boolean => bytes >= conversationBytes || sequence >= conversationEvents

/** The conversation ends with the turn, though its agent did not mean that. */
const endedBy = ({ record, details }: StoredTurn): StoredTurn => ({
  record,
  details: { ...details, ends: true },
})

/**
 * The decision with what it adds counted. Where that reaches the bound, it ends the conversation, too (CM50): what it
 * took is kept whole. A recorded one refuses such a turn instead, and its host ends it.
 */
export function withinBounds(decision: Decided, moment: Moment): Decision {
  const whole = counted(decision, moment.at)
  if (!isOutgrown(whole.state, moment.rules)) return whole
  if (whole.state.kind === 'recorded') return whole.turns.length > 0 ? refuse('outgrown') : whole
  if (!allows(whole.state, 'outgrows')) return whole
  const payload = { level: 'SYSTEM_MESSAGE_LEVEL_WARNING', message: OUTGROWN_TEXT } as const
  const kept = {
    ...decision,
    // Work that it has just begun is dropped.
    transients: decision.transients.filter(({ type }) => type === 'SYSTEM_MESSAGE'),
    effects: decision.effects.filter(({ type }) => type !== 'run_turn'),
  }
  const told = tell(withTurns(kept, decision.turns.map(endedBy)), 'SYSTEM_MESSAGE', payload)
  return counted(decide(move(told, 'outgrows', moment)), moment.at)
}
