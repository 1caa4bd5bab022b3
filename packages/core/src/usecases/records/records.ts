import type { AccountId, AgentId, ConversationId } from '../../domain/ids.ts'
import type { Context } from '../context.ts'
import { type PurgeInput, type PurgeResult, purgeConversations } from './purge-conversations.ts'
import { removeConversation } from './remove-conversation.ts'

/** What a host does with conversations as things that are kept. */
export interface ConversationRecords {
  /**
   * Removes what finished before a moment: records, logs, states and external events, debug chats included. Runs in batches
   * that leave others their turn; cut off or called again, it goes on where it was.
   * @throws SCHEMA_VALIDATION_FAILED; the signal's reason when it stops the purge
   */
  purge(input: PurgeInput): Promise<PurgeResult>
  /** Removes one finished conversation, whatever its age. @throws CONVERSATIONS_NOT_FOUND, CONVERSATION_IN_PROGRESS */
  remove(accountId: AccountId, agentId: AgentId, id: ConversationId): Promise<void>
}

/** The calls about kept conversations over the context's store. */
export const createConversationRecords = (context: Context): ConversationRecords => ({
  purge: input => purgeConversations(context, input),
  remove: (accountId, agentId, id) => removeConversation(context, accountId, agentId, id),
})
