import type { ConversationState } from '../../domain/conversation/state.ts'
import type { ConversationId, TurnId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import type { Context } from '../context.ts'
import type { Engine } from '../conversation/engine/engine.ts'
import { lookUntil } from '../conversation/reply/look-until.ts'
import { isOpenTurn } from '../conversation/reply/open-turn.ts'
import { type DebugTurn, isFailed, RECENT_TURNS, turnAt } from './debug-turn.ts'
import { chatEnded, noSuchChat } from './find-debug-chat.ts'
import { TurnFailed } from './turn-failed.ts'

/**
 * Waits for a turn of a conversation, on any node. `begin` returns its id; it is called once, after subscribing to
 * changes.
 * @throws AGENT_FAILED with the stated failure; a TurnFailed when the turn has a record
 */
export async function awaitTurn(
  context: Context,
  engine: Engine,
  id: ConversationId,
  begin: () => Promise<TurnId>,
): Promise<DebugTurn> {
  let turnId: TurnId = ''
  const state = await lookUntil(context, id, {
    async begin() {
      turnId = await begin()
    },
    look: () => engine.load(id),
    isEnough: state => state === null || !isOpenTurn(state, turnId),
  })
  return finished(context, id, turnId, state)
}

async function finished(
  context: Context,
  id: ConversationId,
  turnId: TurnId,
  state: ConversationState | null,
): Promise<DebugTurn> {
  const turns = await context.store.conversations.turns(id, RECENT_TURNS, context.settings.limits.sliceBytes)
  const index = turns.findIndex(({ details }) => details.turn_id === turnId)
  const turn = turns[index]
  if (state === null) throw noSuchChat()
  if (turn === undefined) {
    // Inputs queued behind the turn that ended the chat are never answered (DC6).
    if (state.endedAt !== null) throw chatEnded()
    throw new PlatformError('AGENT_FAILED', state.failure?.text ?? 'The agent gave no answer. Say it again.')
  }
  const done = { ...turnAt(state, turns, index), turn }
  if (isFailed(turn)) throw new TurnFailed(done)
  return done
}
