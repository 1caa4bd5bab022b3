import type { Json, JsonObject } from '../json.ts'
import type { StoredJson } from '../stored-json.ts'

/**
 * A conversation's record without its turns: JSON in the wire's own words (contract/conversations.md, Record).
 * `summary` holds every v1 field but `turns`. `details` holds the fields that only v3 adds.
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
 * A record as a store holds it. `turns` are the turns' records, or null if their text has more bytes than requested:
 * then the turns are read page by page. A store that keeps texts returns them unchanged: lists send them to clients
 * without parsing them.
 */
export interface RecordJson {
  readonly summary: StoredJson<JsonObject>
  readonly details: StoredJson<JsonObject>
  readonly turns: StoredJson<readonly JsonObject[]> | null
  /** The function calls of each turn, where they were asked for. */
  readonly turnEvents?: readonly (readonly Json[])[]
}

/** One turn as a store holds it: see {@link StoredTurn}. */
export interface TurnJson {
  readonly record: StoredJson<JsonObject>
  readonly details: StoredJson<JsonObject>
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
  /** The deployment of its newest turn; null for none. Conversations of before this was kept have none. */
  readonly deploymentId: string | null
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
    /** The live agent of an active one. Also null for one that was written before this was kept. */
    readonly liveAgentId: string | null
  } | null
  /** The integrator's id with which it was handed off last, and when; null for none, and of tests and debug chats. */
  readonly shared: { readonly id: string; readonly at: number } | null
}
