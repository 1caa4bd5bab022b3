import type { ConversationEvent } from '../domain/conversation/event.ts'
import type { ConversationIndex, StoredTurn } from '../domain/conversation/record.ts'
import type { ConversationState } from '../domain/conversation/state.ts'
import type { ConversationId } from '../domain/ids.ts'
import type { AuditStore } from '../ports/store/audit.ts'
import type { Store } from '../ports/store/store.ts'
import type { DocumentParts } from './kinds.ts'

/** An event id that a conversation has reserved, and what has come for it. */
export interface CopiedExternalEvent {
  readonly eventId: string
  /** Null until it has come. */
  readonly arrived: {
    readonly contentType: string
    /** Base64. */
    readonly body: string
    readonly receivedAt: number
  } | null
}

/** A conversation with all that belongs to it. */
export interface CopiedConversation {
  readonly id: ConversationId
  readonly version: number
  /** Whole. */
  readonly state: ConversationState
  readonly wakeAt: number | null
  readonly events: readonly ConversationEvent[]
  readonly turns: readonly StoredTurn[]
  /** In the order of ids. */
  readonly externalEvents: readonly CopiedExternalEvent[]
  /** In the order of their acceptance. */
  readonly pendingExternalEvents: readonly string[]
}

/** A conversation for another store. */
export interface ConversationToTake extends CopiedConversation {
  readonly index: ConversationIndex
}

/** The documents as which the parts of a store are copied, beside conversations. */
export type CopiedParts = DocumentParts

/** A part of a store, beside conversations. */
export type CopiedKind = keyof CopiedParts

/**
 * The key by which a part is found and ordered. Numbers compare by value, texts by code points, one after the other.
 */
export type CopyKey = readonly (string | number)[]

/** The values that show whether a conversation is the same in two stores without reading it. */
export interface ConversationMark {
  readonly id: ConversationId
  readonly startedAt: number
  readonly version: number
  /** Claims move it without a new version. */
  readonly wakeAt: number | null
  /** The number of event ids that are reserved for it. A reservation makes no new version. */
  readonly externalEvents: number
}

/**
 * The calls of a store by which everything in it can be moved into another one.
 *
 * Not included, since the other store makes it again: indexes, figures and search words. The same goes for the vectors
 * of turns, which the host's embedder makes, for leases, and for recent waiting times of visitors.
 */
export interface CopyStore {
  /**
   * Parts of a kind after a key, in the order of their keys: `count` at most, and at most `bytes` of JSON, one at
   * least. Empty behind the last one.
   */
  page<Kind extends CopiedKind>(
    kind: Kind,
    after: CopyKey | null,
    bounds: { readonly count: number; readonly bytes: number },
  ): Promise<readonly CopiedParts[Kind][]>
  /**
   * Writes parts as they are, over those of the same keys. Entries of the audit log never change: one that is
   * there is refused.
   */
  take<Kind extends CopiedKind>(kind: Kind, parts: readonly CopiedParts[Kind][]): Promise<void>
  /** Removes the parts of those keys. */
  drop(kind: CopiedKind, keys: readonly CopyKey[]): Promise<void>
  /** Returns marks by id, after the given one: at most `count`. */
  marks(after: ConversationId | null, count: number): Promise<readonly ConversationMark[]>
  /** Returns a conversation. Null if there is no such conversation. */
  conversation(id: ConversationId): Promise<CopiedConversation | null>
  /**
   * Writes conversations as they are, all or none. One that is there is an earlier state of it: its log is continued,
   * and the rest replaced. No two have the same id.
   */
  takeConversations(conversations: readonly ConversationToTake[]): Promise<void>
  /** Removes conversations in whatever state, with everything that is stored about them. */
  dropConversations(ids: readonly ConversationId[]): Promise<void>
  /** Conversations with a handoff, in the order in which their handoffs came. */
  handoffOrder(): Promise<readonly ConversationId[]>
  /** Orders handoffs so. Those that are not named come first. */
  orderHandoffs(order: readonly ConversationId[]): Promise<void>
}

/**
 * The name of the secret that a store holds from the first write of a copy into it until the copy is whole (CY28). An
 * adapter refuses to open such a store, but for a copy that goes on.
 */
export const UNFINISHED_COPY = 'unfinished-copy'

/**
 * The reason why a store with that secret is not opened, and the remedy: a sentence after the place, without its full
 * stop.
 */
export const UNFINISHED_COPY_REFUSAL =
  'a copy into it was cut off, or still goes on. Run the same colloquy-admin copy or import again: it goes on where it stopped'

/** Parts that are only read: of a store, or of an export of one (CY29). */
export type CopyReads = Pick<CopyStore, 'page' | 'marks' | 'conversation' | 'handoffOrder'>

/** The source of a copy. */
export interface CopySource {
  readonly copies: CopyReads
  readonly audit: Pick<AuditStore, 'list'>
}

/** A store from which, and into which, everything can be copied. */
export interface CopyableStore extends Store {
  readonly copies: CopyStore
}
