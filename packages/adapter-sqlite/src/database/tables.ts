import type { AccountId, AgentId, ConversationId, HandoffId } from '@colloquy/core'
import type { HandoffEntry } from '@colloquy/core/store'
import type { Generated } from 'kysely'

/** SQLite has no booleans. */
export type Flag = 0 | 1

/** Where a conversation stands: in no list and no figure, in both, or in lists alone. */
export type Listed = 0 | 1 | 2

interface MessageKeyTable {
  key: string
  conversation: number
  taken_at: number
}

interface ScopeTable {
  row: Generated<number>
  account_id: string
  agent_id: string
  environment: string
}

interface VariantTable {
  row: Generated<number>
  /** JSON of `[id, name]`. */
  key: string
  id: string | null
  name: string | null
}

interface ConversationTable {
  row: Generated<number>
  id: ConversationId
  scope: number
  listed: Listed
  started_at: number
  finished_at: number | null
  variant: number
  channel: string
  language: string | null
  to_number: string
  /** JSON of a finished conversation's record; before, it is made from the state. */
  summary: string
  details: string
  /** All turns as a JSON array once the conversation is finished; null before. */
  turns: string | null
  /** As it was written whole last: `conversation_head.changes` have come since. */
  state: string
  /** The integrator's own id with which it was handed off last, and when; null for none. */
  shared_id: string | null
  shared_at: number | null
}

interface ConversationHeadTable {
  /** The conversation's. */
  row: number
  version: number
  /** Of the newest event; 0 before the first. */
  sequence: number
  last_event: number | null
  last_turn: number | null
  finished: Flag
  wake_at: number | null
  /** By which it is found when it must be woken: `wake_at`, or earlier where that was put off. */
  due_at: number | null
  /** 1 where `due_at` may be earlier than `wake_at`. */
  postponed: Flag
  /** How often it was claimed since the last write. */
  claims: number
  /** JSON of what differs from the conversation's state, null for nothing. */
  changes: string | null
}

interface LooseIntervalTable {
  scope: number
  /** The class of its duration, see `spanOf`. */
  span: number
  started_at: number
  conversation: number
  finished_at: number
  variant: number
  language: string | null
  to_number: string
}

interface IntervalChunkTable {
  row: Generated<number>
  scope: number
  span: number
  /** In which stretch of time since the epoch the intervals begin, see `stretchOf`. */
  stretch: number
  first_start: number
  last_end: number
  /** How many. */
  intervals: number
  /** JSON, see `PackedIntervals`. */
  called: string
  packed: Uint8Array
}

interface EventTable {
  row: Generated<number>
  previous: number | null
  sequence: number
  event: string
}

interface TurnTable {
  row: Generated<number>
  previous: number | null
  conversation: number
  record: string
  details: string
}

/** Of the turns whose words are indexed. */
interface TurnOfTable {
  turn: number
  conversation: number
}

interface IndexedTurnsTable {
  /** 1: there is one row. */
  row: number
  /** Turns up to this row are indexed. */
  through: number
  /** The turn of which the first `words` words are indexed; null for no turn. */
  part: number | null
  words: number
}

interface EventAnchorTable {
  conversation: number
  sequence: number
  /** The event's row. */
  event: number
}

interface WordKeyTable {
  key: Uint8Array
}

interface WordBlockTable {
  scope: number
  hour: number
  /** See `hashOf` in search-words.ts. */
  word: Uint8Array
  first: number
  /** See `packPostings`. */
  turns: Uint8Array
}

interface RemovedLogTable {
  conversation: number
  scope: number
  started_at: number
  last_event: number | null
  last_turn: number | null
  words: number
  id: ConversationId | null
}

interface ClientEventTable {
  conversation: number
  client_event_id: string
  sequence: number
}

interface RecordCountTable {
  scope: number
  /** Milliseconds of a bucket. */
  width: number
  /** Which stretch of `width` since the epoch. */
  bucket: number
  records: number
}

interface HandoffTable {
  /** In the order in which handoffs came. */
  row: Generated<number>
  conversation: number
  conversation_id: ConversationId
  account_id: string
  handoff_id: HandoffId
  status: HandoffEntry['status']
  queue_name: string
  since: number
}

interface HandoffWaitTable {
  row: Generated<number>
  account_id: string
  queue_name: string
  joined_at: number
  waited: number
}

interface WaitingLineTable {
  account_id: AccountId
  held_until: number
}

interface ExternalEventTable {
  event_id: string
  conversation_id: ConversationId
  account_id: AccountId
  agent_id: AgentId
  content_type: string | null
  body: Uint8Array | null
  /** Null until something came for the id. */
  received_at: number | null
}

interface PendingExternalEventTable {
  row: Generated<number>
  event_id: string
  conversation_id: ConversationId
}

/** The tables. Times are milliseconds since the epoch. */
export interface Schema {
  scope: ScopeTable
  variant: VariantTable
  conversation: ConversationTable
  conversation_head: ConversationHeadTable
  loose_interval: LooseIntervalTable
  interval_chunk: IntervalChunkTable
  event: EventTable
  turn: TurnTable
  turn_of: TurnOfTable
  indexed_turns: IndexedTurnsTable
  word_block: WordBlockTable
  word_key: WordKeyTable
  removed_log: RemovedLogTable
  client_event: ClientEventTable
  event_anchor: EventAnchorTable
  record_count: RecordCountTable
  handoff: HandoffTable
  handoff_wait: HandoffWaitTable
  waiting_line: WaitingLineTable
  external_event: ExternalEventTable
  pending_external_event: PendingExternalEventTable
  message_key: MessageKeyTable
}
