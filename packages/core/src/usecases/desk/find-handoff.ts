import { readHandoffId } from '../../domain/conversation/handoff-id.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import type { AccountId } from '../../domain/ids.ts'
import type { Engine } from '../conversation/engine/engine.ts'
import { notFound } from './desk-handoff.ts'

/** A handoff of an account. */
export interface NamedHandoff {
  readonly accountId: AccountId
  readonly handoffId: string
}

/**
 * Returns the conversation of a handoff of that account, which may have another handoff by now.
 *
 * @throws HANDOFF_NOT_FOUND
 */
export async function conversationOfHandoff(
  { engine }: { readonly engine: Pick<Engine, 'load'> },
  { accountId, handoffId }: NamedHandoff,
): Promise<ConversationState> {
  const { conversationId, ordinal } = readHandoffId(handoffId)
  const state = conversationId === '' ? null : await engine.load(conversationId)
  if (state === null || state.accountId !== accountId || ordinal > state.handoffs) throw notFound(handoffId)
  return state
}
