import type { TurnTexts } from '../../domain/conversation/turn-words.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { RecordFilter, RecordPlace } from './records.ts'
import type { RemovalStep } from './removals.ts'

/** The packed vectors of a turn's two sides; null for a side without one. */
export interface TurnVectors {
  readonly user: Uint8Array | null
  readonly agent: Uint8Array | null
}

/** A turn that has no vectors yet. */
export interface TurnToEmbed extends TurnTexts {
  /** By this the store knows the turn as long as the claim holds. */
  readonly turn: number
  readonly conversationId: ConversationId
}

/** Turns that one caller embeds. */
export interface TurnClaim {
  /** By this the store knows the claim. */
  readonly claim: number
  /**
   * Newest first; none where those that were looked at belong to unlisted conversations. It is to be kept all the same.
   */
  readonly turns: readonly TurnToEmbed[]
  /** False when no other turn waits. */
  readonly more: boolean
}

/** The vectors of a turn that was claimed. */
export interface ClaimedTurnVectors extends TurnVectors {
  readonly turn: number
}

/** What one step through the vectors has found. */
export interface VectorStep {
  /** In the order of records: those whose turns have vectors, with all of them in the order of the turns. */
  readonly conversations: readonly (RecordPlace & { readonly turns: readonly TurnVectors[] })[]
  /** After which record to go on; null when there is none behind. */
  readonly next: RecordPlace | null
}

/**
 * Vectors of conversations' turns, by embedder id. They are made after the turns were written, by whoever claims them,
 * and go with their conversation. A write of a turn knows nothing of them.
 */
export interface TurnVectorStore {
  /**
   * Takes turns of listed conversations that nobody has embedded under that id: at most `limit`, the newest first,
   * about in the order of their writing. Null when there are none, or when somebody holds a claim under the id after
   * `now`, but for one beyond `claimReach`. The claim is held until `until`, or until it is kept or given back. Of
   * several callers one gets it. A conversation that becomes listed later may be passed over.
   */
  claim(embedderId: string, limit: number, now: number, until: number): Promise<TurnClaim | null>
  /**
   * Keeps vectors of claimed turns; from then on all turns of the claim count as embedded, whether they have vectors or
   * not. Those that were removed meanwhile get none. `lost`, and nothing is kept, when another claim has followed, or
   * the store does not know the claim any more; what it held can be claimed again then.
   */
  keep(embedderId: string, claim: number, vectors: readonly ClaimedTurnVectors[]): Promise<'kept' | 'lost'>
  /** Gives a claim back; nothing happens when another one has followed. */
  release(embedderId: string, claim: number): Promise<void>
  /**
   * Vectors of the next conversations that a filter selects, after a record, which need not be there, or from the first
   * one: at most `limit` conversations, and fewer where they have more than `limit` turns with vectors together, but
   * one at least.
   */
  next(
    embedderId: string,
    filter: Omit<RecordFilter, 'words'>,
    after: { readonly startedAt: number; readonly id: string } | null,
    limit: number,
  ): Promise<VectorStep>
  /**
   * Removes vectors of other embedders than that id, at most `limit` turns', unless somebody has claimed turns under
   * theirs at `unusedSince` or later. What had such vectors counts as not embedded under that id.
   */
  remove(exceptEmbedderId: string, unusedSince: number, limit: number): Promise<RemovalStep>
}
