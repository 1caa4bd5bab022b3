import type { ConversationEvent, NewEvent } from '../domain/conversation/event.ts'
import type { ConversationIndex, RecordHead, RecordText, StoredTurn } from '../domain/conversation/record.ts'
import type { ConversationState } from '../domain/conversation/state.ts'
import type { Environment } from '../domain/environment.ts'
import type { AccountId, AgentId, ConversationId, HandoffId } from '../domain/ids.ts'
import type { WebhookEvent } from '../domain/webhook/webhook.ts'

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
}

/**
 * - `appended`: written; the version is now `expectedVersion + 1`.
 * - `duplicate`: an event's `clientEventId` is in the log already, at `sequence`; nothing was written. Wins over `stale`.
 * - `stale`: the version has moved on, or the conversation is not there; nothing was written. Load and decide again.
 */
export type AppendResult =
  | { readonly status: 'appended' }
  | { readonly status: 'duplicate'; readonly sequence: number }
  | { readonly status: 'stale' }

/** A conversation as a decision needs it. */
export interface StoredConversation {
  readonly state: ConversationState
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
}

/** Where a page begins: after a number of records, or after the record with this start and id. */
export type RecordPosition =
  | { readonly offset: number }
  | { readonly after: { readonly startedAt: number; readonly id: string } }

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

/** Which conversations count for concurrency: listed ones that were active at some instant of `[from, to)`. */
export interface IntervalFilter {
  readonly accountId: AccountId
  readonly agentId: AgentId
  readonly environment: Environment
  readonly from: number
  readonly to: number
  readonly variantId?: string
  readonly variantName?: string
  readonly language?: string
  /** Compares with `toNumber`. */
  readonly phoneNumber?: string
}

/**
 * Columns of equal length, ordered by start. A conversation is active in `[start, end)`; one in progress has the end
 * `Infinity`. One whose start and end are the same instant counts as active at that instant.
 */
export interface ActivityIntervals {
  readonly starts: Float64Array
  readonly ends: Float64Array
  /** Index into `variants`. */
  readonly variant: Uint32Array
  /** The variants that occur; id and name are null for conversations without one. */
  readonly variants: readonly { readonly id: string | null; readonly name: string | null }[]
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
export interface ConversationStore {
  /** Writes a new conversation at version 1. `taken` when the id exists; nothing is written then. */
  create(conversation: ConversationWrite): Promise<'created' | 'taken'>
  /** Null when there is no such conversation. */
  load(id: ConversationId): Promise<StoredConversation | null>
  /** Of two appends with the same expected version one wins. */
  append(append: ConversationAppend): Promise<AppendResult>

  /** Events after a sequence, ascending; with a limit, the newest that many of them. Empty for an unknown conversation. */
  events(id: ConversationId, after: number, limit?: number): Promise<readonly ConversationEvent[]>
  /** Turns in order; with a limit, the newest that many. */
  turns(id: ConversationId, limit?: number): Promise<readonly StoredTurn[]>

  /**
   * Takes conversations whose `wakeAt` is not after `now`, earliest first, and sets their `wakeAt` to `until`, so that
   * another caller does not take them before that. A write in between replaces it.
   */
  claimDue(now: number, limit: number, until: number): Promise<readonly ConversationId[]>
  /** The earliest `wakeAt`; null when no conversation has one. */
  nextWakeAt(): Promise<number | null>

  /** Reserves an event id for a conversation. `taken` when the id is reserved already. */
  expectExternalEvent(event: {
    readonly eventId: string
    readonly conversationId: ConversationId
    readonly accountId: AccountId
    readonly agentId: AgentId
  }): Promise<'expected' | 'taken'>
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

  /** Handoffs of an account in that status, the longest waiting first, then by conversation id. */
  handoffs(accountId: AccountId, status: 'waiting' | 'active'): Promise<readonly HandoffEntry[]>
  /** Ids of the agent's conversations that have no `finishedAt`, debug ones included. */
  openConversations(agentId: AgentId): Promise<readonly ConversationId[]>

  records(filter: RecordFilter, from: RecordPosition, limit: number): Promise<RecordPage>
  /** Null when there is no listed conversation of that account, agent and id. */
  record(accountId: AccountId, agentId: AgentId, id: ConversationId): Promise<RecordText | null>
  intervals(filter: IntervalFilter): Promise<ActivityIntervals>
}
