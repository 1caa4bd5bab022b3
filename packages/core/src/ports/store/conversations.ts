import type { DeskOutcome } from '../../domain/conversation/desk-outcome.ts'
import type { ConversationEvent, EventJson, NewEvent } from '../../domain/conversation/event.ts'
import type { ConversationIndex, StoredTurn, TurnJson } from '../../domain/conversation/record.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import type { StateChanges } from '../../domain/conversation/state-changes.ts'
import type { HandoffSummary } from '../../domain/conversation/summary.ts'
import type { TalkRoom } from '../../domain/conversation/talk-room.ts'
import type { JoinedWait } from '../../domain/conversation/waiting-line.ts'
import type { AccountId, AgentId, ConversationId } from '../../domain/ids.ts'
import type { TextPair } from '../../domain/text/text-pair.ts'
import type { ExternalEventStore } from './external-events.ts'
import type { FileStore } from './files.ts'
import type { HandoffStore } from './handoffs.ts'
import type { IntervalStore } from './intervals.ts'
import type { MessageKeyStore } from './message-keys.ts'
import type { NoteStore } from './notes.ts'
import type { OutboundCallStore } from './outbound-calls.ts'
import type { Outbox } from './outbox.ts'
import type { RecordingStore } from './recordings.ts'
import type { RecordStore } from './records.ts'
import type { RemovalStore } from './removals.ts'
import type { SummaryStore } from './summaries.ts'
import type { TextPairStore } from './text-pairs.ts'
import type { TimerStore } from './timers.ts'
import type { TurnVectorStore } from './turn-vectors.ts'
import type { VisitorStore } from './visitors.ts'

/**
 * The bounds of a page of a log. The bound that is reached first ends the page. A page holds at least one event if
 * there is one, even if that alone exceeds `bytes`.
 */
export interface EventPageBounds {
  readonly count: number
  /** UTF-8 bytes of the events' JSON as it is stored. */
  readonly bytes: number
}

/** A page of a log. */
export interface EventPage {
  /** Ascending, without a gap. */
  readonly events: readonly EventJson[]
  /** True when a further event followed the last one of the page. */
  readonly more: boolean
  /** The version of the conversation as it was read; null if there is none. */
  readonly version: number | null
}

/** The data that one decision writes, atomically. */
export interface ConversationWrite {
  readonly conversationId: ConversationId
  /** Its record is `projectRecord(state)` and the turns: a store projects it when it is read, or when it is written. */
  readonly state: ConversationState
  /** They get the sequences after the newest event, in this order. */
  readonly events: readonly NewEvent[]
  readonly turns: readonly StoredTurn[]
  readonly index: ConversationIndex
  /** The time at which the conversation must be woken if nothing else happens. Null for never. */
  readonly wakeAt: number | null
  readonly outbox: Outbox
  /** The pair of numbers whose text the write is about: written over the version before it. @default none */
  readonly textPair?: TextPair
}

/** The wait of a visitor in a queue of an account. */
export interface HandoffWait extends JoinedWait {
  readonly accountId: AccountId
  readonly queueName: string
  readonly keepSince: number
}

/** A write to a conversation that exists. */
export interface ConversationAppend extends Omit<ConversationWrite, 'index'> {
  /** The version that the decision was based on. */
  readonly expectedVersion: number
  /** Null when it is as in the last write. */
  readonly index: ConversationIndex | null
  /**
   * The fields of `state` that differ from the last state that was written whole: by `create`, or by an append
   * without changes. A store may keep them beside that state, replacing earlier changes, and load
   * `withChanges(whole, changes)`; a store that writes the whole state each time ignores them. Null: the state must be
   * written whole.
   */
  readonly changes: StateChanges | null
  /** External events that this write delivers to the conversation: they are no longer pending. */
  readonly deliveredExternalEvents: readonly string[]
  /**
   * The wait of a handoff that a live agent joins with this write. Stored for `handoffs.joinedWaits`. Waits of the
   * same account and queue from before `keepSince` are deleted.
   */
  readonly joinedWait: HandoffWait | null
  /** Waits and talks that end with the write. Stored for `handoffs.outcomes`, and removed with the conversation. */
  readonly deskOutcomes: readonly DeskOutcome[]
  /** A summary that is to be made, of a handoff that begins with the write. Stored for `summaries`. Null: none. */
  readonly summary: HandoffSummary | null
  /**
   * The live agent who gets the visitor with this write, and how many active handoffs of the account they may have
   * before it. Null: any number.
   */
  readonly talkRoom: TalkRoom | null
}

/**
 * - `appended`: written; the version is now `expectedVersion + 1`.
 * - `duplicate`: one of an event's `clientIds` is in the log already, at `sequence`; nothing was written. Takes
 *   precedence over `stale`.
 * - `full`: the live agent of `talkRoom` has more active handoffs than that; nothing was written. Of several writes at
 *   once for one live agent, no more are written than there is room for.
 * - `forestalled`: `textPair` has changed; nothing was written.
 * - `stale`: the version has changed, or the conversation does not exist; nothing was written. Load and decide again.
 */
export type AppendResult =
  | { readonly status: 'appended' }
  | { readonly status: 'duplicate'; readonly sequence: number }
  | { readonly status: 'full' }
  | { readonly status: 'forestalled' }
  | { readonly status: 'stale' }

/** A conversation as a decision needs it. */
export interface StoredConversation {
  readonly state: ConversationState
  /** Grows by one with every write, and when an external event is accepted for it. */
  readonly version: number
  /** Ids of accepted external events that were not delivered to it yet, in the order of their acceptance. */
  readonly pendingExternalEvents: readonly string[]
}

/**
 * A page of a conversation's turns. It holds at least one turn if there is one, even if that alone exceeds the bytes.
 */
export interface TurnPage {
  /** The UTF-8 bytes of their `record` and `details` as text count. */
  readonly turns: readonly TurnJson[]
  /** True when a further turn followed the last one of the page. */
  readonly more: boolean
}

/**
 * Conversations: one aggregate. These methods hold their states, logs and turns; the groups below hold the rest.
 *
 * Every method reads or writes at one instant: no caller sees half of a write, and a write that has resolved is as
 * durable as the store. Values are copied in and out. A store decides no rule. All of this holds for the groups too.
 */
export interface ConversationStore {
  /**
   * Writes a new conversation at version 1. `taken` when the id exists, `forestalled` when its `textPair` has changed:
   * nothing is written then.
   */
  create(conversation: ConversationWrite): Promise<'created' | 'taken' | 'forestalled'>
  /** Null when there is no such conversation. */
  load(id: ConversationId): Promise<StoredConversation | null>
  /**
   * Returns the version that `load` would return, without the state, to check whether a cached state is the newest.
   * Null when there is no such conversation.
   */
  version(id: ConversationId): Promise<number | null>
  /**
   * Writes a decision. Of two appends with the same expected version one wins. The given data must not change until
   * the promise settles.
   */
  append(append: ConversationAppend): Promise<AppendResult>
  /**
   * The events after a sequence, oldest first, as many as the bounds allow, so that a log of any length is read page by
   * page. The next page starts after the last event's sequence. The cost of a page depends on its size, not on its
   * position or the length of the log. Empty, with `more` false, after the newest event and for an unknown
   * conversation.
   */
  eventPage(id: ConversationId, after: number, bounds: EventPageBounds): Promise<EventPage>
  /**
   * The events before a sequence, newest first, as many as the bounds allow. Empty before the first event, and for an
   * unknown conversation.
   */
  eventsBefore(id: ConversationId, before: number, bounds: EventPageBounds): Promise<readonly EventJson[]>
  /**
   * The event of the conversation that carries the first known one of these client ids (`clientIds`). Null when all of
   * them are unknown.
   */
  clientEvent(id: ConversationId, clientIds: readonly string[]): Promise<ConversationEvent | null>
  /**
   * Turns in order. `limit` keeps only the newest ones; `bytes` bounds their total size (`TurnPage`), with at least one
   * turn. `turnPage` reads conversations of any length.
   */
  turns(id: ConversationId, limit?: number, bytes?: number): Promise<readonly StoredTurn[]>
  /**
   * The turns after the first `after` ones, oldest first, as many as the bytes allow. Empty, with `more` false, after
   * the newest turn and for an unknown conversation. Their JSON is handed on as the store has it, like that of records.
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
  readonly textPairs: TextPairStore
  readonly messageKeys: MessageKeyStore
  readonly notes: NoteStore
  readonly summaries: SummaryStore
  readonly files: FileStore
  readonly recordings: RecordingStore
  readonly outboundCalls: OutboundCallStore
  readonly removals: RemovalStore
  readonly visitors: VisitorStore
}
