export {
  type Account,
  type AnyConnector,
  API_KEY_KINDS,
  type ApiKey,
  type ApiKeyKind,
  type Connector,
  type ConnectorInfo,
  type HandoffSettings,
  type TelephonyConnector,
} from './domain/access/access.ts'
export type { ContextKey, ContextKeyInfo } from './domain/access/context-key.ts'
export { type Person, ROLES, type Role } from './domain/access/person.ts'
export { nameSchema, secretSchema } from './domain/access/schemas.ts'
export { composeSecret } from './domain/access/secret.ts'
export type { RateLimit } from './domain/access/token-bucket.ts'
export type { Agent, AgentRecord, Branch, Deployment, DeploymentType } from './domain/agent/agent.ts'
export type { Conflict, ConflictType, Difference, Resolution } from './domain/agent/conflict.ts'
export {
  type Attribute,
  CONTENT_LIMITS,
  type ResponseSettings,
  type ResponseSettingsChange,
  type Topic,
  type Variant,
} from './domain/agent/content.ts'
export type { MergePreview } from './domain/agent/merge.ts'
export {
  REPLAY_MODES,
  REPLAY_REASONS,
  REPLAY_VERDICTS,
  type Replay,
  type ReplayedTurn,
  type ReplayGroup,
  type ReplayGroupKey,
  type ReplayJudgement,
  type ReplayJudgings,
  type ReplayMode,
  type ReplayNoise,
  type ReplayPlan,
  type ReplayReason,
  type ReplayReport,
  type ReplaySelection,
  type ReplayTally,
  type ReplayVerdict,
} from './domain/agent/replay.ts'
export {
  type Expectations,
  type FunctionResult,
  TEST_CASE_LIMITS,
  type TestCase,
} from './domain/agent/test-case.ts'
export type {
  BranchUnderTest,
  TestCaseResult,
  TestCounts,
  Testers,
  TestRun,
  TestStatus,
  TestTurnResult,
  TestVerdict,
} from './domain/agent/test-run.ts'
export type { ChangedResource } from './domain/agent/tree.ts'
export {
  ALERT_METRICS,
  ALERT_OPERATORS,
  ALERT_STATES,
  ALERT_WINDOWS,
  type AlertMetric,
  type AlertOperator,
  type AlertRule,
  type AlertRuleSettings,
  type AlertState,
  type AlertWindow,
} from './domain/alert/alert-rule.ts'
export type { AlertRuleChange, NewAlertRule } from './domain/alert/schemas.ts'
export {
  ACTOR_TYPES,
  type Actor,
  type ActorType,
  AUDIT_ACTIONS,
  type AuditAction,
  type AuditEntry,
  type Caller,
} from './domain/audit/audit.ts'
export type { ByteRange } from './domain/byte-range.ts'
export {
  type CallEncryption,
  type CallPhase,
  type CallStatus,
  callStatus,
  type OutboundCall,
} from './domain/call/outbound-call.ts'
export type { VariantPeaks } from './domain/concurrency/peaks.ts'
export type { VisitorDevice, VisitorPage } from './domain/conversation/arrival.ts'
export type {
  CallRecording,
  Consent,
  ConsentWay,
  RecordingEnd,
} from './domain/conversation/call-recording.ts'
export type { DeskFigures } from './domain/conversation/desk-figures.ts'
export type { Offer } from './domain/conversation/desk-roster.ts'
export type { DeskService } from './domain/conversation/desk-service.ts'
export type { CustomMetadata } from './domain/conversation/event.ts'
export type { SentFile } from './domain/conversation/event-payloads.ts'
export type { FunctionHealth, Health, NamedCount } from './domain/conversation/health.ts'
export type {
  ConversationFacts,
  HandoffFacts,
  OnPlatformEvent,
  PlatformEvents,
  PlatformEventType,
} from './domain/conversation/platform-event.ts'
export type { OpenTime, QueueHours } from './domain/conversation/queue-hours.ts'
export type { ChatReply } from './domain/conversation/replies.ts'
export type { SavedView } from './domain/conversation/saved-view.ts'
export type { SharedReply } from './domain/conversation/shared-reply.ts'
export type { ConversationKind, EndReason, SettledText } from './domain/conversation/state.ts'
export type { TranscriptLine, TranscriptSpeaker, TranscriptStep } from './domain/conversation/transcript.ts'
export type { SessionVisitor } from './domain/conversation/visitor.ts'
export { ENVIRONMENTS, type Environment, isEnvironment } from './domain/environment.ts'
export type { EventIdLocation, ExternalEventParts } from './domain/external-event/extract-event-id.ts'
export type { ConversationFile, FileSender, FileType } from './domain/file/file.ts'
export {
  type AccountId,
  type AgentId,
  type AlertRuleId,
  type ApiKeyId,
  type AuditEntryId,
  type BranchId,
  type ConnectorId,
  type ConversationId,
  type DeploymentId,
  type HandoffId,
  MAIN_BRANCH_ID,
  type RolloutId,
  type TestRunId,
  type TokenKeyId,
  type TurnId,
  type WebhookDeliveryId,
  type WebhookEndpointId,
  type WebhookEventId,
} from './domain/ids.ts'
export { isJsonArray, isJsonObject, type Json, type JsonObject } from './domain/json.ts'
export type { Question, QuestionGroup } from './domain/questions/question-groups.ts'
export {
  NATIONAL_IDS,
  type NationalIdCountry,
  PRIVATE_KINDS,
  type PrivateKind,
} from './domain/redaction/find-private.ts'
export type {
  DayFigures,
  MeasureDifference,
  RolloutDay,
  RolloutFigures,
  RolloutMeasure,
  RolloutVerdict,
  SideFigures,
} from './domain/rollout/figures.ts'
export type { Estimate } from './domain/rollout/interval.ts'
export type {
  Rollout,
  RolloutEnd,
  RolloutEnvironment,
  RolloutKey,
  RolloutPlacement,
  RolloutShare,
  RolloutSide,
  RolloutVersion,
} from './domain/rollout/rollout.ts'
export { type PhoneNumber, toPhoneNumber } from './domain/telephony/phone-number.ts'
export type { NumberReservation, PooledNumber } from './domain/telephony/pooled-number.ts'
export type { TextKeyword } from './domain/text/text-pair.ts'
export { parseIsoTime } from './domain/time.ts'
export {
  AUDIO_ORDERS,
  type AudioOrder,
  type CachedAudio,
  type CachedAudioId,
} from './domain/voice/cached-audio.ts'
export type { LibraryVoice, Voice, VoiceFacts, VoiceFilter, VoiceId } from './domain/voice/voice.ts'
export { wavOf, wavSeconds } from './domain/voice/wav.ts'
export type { AttemptOutcome } from './domain/webhook/attempt.ts'
export type { AnswerBody, WebhookExchange } from './domain/webhook/exchange.ts'
export type { EndpointChange, NewEndpoint } from './domain/webhook/schemas.ts'
export {
  DELIVERY_STATUSES,
  type DeliveryStatus,
  WEBHOOK_EVENT_TYPES,
  WEBHOOK_TEST_TYPE,
  type WebhookDelivery,
  type WebhookEndpoint,
  type WebhookEndpointInfo,
  type WebhookEvent,
  type WebhookEventType,
} from './domain/webhook/webhook.ts'
export {
  type ErrorCode,
  type ErrorDetails,
  type InputProblem,
  isPlatformError,
  PlatformError,
} from './errors.ts'
export { createPlatform, type Platform, type PlatformOptions } from './platform.ts'
export type {
  AgentFunction,
  FunctionConversation,
  FunctionSource,
  PreparedCall,
} from './ports/agent-function.ts'
export { type Bus, type BusListener, type BusMessage, LONGEST_MESSAGE } from './ports/bus.ts'
export type { CallProvider, CallStanding, CallToAsk, CallToPlace } from './ports/call-provider.ts'
export type { Clock, ScheduleOptions } from './ports/clock.ts'
export type { AssistedConversation, ConversationToAnswer, DeskAssistant } from './ports/desk-assistant.ts'
export type { Embedder } from './ports/embedder.ts'
export type { Files, FileToRead, FileToStore, StoredFile } from './ports/files.ts'
export type { Guard, GuardedWords, GuardVerdict } from './ports/guard.ts'
export type { Ids } from './ports/ids.ts'
export type { LiveAgentCallbacks } from './ports/live-agent-callbacks.ts'
export type { ForwardedMessage, HandoffContext, LiveAgents } from './ports/live-agents.ts'
export { type Log, silentLog } from './ports/log.ts'
export type { Notice, NoticeTopic } from './ports/notices.ts'
export {
  RECORDING_DIRECTIONS,
  type RecordingDirection,
  type Recordings,
  type RecordingWanted,
} from './ports/recordings.ts'
export type { Redaction, RedactionContext, Redactor } from './ports/redactor.ts'
export type { ReplayJudge, ReplayOpinion, ReplayToJudge } from './ports/replay-judge.ts'
export type { Place, PlaceTerms, SharedLimits, SharedTake } from './ports/shared-limits.ts'
export type {
  OfferedVoice,
  SpeechProvider,
  SpeechToSynthesize,
  SpokenSample,
  VoiceToSample,
} from './ports/speech-provider.ts'
export {
  METRICS,
  type MetricName,
  NO_SPAN,
  OPERATIONS,
  type Operation,
  type OperationKind,
  type Span,
  type Telemetry,
  type TelemetryFields,
} from './ports/telemetry.ts'
export type {
  JudgeVerdict,
  TalkToJudge,
  TestJudge,
  TestLine,
  TestTalkSoFar,
  TestVisitor,
  VisitorWords,
} from './ports/test-visitor.ts'
export type { TextAnswer, TextCarrier, TextToSend } from './ports/text-carrier.ts'
export type { WebhookSender } from './ports/webhook-sender.ts'
export type { HostMap } from './settings/host-map.ts'
export type { NumberClaim } from './settings/number-claim.ts'
export type { QueuePosition } from './settings/queue-position.ts'
export type { FileRules, RateLimits, Settings } from './settings/settings.ts'
export type { SettingsInput } from './settings/settings-input.ts'
export { createMeaningJudge, type MeaningJudgeOptions } from './shared/meaning-judge.ts'
export { createPatternGuard, type PatternGuardOptions } from './shared/pattern-guard.ts'
export {
  createPatternRedactor,
  type PatternRedactorOptions,
} from './shared/pattern-redactor.ts'
export { createPlainVisitor } from './shared/plain-visitor.ts'
export { type NumberRange, refuseNumbers } from './shared/refuse-numbers.ts'
export { refuseUnknown } from './shared/refuse-unknown.ts'
export { consoleLog } from './system/console-log.ts'
export { createLocalBus } from './system/local-bus.ts'
export { systemClock, systemIds } from './system/system.ts'
export type { Access } from './usecases/access/access.ts'
export type { ContextKeyRotation } from './usecases/access/context-keys.ts'
export type { NewAccountInput } from './usecases/access/create-account.ts'
export type { NewApiKeyInput } from './usecases/access/create-api-key.ts'
export type { NewConnectorInput } from './usecases/access/create-connector.ts'
export type { AccountPage, ApiKeyPage, ConnectorPage, CredentialQuery } from './usecases/access/lists.ts'
export { createLocalLimits } from './usecases/access/local-limits.ts'
export type {
  TelephonyConnectorChange,
  TelephonyConnectorInput,
} from './usecases/access/telephony-connectors.ts'
export type { TokenKeyInfo, TokenKeyRotation } from './usecases/access/token-keys.ts'
export type { ConnectorChange } from './usecases/access/update-connector.ts'
export type {
  ReplayAcceptance,
  ReplayedTurnShown,
  ReplayQuery,
  ReplayTurnPage,
  ReplayTurnQuery,
} from './usecases/agent-tests/replays.ts'
export type { ReplayInput } from './usecases/agent-tests/start-replay.ts'
export type { TestRunInput } from './usecases/agent-tests/start-test-run.ts'
export type { ConversationCase, TestCaseRecord, TestCases } from './usecases/agent-tests/test-cases.ts'
export type {
  TestHistoryPage,
  TestHistoryQuery,
  TestRunPage,
  TestRunQuery,
  TestRuns,
} from './usecases/agent-tests/test-runs.ts'
export type { Agents, WithId } from './usecases/agents/agents.ts'
export type { BranchRecord } from './usecases/agents/branches/branches.ts'
export type { BranchDiff } from './usecases/agents/branches/diff-branch.ts'
export type { MergeInput, MergeOutcome } from './usecases/agents/branches/merge-branch.ts'
export type { MergePreviewInput, MergeResultPreview } from './usecases/agents/branches/preview-merge.ts'
export type { BranchTree, BranchWrite } from './usecases/agents/content/branch-tree.ts'
export type { JsonInput, RealTimeConfigRecord } from './usecases/agents/content/real-time-configs.ts'
export type { Expecting } from './usecases/agents/content/refuse-changed.ts'
export type { Deployed, DeployInput, PromoteInput, PublishInput } from './usecases/agents/releases/deploy.ts'
export type { DuplicateInput } from './usecases/agents/releases/duplicate-agent.ts'
export type { NewAgentInput, UpdateAgentInput } from './usecases/agents/releases/lifecycle.ts'
export type { PublicationPreview } from './usecases/agents/releases/preview-publish.ts'
export type { Seen } from './usecases/agents/releases/refuse-unseen.ts'
export type { RolloutEndInput, ShareInput } from './usecases/agents/rollouts/change-rollout.ts'
export type { RolloutQuery, RolloutReport } from './usecases/agents/rollouts/read-rollouts.ts'
export type { Rollouts } from './usecases/agents/rollouts/rollouts.ts'
export type { NewRollout } from './usecases/agents/rollouts/start-rollout.ts'
export type { Alerts } from './usecases/alerts/alerts.ts'
export type { AlertRuleQuery } from './usecases/alerts/rules.ts'
export type { AuditLog, AuditPage, AuditPurgeInput, AuditQuery } from './usecases/audit/audit-log.ts'
export type {
  CallEnded,
  CallFailed,
  CallNamed,
  CallOfAgent,
  OutboundCallInput,
} from './usecases/calls/call-fields.ts'
export type { Calls } from './usecases/calls/calls.ts'
export type { Chat } from './usecases/chat/chat.ts'
export type { ChatChannel } from './usecases/chat/chat-fields.ts'
export type { ChatBegun, ChatStart } from './usecases/chat/create-chat.ts'
export type { ChatReplies, RepliesQuery } from './usecases/chat/read-replies.ts'
export type { ChatAnswer, ChatMessage } from './usecases/chat/respond.ts'
export {
  type DefinedFunction,
  defineFunction,
  type FunctionDefinition,
} from './usecases/conversation/functions/define-function.ts'
export {
  type ComparedContent,
  type CompareOptions,
  type ContentDigest,
  compareStores,
} from './usecases/copying/compare-stores.ts'
export type { CopyCounts, CopyPart } from './usecases/copying/copy-counts.ts'
export { compareKeys, keyOf } from './usecases/copying/copy-keys.ts'
export { type CopyOptions, copyStore } from './usecases/copying/copy-store.ts'
export { examineTarget, type TargetExamination, type TargetState } from './usecases/copying/examine-target.ts'
export { partText } from './usecases/copying/part-text.ts'
export { COPY_PARTS, contentOf } from './usecases/copying/walk-store.ts'
export type { DebugChat, DebugChatMessage } from './usecases/debug-chat/debug-chat.ts'
export type { DebugTurn, MaybeDebugTurn } from './usecases/debug-chat/debug-turn.ts'
export type { DebugChatRead } from './usecases/debug-chat/read-debug-chat.ts'
export type { DebugChatStart } from './usecases/debug-chat/start-debug-chat.ts'
export { TurnFailed } from './usecases/debug-chat/turn-failed.ts'
export type { Assignment, AssignmentInput, Assignments } from './usecases/desk/assignments.ts'
export type { Desk, DeskColleague, DeskMessage, DeskWatcher } from './usecases/desk/desk.ts'
export type { DeskAccepting, DeskActing } from './usecases/desk/desk-acting.ts'
export type { DeskEvent, DeskListener } from './usecases/desk/desk-event.ts'
export type { DeskHandoff, DeskHandoffWithTranscript, LiveAgent } from './usecases/desk/desk-handoff.ts'
export type { DeskNote } from './usecases/desk/desk-note.ts'
export type { DeskSummary } from './usecases/desk/desk-summary.ts'
export type { LastLine } from './usecases/desk/last-line.ts'
export type { NewDeskNote, NoteTarget } from './usecases/desk/notes.ts'
export type { DeskQueues, OpenQueue, QueueHoursInput } from './usecases/desk/queues.ts'
export type { DeskFiguresReport, DeskFiguresSpan, FiguresQuery } from './usecases/desk/read-figures.ts'
export type { SharedReplyChange, SharedReplyInput } from './usecases/desk/reply-fields.ts'
export type { FilledReply, SharedReplies } from './usecases/desk/shared-replies.ts'
export type { DeskVisitor, PastConversation } from './usecases/desk/visitor.ts'
export type { ExternalEvents } from './usecases/external-events/external-events.ts'
export type {
  ExternalEventInput,
  ExternalEventReceipt,
  ExternalEventStatus,
} from './usecases/external-events/receive-external-event.ts'
export type { FileAddress, OpenFile } from './usecases/files/file-address.ts'
export type { FileReading, NewFile } from './usecases/files/store-file.ts'
export type { Readiness } from './usecases/observing/check-readiness.ts'
export type { VisitorLine } from './usecases/records/export-visitor.ts'
export type {
  ConversationImport,
  EarlierConversation,
  ImportedConversation,
} from './usecases/records/import-conversations.ts'
export type { PurgeInput, PurgeResult } from './usecases/records/purge-conversations.ts'
export type { ConversationSound } from './usecases/records/read-audio.ts'
export type { Concurrency, ConcurrencyInput } from './usecases/records/read-concurrency.ts'
export type { HandoffState, HandoffStateQuery } from './usecases/records/read-handoff-state.ts'
export type { Overview, OverviewPage } from './usecases/records/read-overview.ts'
export type { RecordQuery } from './usecases/records/read-records.ts'
export type { TranscriptPart, TranscriptPlace } from './usecases/records/read-transcript.ts'
export type { Unanswered, UnansweredPage } from './usecases/records/read-unanswered.ts'
export type { FileWanted, Reading } from './usecases/records/reading.ts'
export type {
  Recorded,
  RecordingFinish,
  RecordingStart,
  RecordingTurn,
} from './usecases/records/recording-input.ts'
export type { ConversationRecords } from './usecases/records/records.ts'
export type { RemovedVisitor } from './usecases/records/remove-visitor.ts'
export type { SavedViewInput, SavedViews } from './usecases/records/saved-views.ts'
export type { SemanticQuery } from './usecases/records/semantic-search.ts'
export type { VisitorSummary } from './usecases/records/visitor-conversations.ts'
export type { VisitorInput, VisitorRemoval } from './usecases/records/visitor-input.ts'
export { eachPage, type PageEnd, type PageQuery } from './usecases/shared/page.ts'
export type { NumbersAmong, PhoneNumberQuery, PhoneNumbersInput } from './usecases/telephony/phone-numbers.ts'
export type { Telephony } from './usecases/telephony/telephony.ts'
export type { ConnectorsAmong } from './usecases/telephony/telephony-connectors.ts'
export type { TextOpened } from './usecases/texts/open-text.ts'
export type { TextReceipt } from './usecases/texts/receive-text.ts'
export type { InboundText, OutboundText, TextStatusReport } from './usecases/texts/text-fields.ts'
export type { TextStanding, Texts } from './usecases/texts/texts.ts'
export type { Sound } from './usecases/voices/ask-provider.ts'
export type { CachedAudioPage, DeletedAudio } from './usecases/voices/audio-cache.ts'
export type { AgentSpeech, AudioChange, AudioQuery } from './usecases/voices/audio-fields.ts'
export type { VoiceSample } from './usecases/voices/library.ts'
export type { Speech, VoiceChange, VoiceInput } from './usecases/voices/voice-fields.ts'
export type { Voices } from './usecases/voices/voices.ts'
export type { DeliveryDetail, DeliveryPage, DeliveryQuery } from './usecases/webhooks/deliveries.ts'
export type { EndpointPage, EndpointQuery, SecretRotation } from './usecases/webhooks/endpoints.ts'
export type { EndpointWithSecret, Webhooks } from './usecases/webhooks/webhooks.ts'
export { VERSION } from './version.ts'
