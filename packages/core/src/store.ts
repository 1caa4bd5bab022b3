export type { TokenKey } from './domain/access/token-key.ts'
export type { DeletedAgent, Revision } from './domain/agent/agent.ts'
export type { Count, ValueCount } from './domain/alert/counters.ts'
export type { DeskOutcome } from './domain/conversation/desk-outcome.ts'
export type { DeskRoster } from './domain/conversation/desk-roster.ts'
export { type EventJson, eventOf } from './domain/conversation/event.ts'
export type { RecordJson, TurnJson } from './domain/conversation/record.ts'
export { type StateChanges, withChanges } from './domain/conversation/state-changes.ts'
export type { TalkRoom } from './domain/conversation/talk-room.ts'
export {
  holdWords,
  type Speaker,
  type TurnWords,
  turnWords,
  type WordCondition,
} from './domain/conversation/turn-words.ts'
export type { VisitorKey } from './domain/conversation/visitor-key.ts'
export type { JoinedWait } from './domain/conversation/waiting-line.ts'
export type { RealTimeConfig } from './domain/real-time-config/real-time-config.ts'
export { jsonOf, jsonText, type StoredJson } from './domain/stored-json.ts'
export type { ReceivedText, TextPair } from './domain/text/text-pair.ts'
export { deliveryId } from './domain/webhook/webhook.ts'
export type { AccountStore, CreatedFilter, CreatedPosition } from './ports/store/accounts.ts'
export type { AgentStore, NewAgent, Renaming } from './ports/store/agents.ts'
export type { AlertRuleStore } from './ports/store/alert-rules.ts'
export type { ApiKeyStore, CredentialFilter } from './ports/store/api-keys.ts'
export type { AudioCacheStore, AudioPage, HeldAudio } from './ports/store/audio-cache.ts'
export type { AuditFilter, AuditPosition, AuditStore, KeptAuditEntry } from './ports/store/audit.ts'
export type { BranchStore } from './ports/store/branches.ts'
export type { ConnectorStore } from './ports/store/connectors.ts'
export type {
  AppendResult,
  ConversationAppend,
  ConversationStore,
  ConversationWrite,
  EventPage,
  EventPageBounds,
  HandoffWait,
  StoredConversation,
  TurnPage,
} from './ports/store/conversations.ts'
export type { CounterFilter, CounterStore } from './ports/store/counters.ts'
export type { DeploymentStore } from './ports/store/deployments.ts'
export type { DeskQueueStore, PerQueueStore, QueueAssignmentStore } from './ports/store/desk-queues.ts'
export type { DeskRosterStore } from './ports/store/desk-rosters.ts'
export type { DeskSeatStore } from './ports/store/desk-seats.ts'
export type { ExternalEvent, ExternalEventStore } from './ports/store/external-events.ts'
export type { FileBounds, FileStore } from './ports/store/files.ts'
export type { HandoffEntry, HandoffStore } from './ports/store/handoffs.ts'
export type {
  ActivityIntervals,
  IntervalConditions,
  IntervalFilter,
  IntervalStore,
} from './ports/store/intervals.ts'
export type { MessageKeyStore } from './ports/store/message-keys.ts'
export type { AddedNote, ChangedNote, NewNote, NoteStore } from './ports/store/notes.ts'
export type { NewReservation, NumberPoolStore } from './ports/store/number-pool.ts'
export type { OutboundCallStore } from './ports/store/outbound-calls.ts'
export type { Outbox } from './ports/store/outbox.ts'
export type {
  AddedNumbers,
  PhoneNumberFilter,
  PhoneNumberStore,
} from './ports/store/phone-numbers.ts'
export type { RealTimeConfigStore } from './ports/store/real-time-configs.ts'
export type { RecordingStore } from './ports/store/recordings.ts'
export type {
  PlainRecordFilter,
  RecordFilter,
  RecordPage,
  RecordPageStart,
  RecordPosition,
  RecordStore,
} from './ports/store/records.ts'
export type { ConversationScope, RemovalStep, RemovalStore } from './ports/store/removals.ts'
export type { MainCommit, ResourceFilter, RevisionStore } from './ports/store/revisions.ts'
export type { SavedViewStore } from './ports/store/saved-views.ts'
export type { SavedReply, SharedReplyStore } from './ports/store/shared-replies.ts'
export type { AccessStore, AlertStore, Store, WebhookStore } from './ports/store/store.ts'
export type { StoreClock } from './ports/store/store-clock.ts'
export type { SummaryStore } from './ports/store/summaries.ts'
export type {
  TestResultFilter,
  TestResultOfRun,
  TestRunFilter,
  TestRunStore,
  TestRunWithResults,
} from './ports/store/test-runs.ts'
export type { TextPairStore } from './ports/store/text-pairs.ts'
export type { TimerStore } from './ports/store/timers.ts'
export type { TokenKeyStore } from './ports/store/token-keys.ts'
export type {
  ClaimedTurnVectors,
  TurnClaim,
  TurnToEmbed,
  TurnVectorStore,
  TurnVectors,
  VectorStep,
} from './ports/store/turn-vectors.ts'
export type { VisitorConversation, VisitorPlace, VisitorStore } from './ports/store/visitors.ts'
export type { VoiceStore } from './ports/store/voices.ts'
export type {
  ClaimedDelivery,
  DeliveryFilter,
  DeliveryReach,
  KeptDelivery,
  ListedDelivery,
  WebhookDeliveryStore,
} from './ports/store/webhook-deliveries.ts'
export type { EndpointFilter, WebhookEndpointStore } from './ports/store/webhook-endpoints.ts'
export { type FollowClockOptions, type FollowedClock, followClock } from './shared/followed-clock.ts'
export { ALL_KINDS, namedIn } from './store/all-kinds.ts'
export type { ProcessPorts } from './store/conversations/numbers.ts'
export { copied } from './store/copied.ts'
export type {
  ConversationMark,
  ConversationToTake,
  CopiedConversation,
  CopiedExternalEvent,
  CopiedKind,
  CopiedParts,
  CopyableStore,
  CopyKey,
  CopyReads,
  CopySource,
  CopyStore,
} from './store/copies.ts'
export { UNFINISHED_COPY, UNFINISHED_COPY_REFUSAL } from './store/copies.ts'
export type {
  AtMost,
  AtVersion,
  Batch,
  Column,
  ColumnValue,
  Condition,
  Containing,
  Documents,
  Kind,
  Range,
  Versioned,
} from './store/documents.ts'
export { type Filled, filledOver } from './store/filling.ts'
export { storeOver } from './store/groups.ts'
export {
  AGENT,
  type AlertTurn,
  AUDIT_ENTRY,
  DOCUMENT_KINDS,
  type DocumentParts,
  type Secret,
  WEBHOOK_DELIVERY,
  WEBHOOK_ENDPOINT,
  WEBHOOK_EVENT,
} from './store/kinds.ts'
export {
  FILLING,
  type Filling,
  type KeptKinds,
  KINDS_NUMBER,
  LATER_VERSION,
  type LaterKinds,
  laterKinds,
  SAMPLE_KINDS,
} from './store/later.ts'
export { heldDelivery, outboxDocuments } from './store/outbox-documents.ts'
export {
  columnsOfIndex,
  type DocumentRow,
  keyColumns,
  keyValues,
  orderOf,
  placeValues,
  rowOf,
  versionOf,
} from './store/row.ts'
export { createSequence } from './store/sequence.ts'
export { type ListDialect, sqlCondition, sqlOrder } from './store/sql-lists.ts'
