import * as z from 'zod'
import { type CallsOf, callsWith } from '../../calls/call.ts'
import type { CallRecording } from '../../domain/conversation/call-recording.ts'
import { placeAfter, publicId } from '../../domain/conversation/conversation-key.ts'
import type { Health } from '../../domain/conversation/health.ts'
import type { RecordJson, TurnJson } from '../../domain/conversation/record.ts'
import type { AccountId, AgentId, ConversationId } from '../../domain/ids.ts'
import { onFirstUse } from '../../domain/on-first-use.ts'
import type { RecordingWanted } from '../../ports/recordings.ts'
import type {
  PlainRecordFilter,
  RecordFilter,
  RecordPage,
  RecordPageStart,
} from '../../ports/store/records.ts'
import type { Context } from '../context.ts'
import { addressOf, type FileAddress } from '../files/file-address.ts'
import { accountId, agentId, id } from '../shared/arguments.ts'
import type { CountedParts } from './counted-parts.ts'
import type { Listenings } from './listenings.ts'
import { newestSlices } from './newest-records.ts'
import { type ConversationSound, readAudio, readRecordings } from './read-audio.ts'
import { type Concurrency, type ConcurrencyInput, readConcurrency } from './read-concurrency.ts'
import { type HandoffState, type HandoffStateQuery, readHandoffState } from './read-handoff-state.ts'
import { readHealth } from './read-health.ts'
import { type OverviewPage, readOverview } from './read-overview.ts'
import { readRecord, recordKey, turnPages } from './read-record.ts'
import { type RecordQuery, readRecords, recordSlices, sampleSlices } from './read-records.ts'
import { readTranscript, type TranscriptPart, type TranscriptPlace } from './read-transcript.ts'
import { readUnanswered, UNANSWERED_LIMITS, type Unanswered, type UnansweredPage } from './read-unanswered.ts'
import {
  concurrencySchema,
  handoffStateSchema,
  plainFilterSchema,
  positionSchema,
  recordFilterSchema,
  recordingWantedSchema,
  recordQuerySchema,
} from './reading-input.ts'

export type { HandoffState, HandoffStateQuery } from './read-handoff-state.ts'
export type { RecordQuery } from './read-records.ts'

/** The schema of {@link FileWanted}. */
const fileWantedSchema = onFirstUse(() => {
  const text = z.string().min(1)
  return z.object({ accountId: text, agentId: text, conversationId: text, fileId: text })
})

/** A file of a conversation of an agent. */
export type FileWanted = z.output<ReturnType<typeof fileWantedSchema>>

/**
 * Conversation records and concurrency figures (contract/conversations.md). Records and turns are JSON as it is stored:
 * `value` is the object to read, `text` what goes out as it is.
 */
export interface Reading {
  /**
   * Returns a page of records, ascending by start, then id: at most `limit` records and `limits.sliceBytes` of text,
   * but at least one. `more` says whether another follows. The `turns` of a record that are longer than that are null:
   * `turns` reads them.
   * @throws SCHEMA_VALIDATION_FAILED for a start after the end, an invalid time, both variant filters, or words without
   * a letter and digit. For a semantic search: for a query that is blank or too long, NOT_IMPLEMENTED without an
   * embedder, EMBEDDER_FAILED
   */
  records(query: RecordQuery, from: RecordPageStart, limit: number): Promise<RecordPage>
  /**
   * Returns the same page in slices that are read on demand: for long pages, so that other requests do not wait. The
   * first one rejects as `records` does.
   */
  slices(query: RecordQuery, from: RecordPageStart, limit: number): AsyncIterable<RecordPage>
  /**
   * Returns the records that the filter selects, newest first. Their `details` also hold `function_events`. In slices
   * as `slices`.
   * @throws SCHEMA_VALIDATION_FAILED for an invalid page, and as `records`
   */
  newest(filter: PlainRecordFilter, offset: number, limit: number): AsyncIterable<RecordPage>
  /**
   * Returns at most `limit` records drawn at random, in the list's order, in slices as from `slices`. Returns all
   * records when there are no more.
   * @throws SCHEMA_VALIDATION_FAILED as `records`
   */
  sample(filter: RecordFilter, limit: number): AsyncIterable<RecordPage>
  /**
   * Returns one record. Its `details` also hold `function_events`. Null when the agent has no listed conversation of
   * that id. Turns that are longer than `limits.sliceBytes` are null, and their function events are not among the
   * details: `turns` reads both.
   */
  record(accountId: AccountId, agentId: AgentId, id: ConversationId): Promise<RecordJson | null>
  /**
   * Returns the turns of a conversation in slices of at most `limits.sliceBytes`, each read on demand. Their `details`
   * are as stored: without empty values.
   * @throws CONVERSATIONS_NOT_FOUND, also when the conversation is removed between two slices
   */
  turns(accountId: AccountId, agentId: AgentId, id: ConversationId): AsyncIterable<readonly TurnJson[]>
  /**
   * Returns the sound of a conversation as WAV: what was kept of its calls, one after the other, with the visitor left
   * and the agent right (RC613), or what `PlatformOptions.recordings` opens. Nothing is read until it is asked for.
   * @throws CONVERSATIONS_NOT_FOUND when the agent has no listed conversation of that id,
   * CONVERSATIONS_RECORDING_NOT_FOUND when the host has no such recording of it
   */
  audio(wanted: RecordingWanted): Promise<ConversationSound>
  /**
   * Returns the recordings that were kept of a conversation's calls, earliest first, without their sound (RC613).
   * @throws CONVERSATIONS_NOT_FOUND
   */
  recordings(accountId: AccountId, agentId: AgentId, id: ConversationId): Promise<readonly CallRecording[]>
  /**
   * Returns an address of a file of a conversation, which expires (FI13).
   * @throws NOT_IMPLEMENTED, FILE_NOT_FOUND
   */
  fileAddress(wanted: FileWanted): Promise<FileAddress>
  /**
   * Returns peak figures per 5-minute window.
   * @throws SCHEMA_VALIDATION_FAILED for an end before the start, over a week between them, an invalid time, or both
   * variant filters
   */
  concurrency(input: ConcurrencyInput): Promise<Concurrency>
  /**
   * Returns the agent's health figures over the conversations that the filter selects, or over `limit` of them, drawn
   * at random. 500 unless given. @throws SCHEMA_VALIDATION_FAILED as `records`
   */
  health(filter: RecordFilter, limit?: number): Promise<Health>
  /**
   * Returns the questions that the agent did not answer, in groups: those of the newest `limit` conversations that the
   * filter selects, 1 to 2,000 (WN1). 500 unless given. `page` chooses among the groups (WN3).
   * @throws SCHEMA_VALIDATION_FAILED as `records`
   */
  unanswered(filter: PlainRecordFilter, limit?: number, page?: UnansweredPage): Promise<Unanswered>
  /**
   * Returns a page of the conversations that the filter selects, newest first, in a few words each: at most `limit`,
   * fewer if they are long.
   * @throws SCHEMA_VALIDATION_FAILED as `records`
   */
  overview(filter: PlainRecordFilter, from: RecordPageStart, limit: number): Promise<OverviewPage>
  /**
   * Returns the data that a conversation left when its agent handed it off the last time (RC80).
   * @throws HANDOFF_STATE_NOT_FOUND, SCHEMA_VALIDATION_FAILED without an id
   */
  handoffState(query: HandoffStateQuery): Promise<HandoffState>
  /**
   * Returns the messages of a conversation with their authors, and the agent's actions at each turn, after a position.
   * To follow a conversation, call again from `next` on.
   * @throws CONVERSATIONS_NOT_FOUND
   */
  transcript(
    accountId: AccountId,
    agentId: AgentId,
    id: ConversationId,
    from: TranscriptPlace,
  ): Promise<TranscriptPart>
}

/** The dependencies of the calls that read. */
export interface ReadingDeps extends Context {
  readonly counted: CountedParts
  readonly listenings: Listenings
}

type Position = z.output<typeof positionSchema>

/** Returns the start of a page. An empty position is the beginning. */
const begun = ({ after, offset = 0 }: Position): RecordPageStart =>
  after === undefined ? { offset } : { after }

/** Returns the stored form of a position: callers know only public ids. */
function storedPosition(given: Position): RecordPageStart {
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

const unansweredPage = z.object({
  offset: z.int().min(0).optional(),
  limit: z.int().min(1).max(UNANSWERED_LIMITS.groups.most).optional(),
})

const { act, call } = callsWith<ReadingDeps>()
const limit = ['limit', z.number()] as const
const iterable = { answers: 'iterable' } as const

/** The implementations of the calls that read. */
export const readingCalls = {
  records: call(
    () => [recordQuerySchema(), positionSchema, limit],
    (deps, query, from, most) => readRecords(deps, query, storedPosition(from), most).then(publicPage),
  ),
  slices: call(
    () => [recordQuerySchema(), positionSchema, limit],
    (deps, query, from, most) => publicPages(recordSlices(deps, query, storedPosition(from), most)),
    iterable,
  ),
  newest: call(
    () => [plainFilterSchema(), ['offset', z.number()], limit],
    (...input) => publicPages(newestSlices(...input)),
    iterable,
  ),
  sample: call(
    () => [recordFilterSchema(), limit],
    (...input) => publicPages(sampleSlices(...input)),
    iterable,
  ),
  record: call(() => [accountId, agentId, id], readRecord),
  turns: call(() => [accountId, agentId, id], turnPages, iterable),
  audio: act(() => [recordingWantedSchema()], readAudio),
  recordings: call(() => [accountId, agentId, id], readRecordings),
  fileAddress: call(
    () => [fileWantedSchema()],
    async (deps, { accountId, agentId, conversationId, fileId }) => {
      const key = await recordKey(deps, accountId, agentId, conversationId)
      return addressOf(deps, { accountId, conversationId: key }, fileId)
    },
  ),
  concurrency: call(() => [concurrencySchema()], readConcurrency),
  health: call(() => [recordFilterSchema(), ['limit', z.number().optional()]], readHealth),
  unanswered: call(
    () => [plainFilterSchema(), ['limit', z.number().optional()], unansweredPage.optional()],
    readUnanswered,
  ),
  overview: call(
    () => [plainFilterSchema(), positionSchema, limit],
    (deps, filter, from, most) => readOverview(deps, filter, begun(from), most),
  ),
  handoffState: call(() => [handoffStateSchema()], readHandoffState),
  transcript: call(
    () => [accountId, agentId, id, z.object({ turns: z.int(), sequence: z.int() })],
    (deps, ofAccount, ofAgent, ...[conversationId, from]) =>
      readTranscript(deps, { accountId: ofAccount, agentId: ofAgent, conversationId }, from),
  ),
} satisfies CallsOf<Reading, ReadingDeps>
