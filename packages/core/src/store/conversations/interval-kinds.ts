import type { ConversationScope } from '../../ports/store/removals.ts'
import type { Kind } from '../documents.ts'
import { idOf, number, text, version } from '../kind-parts.ts'

/** Milliseconds. */
export const DAY = 86_400_000

/** The longest that a chunk may reach: it fits into 32 bits. */
export const LONGEST_SPAN = 45 * DAY

/** Classes of how long something lasts, each with its longest, in milliseconds. */
export const SPANS: readonly number[] = [600_000, 7_200_000, DAY, LONGEST_SPAN]

/** The class of loose intervals that are gone: before all others. */
export const GONE = -1

/** Returns the smallest class that includes the duration. Null for a duration that is in none. */
function spanOf(duration: number): number | null {
  const span = SPANS.findIndex(longest => duration <= longest)
  return duration < 0 || span === -1 ? null : span
}

/** The counted facts of a conversation, besides its scope. */
export interface Interval {
  readonly conversationId: string
  readonly startedAt: number
  /** Null while it is in progress. */
  readonly finishedAt: number | null
  readonly variantId: string | null
  readonly variantName: string | null
  readonly deploymentId: string | null
  readonly language: string | null
  readonly toNumber: string
}

/** An interval that is in no chunk, or replaces the one of its conversation and start in a chunk. */
export interface LooseInterval extends ConversationScope, Interval {
  /** True: the conversation no longer counts here. Everything that may be known of it is left out. */
  readonly gone: boolean
  /** Never used again, since ids are. */
  readonly version: number
}

const SCOPE = {
  account_id: text(({ accountId }: ConversationScope) => accountId),
  agent_id: text(({ agentId }: ConversationScope) => agentId),
  environment: text(({ environment }: ConversationScope) => environment),
}
const BY_SCOPE = ['account_id', 'agent_id', 'environment'] as const

/** Returns the scope of a value that has one. */
export const scopeOf = ({ accountId, agentId, environment }: ConversationScope): ConversationScope => ({
  accountId,
  agentId,
  environment,
})

/** Returns the values by which the documents of a scope are found. */
export const scopeValues = ({ accountId, agentId, environment }: ConversationScope) =>
  [accountId, agentId, environment] as const

/** Returns the class in which an interval is packed. Null for one that stays loose. */
export const classOf = ({ finishedAt, gone, startedAt }: LooseInterval): number | null =>
  gone ? GONE : finishedAt === null ? null : spanOf(finishedAt - startedAt)

/** Intervals of conversations that began, finished or changed and were not packed since. */
export const LOOSE_INTERVAL: Kind<LooseInterval> = {
  name: 'loose_interval',
  id: one => idOf(one.conversationId, ...scopeValues(one), one.startedAt),
  key: ['conversation_id', ...BY_SCOPE, 'started_at'],
  version,
  columns: {
    conversation_id: text(({ conversationId }) => conversationId),
    ...SCOPE,
    started_at: number(({ startedAt }) => startedAt),
    packing: number(classOf),
  },
  indexes: {
    scope: [...BY_SCOPE, 'started_at'],
    packing: [...BY_SCOPE, 'packing', 'started_at'],
  },
  goesWith: {},
}

/** The state of a scope's chunks. Every change of them makes another version. */
export interface IntervalPacking extends ConversationScope {
  /** No chunk of the scope has this number, or a greater one. */
  readonly version: number
}

/** Scopes that have chunks, or had some. */
export const INTERVAL_PACKING: Kind<IntervalPacking> = {
  name: 'interval_packing',
  id: scope => idOf(...scopeValues(scope)),
  version,
  columns: {},
  indexes: {},
  goesWith: {},
}

/** The facts of a chunk without its columns. Chunks never change: others replace them. */
export interface IntervalChunk extends ConversationScope {
  /** The number of the chunk. No other chunk of the scope has it, then or later. */
  readonly number: number
  readonly firstStart: number
  readonly lastEnd: number
}

/** Chunks of finished intervals, by how long they reach. */
export const INTERVAL_CHUNK: Kind<IntervalChunk> = {
  name: 'interval_chunk',
  id: chunk => idOf(...scopeValues(chunk), chunk.number),
  version: chunk => chunk.number,
  columns: {
    ...SCOPE,
    span: number(({ firstStart, lastEnd }) => spanOf(lastEnd - firstStart)),
    first_start: number(({ firstStart }) => firstStart),
  },
  indexes: { scope: [...BY_SCOPE, 'span', 'first_start'] },
  goesWith: {},
}

/** The columns of a chunk. Answers read those that they need: ids only of chunks that loose intervals may replace. */
export const COLUMN_NAMES = ['variants', 'languages', 'numbers', 'ids', 'deployments'] as const

/** The name of a column. */
export type ColumnName = (typeof COLUMN_NAMES)[number]

/** A column of a chunk: one value for each interval, by start. */
export interface IntervalColumn {
  readonly id: string
  /** Different values. */
  readonly values: readonly (string | null)[]
  /** The index of each interval's value, as numbers in text. Empty if all have one value, or each its own. */
  readonly places: string
  /**
   * The times of the intervals, for the variants, which every answer reads. First the time from each start to the next,
   * then each duration. In milliseconds, as numbers in text.
   */
  readonly times: string
}

/** Returns the ids of these columns. */
export function columnIds(chunk: IntervalChunk, names: readonly ColumnName[]): readonly string[] {
  const id = INTERVAL_CHUNK.id(chunk)
  return names.map(name => `${name} ${id}`)
}

/** Columns of chunks. */
export const INTERVAL_COLUMN: Kind<IntervalColumn> = {
  name: 'interval_column',
  id: ({ id }) => id,
  version: () => 1,
  columns: {},
  indexes: {},
  goesWith: {},
}
