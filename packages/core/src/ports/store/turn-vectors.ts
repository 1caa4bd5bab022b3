import type { TurnTexts } from '../../domain/conversation/turn-words.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { RecordFilter, RecordPosition } from './records.ts'
import type { RemovalStep } from './removals.ts'

/** The packed vectors of a turn's two sides; null for a side without one. */
export interface TurnVectors {
  readonly user: Uint8Array | null
  readonly agent: Uint8Array | null
}

/** A turn that has no vectors yet. */
export interface TurnToEmbed extends TurnTexts {
  /** Identifies the turn, in every claim of it. */
  readonly turn: number
  readonly conversationId: ConversationId
}

/** Turns that one caller embeds. */
export interface TurnClaim {
  /** Identifies the claim in the store. */
  readonly claim: number
  /**
   * Newest first. Empty if all turns examined belong to unlisted conversations; the claim must be passed to `keep` all
   * the same.
   */
  readonly turns: readonly TurnToEmbed[]
  /** False when no further turn is waiting. */
  readonly more: boolean
}

/** The vectors of a claimed turn. */
export interface ClaimedTurnVectors extends TurnVectors {
  readonly turn: number
}

/** The result of one step through the vectors. */
export interface VectorStep {
  /** Conversations that have vectors, in the order of records; each with all its vectors in the order of the turns. */
  readonly conversations: readonly (RecordPosition & { readonly turns: readonly TurnVectors[] })[]
  /** The position after which the next step starts; null after the last record. */
  readonly next: RecordPosition | null
}

/**
 * Vectors of conversations' turns, by embedder id. They are made after the turn was written, by the caller that claims
 * it, and are removed with the conversation. Writing a turn does not involve them.
 */
export interface TurnVectorStore {
  /**
   * Claims up to `limit` turns of listed conversations that are not embedded under that id, approximately newest first
   * by time of writing. Null when there are no such turns, or while another claim under the id is held at `now` (a
   * claim that ends beyond `claimReach` is ignored). The claim is held until `until`, or until `keep` or `release`. One
   * of several callers gets it. A conversation that becomes listed later may be skipped.
   */
  claim(embedderId: string, limit: number, now: number, until: number): Promise<TurnClaim | null>
  /**
   * Stores vectors of claimed turns. From then on all turns of the claim count as embedded, with or without vectors;
   * turns that have been removed meanwhile are skipped. `lost`, and nothing is stored, when a later claim was made or
   * the store no longer knows this one; its turns can be claimed again.
   */
  keep(embedderId: string, claim: number, vectors: readonly ClaimedTurnVectors[]): Promise<'kept' | 'lost'>
  /** Releases a claim; does nothing when a later claim was made. */
  release(embedderId: string, claim: number): Promise<void>
  /**
   * Vectors of the next conversations that match a filter, after a position (which need not exist) or from the first
   * one: at most `limit` conversations, and fewer if together they have more than `limit` turns with vectors, but at
   * least one.
   */
  next(
    embedderId: string,
    filter: Omit<RecordFilter, 'words'>,
    after: { readonly startedAt: number; readonly id: string } | null,
    limit: number,
  ): Promise<VectorStep>
  /**
   * Removes vectors of up to `limit` turns made by embedders other than `exceptEmbedderId`, unless turns were claimed
   * under their id at `unusedSince` or later. Those turns then count as not embedded under the removed id.
   */
  remove(exceptEmbedderId: string, unusedSince: number, limit: number): Promise<RemovalStep>
}
