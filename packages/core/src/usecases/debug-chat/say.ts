import type { Pinning } from '../../domain/conversation/command.ts'
import type { GivenWithMessage } from '../../domain/conversation/state.ts'
import type { ConversationId, TurnId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { PlatformError } from '../../errors.ts'
import type { Context } from '../context.ts'
import type { Engine, Outcome } from '../conversation/engine/engine.ts'
import { tooManyWait } from '../conversation/reply/open-turn.ts'
import { awaitTurn } from './await-turn.ts'
import type { DebugTurn } from './debug-turn.ts'
import { chatEnded, chatOutgrown, noSuchChat } from './find-debug-chat.ts'

/** An action of the tester. */
export type Said =
  | { readonly type: 'join'; readonly pinning: Pinning | null }
  | {
      readonly type: 'message'
      readonly text: string
      readonly pinning: Pinning | null
      readonly given?: GivenWithMessage
      readonly metadata?: JsonObject
    }

/** Sends a message and waits for the turn that answers it (CM5). */
export async function say(
  context: Context,
  engine: Engine,
  id: ConversationId,
  said: Said,
): Promise<DebugTurn> {
  return awaitTurn(context, engine, id, async () =>
    turnOf(await engine.execute(id, { ...said, sender: null, custom: null, clientEventId: null })),
  )
}

/** Returns the turn of the newest input: this outcome is the one of its own write. */
export function turnOf(outcome: Outcome): TurnId {
  const newest =
    outcome.status === 'done' ? (outcome.state.pending.at(-1) ?? outcome.state.turn?.input) : undefined
  if (newest === undefined) throw refusalOf(outcome)
  return newest.turnId
}

function refusalOf(outcome: Outcome): PlatformError {
  if (outcome.status === 'missing') return noSuchChat()
  if (outcome.status === 'done') return chatOutgrown()
  if (outcome.status === 'refused' && outcome.refusal === 'overloaded') {
    return tooManyWait()
  }
  return chatEnded()
}
