import type { ConversationStore } from '../../../ports/store/conversations.ts'
import type { RecordFilter, RecordPageStart } from '../../../ports/store/records.ts'
import { ACCOUNT, AGENT } from '../../fixtures.ts'

/** Whose records the tests of records read. */
export const LIVE = { accountId: ACCOUNT, agentId: AGENT, environment: 'live' } as const

/** The ids on one page of the usual agent's live records. */
export async function recordIds(
  conversations: ConversationStore,
  filter: Partial<RecordFilter> = {},
  from: RecordPageStart = { offset: 0 },
  limit = 100,
): Promise<string[]> {
  return (await conversations.records.list({ ...LIVE, ...filter }, from, limit)).records.map(
    record => record.id,
  )
}
