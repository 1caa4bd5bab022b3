import { chosenKey, isPublicId } from '../../domain/conversation/conversation-key.ts'
import type { RecordJson, TurnJson } from '../../domain/conversation/record.ts'
import { addFunctionEvents } from '../../domain/conversation/record-text.ts'
import type { AccountId, AgentId, ConversationId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import type { Context } from '../context.ts'

type Reader = Pick<Context, 'store' | 'settings'>

/** Returns the key of the conversation that the agent has, or would have, under the id (EN51). */
export async function recordKey(
  { store }: Pick<Context, 'store'>,
  accountId: AccountId,
  agentId: AgentId,
  id: ConversationId,
): Promise<ConversationId> {
  const own = isPublicId(id) ? await store.conversations.records.find(accountId, agentId, id, 0) : null
  return own === null ? chosenKey(agentId, id) : id
}

/**
 * Returns one conversation's record with the function calls of all its turns. Null when there is no such conversation
 * (contract/conversations.md). If its turns are longer than a slice, both are left out: `turnPages` has them (RC71).
 */
export async function readRecord(
  context: Reader,
  accountId: AccountId,
  agentId: AgentId,
  conversationId: ConversationId,
): Promise<RecordJson | null> {
  const { store, settings } = context
  const id = await recordKey(context, accountId, agentId, conversationId)
  const { sliceBytes } = settings.limits
  // In this order: a record that is removed in between is missing as a whole, and never shown without its turns.
  const { turns, more } = await store.conversations.turnPage(id, 0, sliceBytes)
  const record = await store.conversations.records.find(accountId, agentId, id, more ? 0 : sliceBytes)
  if (record === null || record.turns === null) return record
  return addFunctionEvents(record, turns)
}

/**
 * Returns the turns of a listed conversation, slice after slice, each read on demand (RC71).
 * @throws CONVERSATIONS_NOT_FOUND, also between two slices when the conversation is removed meanwhile
 */
export async function* turnPages(
  context: Reader,
  accountId: AccountId,
  agentId: AgentId,
  conversationId: ConversationId,
): AsyncGenerator<readonly TurnJson[]> {
  const { store, settings } = context
  const missing = (): PlatformError =>
    new PlatformError('CONVERSATIONS_NOT_FOUND', `The agent has no conversation ${conversationId}.`)
  const id = await recordKey(context, accountId, agentId, conversationId)
  if ((await store.conversations.records.find(accountId, agentId, id, 0)) === null) throw missing()
  let read = 0
  for (let more = true; more; ) {
    const page = await store.conversations.turnPage(id, read, settings.limits.sliceBytes)
    if (page.turns.length === 0 && read > 0) throw missing()
    yield page.turns
    read += page.turns.length
    more = page.more
  }
}
