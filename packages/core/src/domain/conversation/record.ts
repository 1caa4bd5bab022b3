import type { JsonObject } from '../json.ts'

/**
 * What a conversation's record says beside its turns: JSON in the wire's own words (contract/conversations.md, Record).
 * `summary` holds every v1 field but `turns`; `details` the fields that only v3 adds.
 */
export interface RecordHead {
  readonly summary: JsonObject
  readonly details: JsonObject
}

/** One turn as it is kept. `record` is the v1 turn; `details` what debug chat and v3 show besides. */
export interface StoredTurn {
  readonly record: JsonObject
  readonly details: JsonObject
}

/**
 * The same as JSON text, exactly as `JSON.stringify` makes it, without white space: `summary` and `details` are
 * objects, `turns` is the array of the turns' records, or null where it has more bytes than were asked for: then the
 * turns are read page by page.
 *
 * Text, because lists hand records on to clients without looking into them: a store that keeps texts reads them as they
 * are, and one that keeps values calls `JSON.stringify` when it is asked.
 */
export interface RecordText {
  readonly summary: string
  readonly details: string
  readonly turns: string | null
}

/** One turn as JSON text, exactly as `JSON.stringify` makes it. */
export interface TurnText {
  readonly record: string
  readonly details: string
}

/** The columns that lists, handoffs and concurrency select by. Times are milliseconds since the epoch. */
export interface ConversationIndex {
  readonly accountId: string
  readonly agentId: string
  readonly environment: string
  /** False for tests, and for debug chats that the host does not want in lists. */
  readonly listed: boolean
  /** False for tests and debug chats: they are in no figure, listed or not. */
  readonly counted: boolean
  readonly startedAt: number
  /** Null while it is in progress. */
  readonly finishedAt: number | null
  readonly variantId: string | null
  readonly variantName: string | null
  readonly channel: string
  readonly language: string | null
  readonly fromNumber: string
  readonly toNumber: string
  /** The handoff that waits for a live agent or has one; null otherwise. */
  readonly handoff: {
    readonly id: string
    readonly status: 'waiting' | 'active'
    readonly queueName: string
    readonly since: number
  } | null
}
