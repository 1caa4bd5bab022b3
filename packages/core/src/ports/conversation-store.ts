import type { AuditEntry } from '../domain/audit/audit.ts'
import type { ActivityColumns } from '../domain/concurrency/activity.ts'
import type { TimeRange } from '../domain/concurrency/window.ts'
import type { ConversationEvent, NewEvent } from '../domain/conversation/event.ts'
import type {
  ConversationIndex,
  RecordHead,
  RecordText,
  StoredTurn,
  TurnText,
} from '../domain/conversation/record.ts'
import type { ConversationState } from '../domain/conversation/state.ts'
import type { StoredState } from '../domain/conversation/stored-state.ts'
import type { WordCondition } from '../domain/conversation/turn-words.ts'
import type { JoinedWait } from '../domain/conversation/waiting-line.ts'
import type { Environment } from '../domain/environment.ts'
import type { AccountId, AgentId, ConversationId, HandoffId } from '../domain/ids.ts'
import type { WebhookEvent } from '../domain/webhook/webhook.ts'
import type { RecordPlace, TurnVectorStore } from './turn-vector-store.ts'

/**
 * How much of a log one page may hold. Whichever bound is reached first ends the page, but a page of a log that goes on holds
 * one event at least, however long that is.
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
  /**
   * What the write tells the outside. Each event is kept with a pending delivery, due at `at`, to every endpoint of its
   * account that is enabled and subscribed to its type at this instant; without any such endpoint nothing is kept of it.
   */
  readonly outgoing: readonly WebhookEvent[]
}

/** A write to a conversation that exists. */
export interface ConversationAppend extends ConversationWrite {
  /** The version that the decision was based on. */
  readonly expectedVersion: number
  /** True when `index` differs from what the last write said, so that a store may skip untouched columns. */
  readonly indexChanged: boolean
  /** External events that this write hands to the conversation: they are pending no longer. */
  readonly deliveredExternalEvents: readonly string[]
  /**
   * The wait of a handoff that a live agent joins with this write: kept for `joinedWaits` under the index's account and the
   * queue. Those of the same account and queue from before `keepSince` are forgotten.
   */
  readonly joinedWait: (JoinedWait & { readonly queueName: string; readonly keepSince: number }) | null
}

/**
 * - `appended`: written; the version is now `expectedVersion + 1`.
 * - `duplicate`: one of an event's `clientIds` is in the log already, at `sequence`; nothing was written. Wins over `stale`.
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

/** What an outside system sent for an event id, kept byte for byte. */
export interface ExternalEvent {
  readonly eventId: string
  readonly conversationId: ConversationId
  readonly contentType: string
  readonly body: Uint8Array
  readonly receivedAt: number
}

/** Which records. All given conditions hold; `startTime <= startedAt < endTime`. Unlisted conversations never match. */
export interface RecordFilter {
  readonly accountId: AccountId
  readonly agentId: AgentId
  readonly environment: Environment
  readonly startTime?: number
  readonly endTime?: number
  readonly variantId?: string
  readonly variantName?: string
  readonly inProgress?: boolean
  /** Any of these. */
  readonly channels?: readonly string[]
  /** One turn holds all of these words; what the words of a turn are says `turnWords`. */
  readonly words?: WordCondition
}

/** Where a page begins: after a number of records, or after the record with this start and id. */
export type RecordPosition =
  | { readonly offset: number }
  | { readonly after: { readonly startedAt: number; readonly id: string } }

/** A stretch of a conversation's turns; one at least where there is one, however long that is. */
export interface TurnPage {
  /** Their `record` and `details` count as UTF-8 bytes. */
  readonly turns: readonly TurnText[]
  /** True when a further turn followed the last one of the page. */
  readonly more: boolean
}

/** A page in the order `startedAt`, then id (compared as code points of UTF-8). */
export interface RecordPage {
  readonly records: readonly {
    readonly id: ConversationId
    readonly startedAt: number
    readonly text: RecordText
  }[]
  /** True when a further record follows the last one of the page. */
  readonly more: boolean
}

/** An account, an agent and an environment: whose conversations a removal takes. */
export type ConversationScope = Pick<ConversationIndex, 'accountId' | 'agentId' | 'environment'>

/** What one step of a removal has done. */
export interface RemovalStep {
  /** How many are gone. */
  readonly removed: number
  /** False when none of those that were asked for is left. */
  readonly more: boolean
}

/** Which conversations count for concurrency, beside the time: ones that are listed and counted, and fit all of it. */
export interface IntervalConditions {
  readonly accountId: AccountId
  readonly agentId: AgentId
  readonly environment: Environment
  readonly variantId?: string
  readonly variantName?: string
  readonly language?: string
  /** Compares with `toNumber`. */
  readonly phoneNumber?: string
}

/** Those of them that were active at some instant of `[from, to)`. */
export interface IntervalFilter extends IntervalConditions, TimeRange {}

/**
 * When conversations were active, in any order. A conversation is active in `[start, end)`; one in progress has the end
 * `Infinity`. One whose start and end are the same instant counts as active at that instant. A store that keeps columns hands
 * them over as `packed`, each a whole block although not all of it lies in the range; others leave `packed` empty. Variants that
 * occur are told once, others perhaps too; id and name are null for conversations without one.
 */
export interface ActivityIntervals extends ActivityColumns {
  /** Names the content: of one filter, two answers with the same stamp are the same. The opposite need not hold. */
  readonly stamp: string
}

/** A conversation that waits for, or talks to, a live agent. */
export interface HandoffEntry {
  readonly conversationId: ConversationId
  readonly handoffId: HandoffId
  readonly status: 'waiting' | 'active'
  readonly queueName: string
  readonly since: number
}

/**
 * Conversations: their logs, states, records, timers and external events. One aggregate.
 *
 * Every method reads or writes at one instant: no caller sees half of a write, and what a resolved write promised
 * survives a crash as far as the store survives one. Values are copied in and out. A store decides no rule.
 */
export interface ConversationStore extends TurnVectorStore {
  /** Writes a new conversation at version 1. `taken` when the id exists; nothing is written then. */
  create(conversation: ConversationWrite): Promise<'created' | 'taken'>
  /** Null when there is no such conversation. */
  load(id: ConversationId): Promise<StoredConversation | null>
  /** Of two appends with the same expected version one wins. */
  append(append: ConversationAppend): Promise<AppendResult>

  /**
   * Events after a sequence, ascending; with a limit, the newest that many of them. Empty for an unknown conversation. For logs
   * of any length see `eventPage`.
   */
  events(id: ConversationId, after: number, limit?: number): Promise<readonly ConversationEvent[]>
  /**
   * The events that follow a sequence, as many as the bounds allow, oldest first: how a log of any length is read without
   * holding it. The next page is the one after the last event's sequence. What a page costs depends on what it holds, not on
   * where in the log it begins or how long that is. Empty, and no more, behind the newest event and for an unknown conversation.
   *
   * Where more follow it resolves after other tasks of the process have had their turn, so that a caller may ask page after page.
   */
  eventPage(id: ConversationId, after: number, bounds: EventPageBounds): Promise<EventPage>
  /** The event of the conversation that carries one of a client's own ids (`clientIds`), the first of them that is known. Null when none is. */
  clientEvent(id: ConversationId, clientIds: readonly string[]): Promise<ConversationEvent | null>
  /**
   * Turns in order; with a limit, the newest that many, and with `bytes` those of them that have no more bytes together (`TurnPage`), one at
   * least. For conversations of any length see `turnPage`.
   */
  turns(id: ConversationId, limit?: number, bytes?: number): Promise<readonly StoredTurn[]>
  /** The turns behind the first `after` ones, as many as the bytes allow, oldest first. Empty, and no more, behind the newest and for an unknown conversation. */
  turnPage(id: ConversationId, after: number, bytes: number): Promise<TurnPage>

  /**
   * Takes conversations whose `wakeAt` is not after `now`, earliest first, and sets their `wakeAt` to `until`, so that
   * another caller does not take them before that. A write in between replaces it. One that is claimed again without a write in between
   * is left for twice as long as before, at most for `longest` milliseconds.
   *
   * @param longest @default until - now
   */
  claimDue(now: number, limit: number, until: number, longest?: number): Promise<readonly ConversationId[]>
  /**
   * Sets `wakeAt`s that lie after `after`, the latest first and at most `limit` of them, to `to`, which is not after `after`. Says how
   * many it has set: fewer than the limit when none is left.
   */
  hastenWakes(after: number, to: number, limit: number): Promise<number>
  /** The earliest `wakeAt`; null when no conversation has one. */
  nextWakeAt(): Promise<number | null>

  /**
   * Reserves an event id for a conversation; again for the same conversation, account and agent it is `expected`, and nothing changes.
   * `taken` when it is reserved for another one, `missing` when there is no such conversation; nothing is written then.
   */
  expectExternalEvent(event: {
    readonly eventId: string
    readonly conversationId: ConversationId
    readonly accountId: AccountId
    readonly agentId: AgentId
  }): Promise<'expected' | 'taken' | 'missing'>
  /**
   * Keeps what came for a reserved id. The first one stands: later ones are `duplicate` and keep nothing.
   * `unknown` when the id is not reserved for that account and agent. An accepted event is pending for its
   * conversation, whose version grows by one and whose `wakeAt` becomes `receivedAt` unless it is earlier.
   */
  acceptExternalEvent(event: {
    readonly eventId: string
    readonly accountId: AccountId
    readonly agentId: AgentId
    readonly contentType: string
    readonly body: Uint8Array
    readonly receivedAt: number
  }): Promise<
    | { readonly status: 'accepted' | 'duplicate'; readonly conversationId: ConversationId }
    | { readonly status: 'unknown' }
  >
  /** What came for the id; null when nothing came yet. */
  externalEvent(eventId: string): Promise<ExternalEvent | null>

  /**
   * Handoffs of an account in that status, in the order of the writes that first held them, whatever their `since`: the wall
   * clock may step. One keeps its place when its status changes; the next one of a conversation is a new one.
   */
  handoffs(accountId: AccountId, status: 'waiting' | 'active'): Promise<readonly HandoffEntry[]>
  /** Waits of an account's queue whose handoffs were joined at `since` or later: the newest that many, newest first. */
  joinedWaits(
    accountId: AccountId,
    queueName: string,
    since: number,
    limit: number,
  ): Promise<readonly JoinedWait[]>
  /**
   * Takes the lines in which somebody waits and that nobody holds after `now`, or only beyond
   * `claimReach`, and holds them until `until`: accounts with
   * a waiting handoff, in no particular order. Of several callers one gets each of them. No conversation changes by it.
   */
  claimLines(now: number, until: number): Promise<readonly AccountId[]>
  /** Ids of the agent's conversations that have no `finishedAt`, debug ones included. */
  openConversations(agentId: AgentId): Promise<readonly ConversationId[]>

  /**
   * A page of all records of a scope in the opposite order: the newest first, of one moment the last id first. `after` is a place in
   * that order; `bytes` as in `records`.
   */
  newestRecords(
    scope: ConversationScope,
    from: RecordPosition,
    limit: number,
    bytes?: number,
  ): Promise<RecordPage>
  /**
   * A page of at most so many records. With `bytes` it ends before the record with which its texts would have more UTF-8 bytes, but holds one
   * at least; `turns` that have more by themselves are null, and count nothing.
   */
  records(filter: RecordFilter, from: RecordPosition, limit: number, bytes?: number): Promise<RecordPage>
  /**
   * Places of records of the filter drawn at random, at most `limit`, all where there are not more: every choice of so many is equally likely.
   * In the list's order.
   */
  sample(filter: RecordFilter, limit: number): Promise<readonly RecordPlace[]>
  /** Null when there is no listed conversation of that account, agent and id. Its `turns` are null where they have more than `bytes`. */
  record(
    accountId: AccountId,
    agentId: AgentId,
    id: ConversationId,
    bytes?: number,
  ): Promise<RecordText | null>
  /** Resolves after other tasks of the process have had their turn, so that a caller may ask range after range. */
  intervals(filter: IntervalFilter): Promise<ActivityIntervals>
  /** For each range the stamp that `intervals` would give for it now, for much less. */
  intervalsStamps(conditions: IntervalConditions, ranges: readonly TimeRange[]): Promise<readonly string[]>

  /** Each scope that conversations are kept of, once, in no particular order; maybe also some of which none is left. */
  scopes(): Promise<readonly ConversationScope[]>
  /**
   * Removes conversations of a scope, listed or not, whose `finishedAt` is before the moment and which have no `wakeAt`:
   * nothing is to be done for them any more. The longest finished go first, at most `limit`; fewer where their logs are long,
   * but one at least. All that was kept of a conversation goes with it at one instant, event ids reserved for it included;
   * its id, and theirs, are free then.
   *
   * Against an append, or an event that comes for it, whichever is first wins: what came before is removed with the rest, or
   * keeps the conversation where it gave it a `wakeAt` or took its `finishedAt`; an append that comes after is `stale`, an
   * event `unknown`. Of two removals one counts the conversation.
   *
   * Resolves after other tasks of the process, and whoever else writes to the store, have had their turn, so that a caller may
   * ask again at once.
   */
  removeFinished(scope: ConversationScope, finishedBefore: number, limit: number): Promise<RemovalStep>
  /**
   * The same for one conversation, listed or not. `missing` when that account and agent have none of that id;
   * `in_progress` when it has no `finishedAt`, or a `wakeAt`: nothing is removed then. An `entry` is kept in the same write, exactly
   * when the conversation is removed (see `AuditStore`).
   */
  remove(
    accountId: AccountId,
    agentId: AgentId,
    id: ConversationId,
    entry?: AuditEntry,
  ): Promise<'removed' | 'in_progress' | 'missing'>
}
