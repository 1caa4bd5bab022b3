import { type CallsOf, callsWith } from '../../calls/call.ts'
import type { AccountId, AgentId, ConversationId } from '../../domain/ids.ts'
import { accountId, agentId, id } from '../shared/arguments.ts'
import { exportVisitor, type VisitorLine } from './export-visitor.ts'
import { finishRecording } from './finish-recording.ts'
import {
  type ConversationImport,
  type ImportedConversation,
  importConversations,
  importSchema,
} from './import-conversations.ts'
import { type PurgeInput, type PurgeResult, purgeConversations, purgeSchema } from './purge-conversations.ts'
import { recordTurn } from './record-turn.ts'
import {
  type Recorded,
  type RecordingFinish,
  type RecordingStart,
  type RecordingTurn,
  recordingSchemas,
} from './recording-input.ts'
import { removeConversation } from './remove-conversation.ts'
import { type RemovedVisitor, removeVisitor } from './remove-visitor.ts'
import { type SavedViews, savedViewCalls } from './saved-views.ts'
import { type RecordingParts, startRecording } from './start-recording.ts'
import { summarizeVisitor, type VisitorSummary } from './visitor-conversations.ts'
import {
  keyOfVisitor,
  type VisitorInput,
  type VisitorRemoval,
  visitorRemovalSchema,
  visitorSchema,
} from './visitor-input.ts'

/** Calls of a host about recorded conversations. */
export interface ConversationRecords {
  /**
   * Begins the record of a conversation that takes place in the host's own channel, such as a voice call. A repeated
   * call with the same id and facts is a `duplicate`. The conversation is in progress until `finish`, however long it
   * is silent.
   * @throws SCHEMA_VALIDATION_FAILED, PROJECT_NOT_FOUND, VARIANT_NOT_FOUND, CONVERSATION_ID_ALREADY_EXISTS
   */
  start(input: RecordingStart): Promise<Recorded>
  /**
   * Adds a turn. A turn id takes effect once in its conversation: the first call wins.
   * @throws SCHEMA_VALIDATION_FAILED, CONVERSATIONS_NOT_FOUND, CONVERSATION_NOT_RECORDED, CONVERSATION_FINISHED
   */
  recordTurn(input: RecordingTurn): Promise<Recorded>
  /**
   * Ends it; the first end wins.
   * @throws SCHEMA_VALIDATION_FAILED, CONVERSATIONS_NOT_FOUND, CONVERSATION_NOT_RECORDED
   */
  finish(input: RecordingFinish): Promise<Recorded>
  /**
   * Records many conversations that are over, and resolves to what became of each, in order. One that is refused is
   * checked before any of it is written; the others are recorded. Made again, it continues: what is there is a
   * `duplicate`.
   * @throws SCHEMA_VALIDATION_FAILED, PROJECT_NOT_FOUND
   */
  import(input: ConversationImport): Promise<readonly ImportedConversation[]>
  /**
   * Removes what finished before a moment: records, logs, states and external events, debug chats included. Runs in
   * batches, so that other work goes on; interrupted and called again, it continues.
   * @throws SCHEMA_VALIDATION_FAILED; the signal's reason when it stops the purge
   */
  purge(input: PurgeInput): Promise<PurgeResult>
  /** Views of the list of conversations that the people of an account share. */
  readonly views: SavedViews
  /** Counts what is kept of one visitor of an account. @throws SCHEMA_VALIDATION_FAILED */
  visitor(accountId: AccountId, visitor: VisitorInput): Promise<VisitorSummary>
  /**
   * Returns everything that is kept of a visitor, of all agents and environments, as lines of JSON, each read on
   * demand. Recordings are named: the host has their sound. The last line has the type `end`.
   * @throws SCHEMA_VALIDATION_FAILED
   */
  exportVisitor(accountId: AccountId, visitor: VisitorInput): AsyncIterable<VisitorLine>
  /**
   * Removes the finished conversations of a visitor, of all agents and environments, and what is kept of the phone
   * number. Interrupted and called again, it continues. Recordings are the host's to delete.
   * @throws SCHEMA_VALIDATION_FAILED; the signal's reason when it stops the removal
   */
  removeVisitor(accountId: AccountId, visitor: VisitorRemoval): Promise<RemovedVisitor>
  /** Removes one finished conversation, of any age. @throws CONVERSATIONS_NOT_FOUND, CONVERSATION_IN_PROGRESS */
  remove(accountId: AccountId, agentId: AgentId, id: ConversationId): Promise<void>
}

const { call, act } = callsWith<RecordingParts>()

/** The implementations of the calls about recorded conversations. */
export const conversationCalls = {
  start: call(() => [recordingSchemas().start], startRecording),
  recordTurn: call(() => [recordingSchemas().turn], recordTurn),
  finish: call(() => [recordingSchemas().finish], finishRecording),
  import: call(() => [importSchema()], importConversations),
  // A condition of undefined must not remove all records.
  purge: act(() => [purgeSchema], purgeConversations, { exact: true }),
  views: savedViewCalls,
  visitor: call(
    () => [accountId, visitorSchema()],
    (deps, ofAccount, given) => summarizeVisitor(deps, ofAccount, keyOfVisitor(given)),
    { exact: true },
  ),
  exportVisitor: act(() => [accountId, visitorSchema()], exportVisitor, { exact: true, answers: 'iterable' }),
  // Neither must a visitor of undefined name another one.
  removeVisitor: act(() => [accountId, visitorRemovalSchema()], removeVisitor, { exact: true }),
  remove: act(() => [accountId, agentId, id], removeConversation),
} satisfies CallsOf<ConversationRecords, RecordingParts>
