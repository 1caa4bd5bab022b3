import { type CallsOf, callsWith } from '../../calls/call.ts'
import type { ConnectorInfo } from '../../domain/access/access.ts'
import type { ConversationId } from '../../domain/ids.ts'
import { conversationId, made } from '../shared/arguments.ts'
import type { ChatParts } from './chat-parts.ts'
import { closeChat } from './close-chat.ts'
import { type ChatBegun, type ChatStart, chatStartSchema, createChatConversation } from './create-chat.ts'
import { type ChatReplies, type RepliesQuery, readReplies, repliesQuerySchema } from './read-replies.ts'
import { type ChatAnswer, type ChatMessage, chatMessageSchema, respondToChat } from './respond.ts'

/** Turn-based chats: a message a call, and its reply as the answer (contract/chat.md). */
export interface Chat {
  /**
   * Opens a conversation for the connector and answers with the greeting (CM5).
   * @throws CHAT_DRAFT_NOT_EXIST, VARIANTS_NOT_FOUND, SCHEMA_VALIDATION_FAILED, CHAT_DRAFT_DEPLOYMENT_FAILED
   */
  create(connector: ConnectorInfo, input: ChatStart): Promise<ChatBegun>
  /**
   * Sends a message. Returns the agent's reply, after any late replies that were not returned yet (CM5).
   *
   * @throws CONVERSATIONS_NOT_FOUND, CHAT_CONVERSATION_ENDED, CHAT_TIMEOUT, SCHEMA_VALIDATION_FAILED, RATE_LIMITED,
   * AGENT_FAILED
   */
  respond(connector: ConnectorInfo, input: ChatMessage): Promise<ChatAnswer>
  /** Ends the chat; one that has ended already stays as it is (TC4). @throws CONVERSATIONS_NOT_FOUND */
  close(connector: ConnectorInfo, conversationId: ConversationId): Promise<void>
  /**
   * Returns the replies after a given one, including late ones. Waits for one if asked to (TC20).
   * @throws CONVERSATIONS_NOT_FOUND
   */
  replies(connector: ConnectorInfo, input: RepliesQuery): Promise<ChatReplies>
}

const connector = [
  'connector',
  made<ConnectorInfo>('what access gives', 'id', 'accountId', 'agentId', 'environment'),
] as const
const { call } = callsWith<ChatParts>()

/** The implementations of the calls about chats. */
export const chatCalls = {
  create: call(() => [connector, chatStartSchema], createChatConversation),
  respond: call(() => [connector, chatMessageSchema], respondToChat),
  close: call(
    () => [connector, conversationId],
    (deps, of, chat) => closeChat(deps, { connector: of, conversationId: chat }),
  ),
  replies: call(() => [connector, repliesQuerySchema], readReplies),
} satisfies CallsOf<Chat, ChatParts>
