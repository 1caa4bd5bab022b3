import type { RecordText, TurnText } from '../../domain/conversation/record.ts'
import { addFunctionEvents } from '../../domain/conversation/record-text.ts'
import type { AccountId, AgentId, ConversationId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import type { Context } from '../context.ts'

type Reader = Pick<Context, 'store' | 'settings'>

/**
 * One conversation's record with the function calls of all its turns; null when there is none (decisions.md section 5). Where its turns are
 * longer than a slice both are left out: `turnPages` has them (RC60).
 */
export async function readRecord(
  { store, settings }: Reader,
  accountId: AccountId,
  agentId: AgentId,
  id: ConversationId,
): Promise<RecordText | null> {
  const { sliceBytes } = settings.limits
  // In this order: a record that is removed in between is not there, and never shows without its turns.
  const { turns, more } = await store.conversations.turnPage(id, 0, sliceBytes)
  const record = await store.conversations.record(accountId, agentId, id, more ? 0 : sliceBytes)
  if (record === null || record.turns === null) return record
  return addFunctionEvents(record, turns)
}

/**
 * The turns of a listed conversation, slice after slice, each read when it is asked for (RC60).
 * @throws CONVERSATIONS_NOT_FOUND, also between two slices when the conversation is removed meanwhile
 */
export async function* turnPages(
  { store, settings }: Reader,
  accountId: AccountId,
  agentId: AgentId,
  id: ConversationId,
): AsyncGenerator<readonly TurnText[]> {
  const missing = (): PlatformError =>
    new PlatformError('CONVERSATIONS_NOT_FOUND', `The agent has no conversation ${id}.`)
  if ((await store.conversations.record(accountId, agentId, id, 0)) === null) throw missing()
  let read = 0
  for (let more = true; more; ) {
    const page = await store.conversations.turnPage(id, read, settings.limits.sliceBytes)
    if (page.turns.length === 0 && read > 0) throw missing()
    yield page.turns
    read += page.turns.length
    more = page.more
  }
}
