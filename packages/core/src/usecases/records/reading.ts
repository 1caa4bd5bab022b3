import { placeAfter, publicId } from '../../domain/conversation/conversation-key.ts'
import type { Health } from '../../domain/conversation/health.ts'
import type { RecordJson, TurnJson } from '../../domain/conversation/record.ts'
import type { AccountId, AgentId, ConversationId } from '../../domain/ids.ts'
import type { RecordingWanted } from '../../ports/recordings.ts'
import type {
  PlainRecordFilter,
  RecordFilter,
  RecordPage,
  RecordPageStart,
} from '../../ports/store/records.ts'
import type { Context } from '../context.ts'
import { createCountedParts } from './counted-parts.ts'
import { newestSlices } from './newest-records.ts'
import { readAudio } from './read-audio.ts'
import { type Concurrency, type ConcurrencyInput, readConcurrency } from './read-concurrency.ts'
import { type HandoffState, type HandoffStateQuery, readHandoffState } from './read-handoff-state.ts'
import { readHealth } from './read-health.ts'
import { type OverviewPage, readOverview } from './read-overview.ts'
import { readRecord, turnPages } from './read-record.ts'
import { type RecordQuery, readRecords, recordSlices, sampleSlices } from './read-records.ts'
import { readTranscript, type TranscriptPart, type TranscriptPlace } from './read-transcript.ts'

export type { HandoffState, HandoffStateQuery } from './read-handoff-state.ts'
export type { RecordQuery } from './read-records.ts'

/**
 * Conversation records and concurrency figures (contract/conversations.md). Records and turns are JSON as it is stored:
 * `value` is the object to read, `text` what goes out as it is (RC62).
 */
export interface Reading {
  /**
   * A page of records, ascending by start, then id: at most `limit` records and `limits.sliceBytes` of text, but at
   * least one. `more` says whether another follows. The `turns` of a record that are longer than that are null: `turns`
   * reads them.
   * @throws SCHEMA_VALIDATION_FAILED for a start after the end, an invalid time, both variant filters, or words without
   *   a letter and digit. For a semantic search: for a query that is blank or too long, NOT_IMPLEMENTED without an
   *   embedder, EMBEDDER_FAILED
   */
  records(query: RecordQuery, from: RecordPageStart, limit: number): Promise<RecordPage>
  /**
   * The same page in slices that are read as they are asked for: for long pages, so that other requests do not wait.
   * The first one rejects as `records` does.
   */
  slices(query: RecordQuery, from: RecordPageStart, limit: number): AsyncIterable<RecordPage>
  /**
   * The records that the filter selects, newest first; their `details` also hold `function_events`. In slices as
   * `slices`.
   * @throws SCHEMA_VALIDATION_FAILED for an invalid page, and as `records`
   */
  newest(filter: PlainRecordFilter, offset: number, limit: number): AsyncIterable<RecordPage>
  /**
   * At most `limit` records drawn at random, in the list's order, in slices as from `slices`; all records when there
   * are no more.
   * @throws SCHEMA_VALIDATION_FAILED as `records`
   */
  sample(filter: RecordFilter, limit: number): AsyncIterable<RecordPage>
  /**
   * One record; its `details` also hold `function_events`. Null when the agent has no listed conversation of that id.
   * Where its turns are longer than `limits.sliceBytes` they are null, and their function events are not among the
   * details: `turns` reads both.
   */
  record(accountId: AccountId, agentId: AgentId, id: ConversationId): Promise<RecordJson | null>
  /**
   * The turns of a conversation in slices of at most `limits.sliceBytes`, each read when it is asked for. Their
   * `details` are as they are kept: without what is empty (RC73).
   * @throws CONVERSATIONS_NOT_FOUND, also when the conversation is removed between two slices
   */
  turns(accountId: AccountId, agentId: AgentId, id: ConversationId): AsyncIterable<readonly TurnJson[]>
  /**
   * The sound of a conversation as WAV, chunk by chunk, from `PlatformOptions.recordings`.
   * @throws CONVERSATIONS_NOT_FOUND when the agent has no listed conversation of that id,
   *   CONVERSATIONS_RECORDING_NOT_FOUND when the host has no such recording of it
   */
  audio(wanted: RecordingWanted): Promise<AsyncIterable<Uint8Array>>
  /**
   * Peak figures per 5-minute window.
   * @throws SCHEMA_VALIDATION_FAILED for an end before the start, over a week between them, an invalid time, or both
   *   variant filters
   */
  concurrency(input: ConcurrencyInput): Promise<Concurrency>
  /**
   * How the agent did in the conversations that the filter selects, or in `limit` of them, drawn at random; 500 unless
   * given. @throws SCHEMA_VALIDATION_FAILED as `records`
   */
  health(filter: RecordFilter, limit?: number): Promise<Health>
  /**
   * A page of the conversations that the filter selects, newest first, in a few words each: at most `limit`, fewer
   * where they are long.
   * @throws SCHEMA_VALIDATION_FAILED as `records`
   */
  overview(filter: PlainRecordFilter, from: RecordPageStart, limit: number): Promise<OverviewPage>
  /**
   * What a conversation left when its agent handed it off the last time (RC80 to RC82).
   * @throws HANDOFF_STATE_NOT_FOUND, SCHEMA_VALIDATION_FAILED without an id
   */
  handoffState(query: HandoffStateQuery): Promise<HandoffState>
  /**
   * What was said in a conversation and by whom, and what the agent did at each turn, after a place. Who follows
   * one asks again from `next` on.
   * @throws CONVERSATIONS_NOT_FOUND
   */
  transcript(
    accountId: AccountId,
    agentId: AgentId,
    id: ConversationId,
    from: TranscriptPlace,
  ): Promise<TranscriptPart>
}

/** A position that says nothing is the beginning. */
function begun(from: Partial<RecordPageStart>): RecordPageStart {
  if ('after' in from && from.after !== undefined) return { after: from.after }
  return { offset: 'offset' in from && from.offset !== undefined ? from.offset : 0 }
}

/** The stored form of a position: callers know only public ids. */
function storedPosition(given: RecordPageStart): RecordPageStart {
  const from = begun(given)
  return 'after' in from ? { after: { ...from.after, id: placeAfter(from.after.id) } } : from
}

const publicPage = ({ records, more }: RecordPage): RecordPage => ({
  records: records.map(({ id, ...record }) => ({ id: publicId(id), ...record })),
  more,
})

async function* publicPages(pages: AsyncIterable<RecordPage>): AsyncGenerator<RecordPage> {
  for await (const page of pages) yield publicPage(page)
}

/** The reading side of the platform over the context's store and clock. */
export function createReading(context: Context): Reading {
  const counted = createCountedParts(context.settings.limits.cachedFigures)
  return {
    records: (query, from, limit) =>
      readRecords(context, query, storedPosition(from), limit).then(publicPage),
    slices: (query, from, limit) => publicPages(recordSlices(context, query, storedPosition(from), limit)),
    sample: (filter, limit) => publicPages(sampleSlices(context, filter, limit)),
    record: (accountId, agentId, id) => readRecord(context, accountId, agentId, id),
    turns: (accountId, agentId, id) => turnPages(context, accountId, agentId, id),
    newest: (filter, offset, limit) => publicPages(newestSlices(context, filter, offset, limit)),
    audio: wanted => readAudio(context, wanted),
    concurrency: input => readConcurrency({ store: context.store, clock: context.clock, counted }, input),
    health: (filter, limit) => readHealth(context, filter, limit),
    overview: (filter, from, limit) => readOverview(context, filter, begun(from), limit),
    handoffState: query => readHandoffState(context, query),
    transcript: (accountId, agentId, conversationId, from) =>
      readTranscript(context, { accountId, agentId, conversationId }, from),
  }
}
