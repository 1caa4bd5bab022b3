export {
  type Account,
  type AnyConnector,
  API_KEY_KINDS,
  type ApiKey,
  type ApiKeyKind,
  type Connector,
  type HandoffSettings,
  type TelephonyConnector,
} from './domain/access/access.ts'
export { isSameHost, normalizeHost, originMatches } from './domain/access/host-match.ts'
export { secretSchema } from './domain/access/schemas.ts'
export { composeSecret } from './domain/access/secret.ts'
export type { TokenKey } from './domain/access/token-key.ts'
export type * from './domain/agent/agent.ts'
export type { Conflict, ConflictType, Difference } from './domain/agent/conflict.ts'
export {
  type Attribute,
  type Behavior,
  CONTENT_LIMITS,
  type ContentTree,
  type Resource,
  type ResourceChange,
  type ResourceKind,
  type ResourceValues,
  type ResponseSettings,
  resourceKey,
  type Topic,
  type Variant,
} from './domain/agent/content.ts'
export type { MergePreview } from './domain/agent/merge.ts'
export {
  type Expectations,
  type FunctionResult,
  TEST_CASE_LIMITS,
  type TestCase,
} from './domain/agent/test-case.ts'
export {
  type TestCaseResult,
  type TestCounts,
  type TestRun,
  type TestStatus,
  type TestTurnResult,
  type TestVerdict,
  takenTestRun,
} from './domain/agent/test-run.ts'
export type { ChangedResource } from './domain/agent/tree.ts'
export {
  ACTOR_TYPES,
  type Actor,
  type ActorType,
  AUDIT_ACTIONS,
  type AuditAction,
  type AuditEntry,
  type Caller,
} from './domain/audit/audit.ts'
export { type BoundedPage, boundedPage } from './domain/bounded-page.ts'
export { claimReach } from './domain/claim-reach.ts'
export type { ActivityColumns, PackedActivity } from './domain/concurrency/activity.ts'
export type { VariantPeaks } from './domain/concurrency/peaks.ts'
export type { TimeRange, WindowRange } from './domain/concurrency/window.ts'
export {
  type ConversationEvent,
  type CustomMetadata,
  clientIds,
  JOURNALED_EVENT_TYPES,
  type JournaledEventType,
  type NewEvent,
  TRANSIENT_EVENT_TYPES,
  type TransientEvent,
  type TransientEventType,
} from './domain/conversation/event.ts'
export type * from './domain/conversation/record.ts'
export {
  type ActiveTurn,
  type ConversationKind,
  type ConversationState,
  type EndReason,
  type Handoff,
  OWNERS,
  type Owner,
  type PendingDelivery,
  type RecordFacts,
  type TurnInput,
} from './domain/conversation/state.ts'
export type { StoredState } from './domain/conversation/stored-state.ts'
export {
  holdWords,
  type Speaker,
  type TurnTexts,
  type TurnWords,
  turnTexts,
  turnWords,
  type WordCondition,
} from './domain/conversation/turn-words.ts'
export type { JoinedWait } from './domain/conversation/waiting-line.ts'
export { ENVIRONMENTS, type Environment, isEnvironment } from './domain/environment.ts'
export type { EventIdLocation, ExternalEventParts } from './domain/external-event/extract-event-id.ts'
export {
  type AccountId,
  type AgentId,
  type ApiKeyId,
  type AuditEntryId,
  asId,
  type BranchId,
  type ConnectorId,
  type ConversationId,
  type DeploymentId,
  type HandoffId,
  MAIN_BRANCH_ID,
  type TestRunId,
  type TokenKeyId,
  type TurnId,
  type WebhookDeliveryId,
  type WebhookEndpointId,
  type WebhookEventId,
} from './domain/ids.ts'
export { isJsonArray, isJsonObject, type Json, type JsonObject } from './domain/json.ts'
export type { RealTimeConfig } from './domain/real-time-config/real-time-config.ts'
export { parseIsoTime } from './domain/time.ts'
export type { AttemptOutcome } from './domain/webhook/attempt.ts'
export type { EndpointChange, NewEndpoint } from './domain/webhook/schemas.ts'
export {
  DELIVERY_STATUSES,
  type DeliveryStatus,
  deliveryId,
  newDelivery,
  WEBHOOK_EVENT_TYPES,
  WEBHOOK_TEST_TYPE,
  type WebhookDelivery,
  type WebhookEndpoint,
  type WebhookEvent,
  type WebhookEventType,
} from './domain/webhook/webhook.ts'
export { type ErrorCode, type ErrorDetails, isPlatformError, PlatformError } from './errors.ts'
export { correlationOf } from './http/correlation.ts'
export { admitToDesk, type DeskAdmission, refuseFromDesk } from './http/desk-socket.ts'
export { deskEventOnWire } from './http/desk-wire.ts'
export {
  createDispatcher,
  type Dispatcher,
  type DispatcherOptions,
  type RefusedRequest,
} from './http/dispatcher.ts'
export { type Client, clientOf, hostAmbiguity, type Peer, type TrustProxy } from './http/forwarded.ts'
export { isHostOf } from './http/hosts.ts'
export { platformClosed } from './http/platform-closed.ts'
export { bodyReadBefore, bodyTooLarge, bodyTooSlow, bodyUnwritable } from './http/read-json.ts'
export { RESPONSE_HEADERS, type ResponseHeaderChanges } from './http/response-headers.ts'
export type { Family, HttpRequest, HttpResponse, Route } from './http/route.ts'
export { auditEntryOnWire } from './http/routes/audit-log.ts'
export { accountOnWire, apiKeyOnWire, connectorOnWire, tokenKeysOnWire } from './http/routes/operator.ts'
export { routes } from './http/routes.ts'
export { createPlatform, type Platform, type PlatformOptions } from './platform.ts'
export type * from './ports/access-store.ts'
export type * from './ports/agent-function.ts'
export type * from './ports/agent-runtime.ts'
export type * from './ports/agent-store.ts'
export type * from './ports/audit-store.ts'
export type * from './ports/background.ts'
export type * from './ports/bus.ts'
export type * from './ports/clock.ts'
export type * from './ports/conversation-store.ts'
export type * from './ports/embedder.ts'
export type * from './ports/ids.ts'
export type * from './ports/live-agents.ts'
export { type Log, silentLog } from './ports/log.ts'
export type { Notice, NoticeTopic } from './ports/notices.ts'
export {
  RECORDING_DIRECTIONS,
  type RecordingDirection,
  type Recordings,
  type RecordingWanted,
} from './ports/recordings.ts'
export type * from './ports/store.ts'
export type * from './ports/test-run-store.ts'
export type * from './ports/turn-vector-store.ts'
export type * from './ports/webhook-sender.ts'
export type * from './ports/webhook-store.ts'
export { CLOSE_CODES, CLOSE_TEXTS, type CloseReason } from './protocol/close-codes.ts'
export { MESSAGING_TEXTS } from './protocol/http-errors.ts'
export { createContentCache } from './runtime/content-cache.ts'
export { ENGLISH_PHRASES } from './runtime/english.ts'
export {
  type Action,
  actionsOf,
  type ExpandedText,
  expandActions,
  expandAttributes,
} from './runtime/expansions.ts'
export { greet } from './runtime/greet.ts'
export { excerpt } from './runtime/index/passages.ts'
export { buildTopicIndex, type TopicIndex, type TopicMatch } from './runtime/index/topic-index.ts'
export type { EmbeddingSettings } from './runtime/meaning/topic-meanings.ts'
export { expecting, MEMORY_KEY, type Memory, readMemory } from './runtime/memory.ts'
export type { Aspect, PhraseBook, Phrases, SmallTalk } from './runtime/phrases.ts'
export { createRetrievalRuntime } from './runtime/retrieval-runtime.ts'
export type { RetrievalRuntimeOptions } from './runtime/scope.ts'
export { phrasesFor } from './runtime/wording.ts'
export type { HostMap, QueuePlace, RateLimit, RateLimits, Settings, SettingsInput } from './settings.ts'
export { refuseUnknown } from './shared/refuse-unknown.ts'
export { consoleLog } from './system/console-log.ts'
export { createLocalBus } from './system/local-bus.ts'
export { systemBackground, systemClock, systemIds } from './system/system.ts'
export type { Access, ConnectorInput } from './usecases/access/access.ts'
export type { AccountPage, ApiKeyPage, ConnectorPage, CredentialQuery } from './usecases/access/lists.ts'
export type {
  TelephonyConnectorChange,
  TelephonyConnectorInput,
} from './usecases/access/telephony-connectors.ts'
export type { TokenKeyInfo, TokenKeyRotation } from './usecases/access/token-keys.ts'
export type { TestCaseRecord, TestCases } from './usecases/agent-tests/test-cases.ts'
export type { TestRunPage, TestRunQuery, TestRuns } from './usecases/agent-tests/test-runs.ts'
export type {
  AgentRecord,
  Agents,
  BranchDiff,
  BranchRecord,
  Deployed,
  DeployInput,
  DuplicateInput,
  MergeInput,
  MergeOutcome,
  NewAgentInput,
  Resolution,
} from './usecases/agents/agents.ts'
export type { JsonInput, RealTimeConfigRecord } from './usecases/agents/content/real-time-configs.ts'
export type { AuditLog, AuditPage, AuditPurgeInput, AuditQuery } from './usecases/audit/audit-log.ts'
export type { Context } from './usecases/context.ts'
export {
  type DefinedFunction,
  defineFunction,
  type FunctionDefinition,
} from './usecases/conversation/functions/define-function.ts'
export type {
  FunctionRegistry,
  RegisteredFunction,
} from './usecases/conversation/functions/register-functions.ts'
export type { DebugChat, DebugChatMessage } from './usecases/debug-chat/debug-chat.ts'
export type { DebugTurn, MaybeDebugTurn } from './usecases/debug-chat/debug-turn.ts'
export type { DebugChatRead } from './usecases/debug-chat/read-debug-chat.ts'
export type { DebugChatStart } from './usecases/debug-chat/start-debug-chat.ts'
export { TurnFailed } from './usecases/debug-chat/turn-failed.ts'
export type {
  Desk,
  DeskHandoff,
  DeskHandoffWithTranscript,
  DeskMessage,
  DeskWatcher,
  LiveAgent,
} from './usecases/desk/desk.ts'
export type { DeskEvent, DeskListener } from './usecases/desk/desk-feed.ts'
export type { LiveAgentCallbacks } from './usecases/desk/live-agent-callbacks.ts'
export type { ExternalEvents } from './usecases/external-events/external-events.ts'
export type {
  ExternalEventInput,
  ExternalEventReceipt,
  ExternalEventStatus,
} from './usecases/external-events/receive-external-event.ts'
export type {
  Connection,
  ConnectionPort,
  Handshake,
  HandshakeRefusal,
  Messaging,
} from './usecases/messaging/messaging.ts'
export type { PurgeInput, PurgeResult } from './usecases/records/purge-conversations.ts'
export type { Concurrency, ConcurrencyInput } from './usecases/records/read-concurrency.ts'
export type { Reading, RecordQuery } from './usecases/records/reading.ts'
export type {
  Recorded,
  RecordingFinish,
  RecordingStart,
  RecordingTurn,
} from './usecases/records/recording-input.ts'
export type { ConversationRecords } from './usecases/records/records.ts'
export type { MeaningCondition } from './usecases/records/search-meanings.ts'
export { eachPage, type PageEnd, type PageQuery } from './usecases/shared/page.ts'
export type { DeliveryPage, DeliveryQuery } from './usecases/webhooks/deliveries.ts'
export type { EndpointPage } from './usecases/webhooks/endpoints.ts'
export type { Webhooks } from './usecases/webhooks/webhooks.ts'
