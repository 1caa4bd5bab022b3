import type { ConversationId } from '../../../domain/ids.ts'
import type { ConversationStore } from '../../../ports/store/conversations.ts'
import { SHARED_ID } from '../../filled-store.ts'
import { ACCOUNT, AGENT } from '../../fixtures.ts'
import { intervalRows } from '../interval-rows.ts'
import { pageTexts, recordTexts } from './json-texts.ts'
import { eventsOf } from './stored.ts'

/**
 * Returns everything that a store knows about a conversation, and about the usual account and agent, in one comparable
 * value.
 */
export async function conversationSnapshot(conversations: ConversationStore, id: ConversationId) {
  const whose = { accountId: ACCOUNT, agentId: AGENT, environment: 'live' } as const
  const everything = { ...whose, from: 0, to: Number.MAX_SAFE_INTEGER }
  const record = await conversations.records.find(ACCOUNT, AGENT, id)
  return {
    stored: await conversations.load(id),
    events: await eventsOf(conversations, id, 0),
    turns: await conversations.turns(id),
    record: record && recordTexts(record),
    records: pageTexts(await conversations.records.list(whose, { offset: 0 }, 1_000)),
    // Rows alone: the stamp and the form may change where the content does not.
    intervals: intervalRows(await conversations.intervals.list(everything), everything),
    waiting: await conversations.handoffs.list(ACCOUNT, 'waiting'),
    active: await conversations.handoffs.list(ACCOUNT, 'active'),
    shared: await conversations.handoffs.findShared(ACCOUNT, AGENT, SHARED_ID),
    open: [...(await conversations.listOpen(AGENT))].sort(),
  }
}
