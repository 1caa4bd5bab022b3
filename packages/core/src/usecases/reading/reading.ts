import type { RecordText } from '../../domain/conversation/record.ts'
import type { AccountId, AgentId, ConversationId } from '../../domain/ids.ts'
import type {
  ActivityIntervals,
  IntervalFilter,
  RecordFilter,
  RecordPage,
  RecordPosition,
} from '../../ports/conversation-store.ts'

/** Conversation records and concurrency figures (decisions.md sections 5 and 6). */
export interface Reading {
  records(filter: RecordFilter, from: RecordPosition, limit: number): Promise<RecordPage>
  record(accountId: AccountId, agentId: AgentId, id: ConversationId): Promise<RecordText | null>
  intervals(filter: IntervalFilter): Promise<ActivityIntervals>
}
