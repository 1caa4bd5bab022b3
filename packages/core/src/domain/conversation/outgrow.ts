import { changeState } from './change-state.ts'
import { type Decision, decide, type MachineRules, type Moment, tell, withTurns } from './draft.ts'
import { allows, move } from './move.ts'
import type { StoredTurn } from './record.ts'
import type { ConversationState } from './state.ts'

/** What a visitor is told whose conversation has reached its bound. */
export const OUTGROWN_TEXT = 'This conversation has become too long and has ended. Please start a new one.'

/** True when the conversation may not become any longer. */
export const isOutgrown = (
  { bytes, sequence }: Pick<ConversationState, 'bytes' | 'sequence'>,
  { conversationBytes, conversationEvents }: Pick<MachineRules, 'conversationBytes' | 'conversationEvents'>,
): boolean => bytes >= conversationBytes || sequence >= conversationEvents

/** The conversation ends with the turn, though its agent did not mean that. */
const endedBy = ({ record, details }: StoredTurn): StoredTurn => ({
  record,
  details: { ...details, ends: true },
})

/**
 * Ends a conversation whose decision has reached the bound, in the same decision (CM50): what it took is kept whole. A
 * recorded one refuses such a turn instead, and its host ends it.
 */
export function endOutgrown(before: ConversationState, decision: Decision, moment: Moment): Decision {
  if (decision.refused !== null || before.kind === 'recorded') return decision
  if (!isOutgrown(decision.state, moment.rules) || !allows(decision.state, 'outgrows')) return decision
  const uncounted = changeState(decision.state, { sequence: before.sequence, bytes: before.bytes })
  const payload = { level: 'SYSTEM_MESSAGE_LEVEL_WARNING', message: OUTGROWN_TEXT } as const
  const kept = {
    ...decision,
    state: uncounted,
    // What it has just begun is over.
    transients: decision.transients.filter(({ type }) => type === 'SYSTEM_MESSAGE'),
    effects: decision.effects.filter(({ type }) => type !== 'run_turn'),
  }
  const told = tell(withTurns(kept, decision.turns.map(endedBy)), 'SYSTEM_MESSAGE', payload)
  return decide(move(told, 'outgrows', moment))
}
