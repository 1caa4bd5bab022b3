import type { RecordText } from '../../domain/conversation/record.ts'
import { addFunctionEvents } from '../../domain/conversation/record-text.ts'
import type { AccountId, AgentId, ConversationId } from '../../domain/ids.ts'
import type { Context } from '../context.ts'

/** One conversation's record with the function calls of all its turns; null when there is none (decisions.md section 5). */
export async function readRecord(
  { store }: Pick<Context, 'store'>,
  accountId: AccountId,
  agentId: AgentId,
  id: ConversationId,
): Promise<RecordText | null> {
  // In this order: a record that is removed in between is not there, and never shows without its turns.
  const turns = await store.conversations.turns(id)
  const record = await store.conversations.record(accountId, agentId, id)
  return record === null ? null : addFunctionEvents(record, turns)
}
