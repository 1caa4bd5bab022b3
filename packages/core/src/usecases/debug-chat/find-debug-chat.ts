import type { Agent } from '../../domain/agent/agent.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import type { Environment } from '../../domain/environment.ts'
import { PlatformError } from '../../errors.ts'
import type { Context } from '../context.ts'
import { keyOf } from '../conversation/engine/conversation-key.ts'
import type { Engine } from '../conversation/engine/engine.ts'

/** Returns the error for a chat that does not exist (any more). */
export const noSuchChat = (): PlatformError =>
  new PlatformError(
    'CONVERSATIONS_NOT_FOUND',
    'There is no such debug chat, or it has expired. Start a new one.',
  )

/** Returns the error for a message to a chat that has ended. */
export const chatEnded = (): PlatformError =>
  new PlatformError('CHAT_CONVERSATION_ENDED', 'The conversation has ended. Start a new one.')

/**
 * Returns the error for a message with which the chat reached its greatest length: it was stored, but is not answered
 * (CM50).
 */
export const chatOutgrown = (): PlatformError =>
  new PlatformError(
    'CHAT_CONVERSATION_ENDED',
    'The conversation has become as long as it may be, and has ended. Start a new one.',
  )

/** Names a debug chat. */
export interface ChatOfAgent {
  readonly agent: Agent
  readonly conversationId: string
}

/**
 * Returns the agent's debug chat of that id, ended ones included (DC7, DC6).
 * @throws CONVERSATIONS_NOT_FOUND, CHAT_ENVIRONMENT_MISMATCH
 */
export async function findDebugChat(
  { clock }: Pick<Context, 'clock'>,
  engine: Pick<Engine, 'load'>,
  { agent, conversationId }: ChatOfAgent,
  environment: Environment,
): Promise<ConversationState> {
  const state = await engine.load(await keyOf(engine, agent.id, conversationId))
  // An agent that was deleted may have left chats to another account's agent of the same id.
  const own = state?.kind === 'debug' && state.agentId === agent.id && state.accountId === agent.accountId
  if (!own || isExpired(state, clock.now())) throw noSuchChat()
  if (state.environment !== environment) {
    throw new PlatformError(
      'CHAT_ENVIRONMENT_MISMATCH',
      `The conversation runs in ${state.environment}; clientEnv must be the same.`,
    )
  }
  return state
}

/** True also for an expired chat that was not ended yet, for example right after a restart. */
const isExpired = ({ endedAt, endReason, idleTimeout, seenAt }: ConversationState, now: number): boolean =>
  endedAt === null ? now >= seenAt + idleTimeout : endReason === 'REASON_USER_ABANDONED'
