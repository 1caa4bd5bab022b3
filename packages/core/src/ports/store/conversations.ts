import type { ConversationEvent, NewEvent } from '../../domain/conversation/event.ts'
import type { ConversationIndex, RecordHead, StoredTurn, TurnText } from '../../domain/conversation/record.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import type { StoredState } from '../../domain/conversation/stored-state.ts'
import type { JoinedWait } from '../../domain/conversation/waiting-line.ts'
import type { AgentId, ConversationId } from '../../domain/ids.ts'
import type { ExternalEventStore } from './external-events.ts'
import type { HandoffStore } from './handoffs.ts'
import type { IntervalStore } from './intervals.ts'
import type { Outbox } from './outbox.ts'
import type { RecordStore } from './records.ts'
import type { RemovalStore } from './removals.ts'
import type { TimerStore } from './timers.ts'
import type { TurnVectorStore } from './turn-vectors.ts'

/**
 * How much of a log one page may hold. Whichever bound is reached first ends the page, but a page of a log that goes on
 * holds one event at least, however long that is.
 */
export interface EventPageBounds {
  readonly count: number
  /** Of the events' JSON as UTF-8, all that a store keeps of them. */
  readonly bytes: number
}

/** A stretch of a log. */
export interface EventPage {
  /** Ascending, without a gap. */
  readonly events: readonly ConversationEvent[]
  /** True when a further event followed the last one of the page. */
  readonly more: boolean
}

/** What one decision writes: all of it or none of it. */
export interface ConversationWrite {
  readonly conversationId: ConversationId
  readonly state: ConversationState
  /** Get the sequences that follow the newest event, in this order. */
  readonly events: readonly NewEvent[]
  readonly turns: readonly StoredTurn[]
  readonly head: RecordHead
  readonly index: ConversationIndex
  /** The one moment at which the conversation must be woken if nothing else happens; null for never. */
  readonly wakeAt: number | null
  readonly outbox: Outbox
}

/** A write to a conversation that exists. */
export interface ConversationAppend extends ConversationWrite {
  /** The version that the decision was based on. */
  readonly expectedVersion: number
  /** The index of the last write: a store may compare the two, and leave alone what is as it was (`sameIndex`). */
  readonly previousIndex: ConversationIndex
  /** External events that this write hands to the conversation: they are pending no longer. */
  readonly deliveredExternalEvents: readonly string[]
  /**
   * The wait of a handoff that a live agent joins with this write: kept for `handoffs.joinedWaits` under the index's
   * account and the queue. Those of the same account and queue from before `keepSince` are forgotten.
   */
  readonly joinedWait: (JoinedWait & { readonly queueName: string; readonly keepSince: number }) | null
}

/**
 * - `appended`: written; the version is now `expectedVersion + 1`.
 * - `duplicate`: one of an event's `clientIds` is in the log already, at `sequence`; nothing was written. Wins over
 *   `stale`.
 * - `stale`: the version has moved on, or the conversation is not there; nothing was written. Load and decide again.
 */
export type AppendResult =
  | { readonly status: 'appended' }
  | { readonly status: 'duplicate'; readonly sequence: number }
  | { readonly status: 'stale' }

/** A conversation as a decision needs it. */
export interface StoredConversation {
  /** As it was written, maybe by an earlier version: the engine brings it to the current shape. */
  readonly state: StoredState
  /** Grows by one with every write, and when an external event is accepted for it. */
  readonly version: number
  /** Ids of accepted external events that were not handed to it yet, in the order in which they came. */
  readonly pendingExternalEvents: readonly string[]
}

/** A stretch of a conversation's turns; one at least where there is one, however long that is. */
export interface TurnPage {
  /** Their `record` and `details` count as UTF-8 bytes. */
  readonly turns: readonly TurnText[]
  /** True when a further turn followed the last one of the page. */
  readonly more: boolean
}

/**
 * Conversations: one aggregate. Here are their states, logs and turns; what else is kept of them and found by stands in
 * groups of its own.
 *
 * Every method reads or writes at one instant: no caller sees half of a write, and what a resolved write promised
 * survives a crash as far as the store survives one. Values are copied in and out. A store decides no rule. All of this
 * holds for the groups too.
 */
export interface ConversationStore {
  /** Writes a new conversation at version 1. `taken` when the id exists; nothing is written then. */
  create(conversation: ConversationWrite): Promise<'created' | 'taken'>
  /** Null when there is no such conversation. */
  load(id: ConversationId): Promise<StoredConversation | null>
  /** Of two appends with the same expected version one wins. */
  append(append: ConversationAppend): Promise<AppendResult>
  /**
   * The events that follow a sequence, as many as the bounds allow, oldest first: how a log of any length is read
   * without holding it. The next page is the one after the last event's sequence. What a page costs depends on what it
   * holds, not on where in the log it begins or how long that is. Empty, and no more, behind the newest event and for
   * an unknown conversation.
   */
  eventPage(id: ConversationId, after: number, bounds: EventPageBounds): Promise<EventPage>
  /**
   * The event of the conversation that carries one of a client's own ids (`clientIds`), the first of them that is
   * known. Null when none is.
   */
  clientEvent(id: ConversationId, clientIds: readonly string[]): Promise<ConversationEvent | null>
  /**
   * Turns in order; with a limit, the newest that many, and with `bytes` those of them that have no more bytes together
   * (`TurnPage`), one at least. For conversations of any length see `turnPage`.
   */
  turns(id: ConversationId, limit?: number, bytes?: number): Promise<readonly StoredTurn[]>
  /**
   * The turns behind the first `after` ones, as many as the bytes allow, oldest first. Empty, and no more, behind the
   * newest and for an unknown conversation.
   */
  turnPage(id: ConversationId, after: number, bytes: number): Promise<TurnPage>
  /** Ids of the agent's conversations that have no `finishedAt`, debug ones included. */
  listOpen(agentId: AgentId): Promise<readonly ConversationId[]>

  readonly timers: TimerStore
  readonly externalEvents: ExternalEventStore
  readonly handoffs: HandoffStore
  readonly records: RecordStore
  readonly intervals: IntervalStore
  readonly turnVectors: TurnVectorStore
  readonly removals: RemovalStore
}
