import type { ConnectorInfo } from '../../domain/access/access.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import type { ConversationId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import type { Context } from '../context.ts'
import type { Engine } from '../conversation/engine/engine.ts'

/** Returns the error for a chat that the connector's agent never had in its environment. */
export const noSuchChat = (): PlatformError =>
  new PlatformError('CONVERSATIONS_NOT_FOUND', 'There is no such conversation. Create a new one.')

/** Returns the error for a message to a chat that has ended (TC4, TC6). */
export const chatOver = ({ endReason }: Pick<ConversationState, 'endReason'>): PlatformError =>
  endReason === 'REASON_USER_ABANDONED'
    ? new PlatformError('CHAT_TIMEOUT', 'Chat session exceeded the timeout limit.')
    : new PlatformError('CHAT_CONVERSATION_ENDED', 'The conversation has ended. Create a new one.')

/** Names a chat. */
export interface ChatOfConnector {
  readonly connector: ConnectorInfo
  readonly conversationId: ConversationId
}

/** Any id that the platform may have given to a conversation. */
const CHAT_ID = /^[\w-]{1,200}$/

/**
 * Returns the chat of that id, ended ones included. Any connector of its agent and environment finds it, so that a
 * token can be replaced while chats go on (TC7). One whose time is over has ended, even if nothing has noticed yet.
 * @param how `find` if a command follows
 * @throws CONVERSATIONS_NOT_FOUND
 */
export async function findChat(
  { clock }: Pick<Context, 'clock'>,
  engine: Pick<Engine, 'find' | 'load' | 'execute'>,
  { connector, conversationId }: ChatOfConnector,
  how: 'find' | 'load' = 'load',
): Promise<ConversationState> {
  const state = CHAT_ID.test(conversationId) ? await engine[how](conversationId) : null
  const { accountId, agentId, environment } = connector
  const own =
    state?.kind === 'chat' &&
    state.accountId === accountId &&
    state.agentId === agentId &&
    state.environment === environment
  if (!own) throw noSuchChat()
  if (state.endedAt !== null || clock.now() < state.seenAt + state.idleTimeout) return state
  await engine.execute(conversationId, { type: 'wake' })
  return (await engine.load(conversationId)) ?? state
}
