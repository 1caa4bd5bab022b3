import { chosenKey, isPublicId } from '../../domain/conversation/conversation-key.ts'
import type { AccountId, AgentId, ConversationId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import { auditEntry } from '../audit/audit-entry.ts'
import type { Acting } from '../context.ts'
import { removeFilesNow } from '../files/remove-files.ts'

/**
 * Removes one finished conversation of an agent, also of one that was deleted (RC25).
 * @throws CONVERSATIONS_NOT_FOUND, CONVERSATION_IN_PROGRESS
 */
export async function removeConversation(
  context: Pick<Acting, 'caller' | 'clock' | 'files' | 'ids' | 'recordings' | 'settings' | 'store'>,
  accountId: AccountId,
  agentId: AgentId,
  id: ConversationId,
): Promise<void> {
  const entry = auditEntry(context, 'conversation.removed', { accountId, agentId, resourceId: id })
  const { conversations } = context.store
  const remove = (key: ConversationId) =>
    conversations.removals.remove(accountId, agentId, key, { audit: entry })
  const own = isPublicId(id) ? await remove(id) : 'missing'
  const result = own === 'missing' ? await remove(chosenKey(agentId, id)) : own
  if (result === 'missing') {
    throw new PlatformError('CONVERSATIONS_NOT_FOUND', `The agent has no conversation ${id}.`)
  }
  if (result === 'in_progress') {
    throw new PlatformError(
      'CONVERSATION_IN_PROGRESS',
      `The conversation ${id} is in progress, or its end is being processed. Only finished ones can be removed.`,
    )
  }
  await removeFilesNow(context)
}
