// Made from packages/core/openapi.json by `npm run document`.

/** The codes of errors that a server answers with. */
export type ErrorCode =
  | 'ACCOUNT_ALREADY_EXISTS'
  | 'ACCOUNT_NOT_FOUND'
  | 'AGENT_FAILED'
  | 'ALERT_RULE_INVALID'
  | 'ALERT_RULE_LIMIT'
  | 'ALERT_RULE_NOT_FOUND'
  | 'API_KEY_ALREADY_EXISTS'
  | 'API_KEY_NOT_FOUND'
  | 'ASSISTANT_FAILED'
  | 'ATTRIBUTE_ALREADY_EXISTS'
  | 'ATTRIBUTE_NOT_FOUND'
  | 'AUDIO_CACHE_NOT_FOUND'
  | 'AUTH_USER_UNAUTHORISED'
  | 'BODY_READ_BEFORE'
  | 'BODY_TOO_LARGE'
  | 'BRANCH_ALREADY_EXISTS'
  | 'BRANCH_NOT_FOUND'
  | 'CALLS_NOT_FOUND'
  | 'CALLS_PROVIDER_FAILED'
  | 'CHAT_CONVERSATION_ENDED'
  | 'CHAT_DRAFT_DEPLOYMENT_FAILED'
  | 'CHAT_DRAFT_NOT_EXIST'
  | 'CHAT_ENVIRONMENT_MISMATCH'
  | 'CHAT_TIMEOUT'
  | 'CONNECTORS_NOT_FOUND'
  | 'CONNECTORS_VALIDATION_FAILED'
  | 'CONNECTOR_ALREADY_EXISTS'
  | 'CONNECTOR_NOT_FOUND'
  | 'CONTENT_CHANGED'
  | 'CONVERSATIONS_NOT_FOUND'
  | 'CONVERSATIONS_RECORDING_NOT_FOUND'
  | 'CONVERSATION_ID_ALREADY_EXISTS'
  | 'DEPLOYMENTS_ALREADY_PUBLISHED'
  | 'DEPLOYMENTS_INVALID_ENVIRONMENT'
  | 'DEPLOYMENTS_INVALID_TARGET'
  | 'DEPLOYMENTS_PRE_RELEASE_REQUIRED'
  | 'DEPLOYMENTS_REPLAY_NOT_PASSED'
  | 'DEPLOYMENTS_TESTS_NOT_PASSED'
  | 'DEPLOYMENT_NOT_FOUND'
  | 'DNI_ROUTE_NOT_FOUND'
  | 'EMBEDDER_FAILED'
  | 'EXPECTATION_FAILED'
  | 'EXTERNAL_EVENT_ID_INVALID'
  | 'EXTERNAL_EVENT_ID_NOT_FOUND'
  | 'FILES_FAILED'
  | 'FILES_LIMIT'
  | 'FILE_NOT_FOUND'
  | 'FILE_REFUSED'
  | 'HANDOFF_CONFLICT'
  | 'HANDOFF_NOT_FOUND'
  | 'HANDOFF_STATE_NOT_FOUND'
  | 'HEADERS_TOO_LARGE'
  | 'HOST_WITHOUT_REGION'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'INTERNAL'
  | 'KNOWLEDGE_BASE_TOPIC_ALREADY_EXISTS'
  | 'MAIN_BRANCH_READ_ONLY'
  | 'MERGE_CONFLICTS'
  | 'MERGE_INVALID_RESOLUTION'
  | 'MESSAGING_BAD_REQUEST'
  | 'MESSAGING_INSECURE'
  | 'MESSAGING_ORIGIN'
  | 'MESSAGING_UNAUTHORISED'
  | 'NOTE_CONFLICT'
  | 'NOT_IMPLEMENTED'
  | 'PHONE_NUMBERS_ALREADY_EXISTS'
  | 'PHONE_NUMBERS_CONNECTOR_DOES_NOT_EXIST'
  | 'PHONE_NUMBERS_INVALID_PHONE_NUMBER_FORMAT'
  | 'PHONE_NUMBERS_LIMIT'
  | 'PHONE_NUMBERS_NOT_FOUND'
  | 'PLATFORM_CLOSED'
  | 'PROJECT_ID_ALREADY_EXISTS'
  | 'PROJECT_NOT_FOUND'
  | 'QUEUES_LIMIT'
  | 'QUEUE_NOT_FOUND'
  | 'RANGE_OUTSIDE'
  | 'RATE_LIMITED'
  | 'REAL_TIME_CONFIG_INVALID_FOR_SCHEMA'
  | 'REAL_TIME_CONFIG_INVALID_SCHEMA'
  | 'REAL_TIME_CONFIG_UNKNOWN_CLIENT_ENVIRONMENT'
  | 'REPLAYS_LIMIT'
  | 'REPLIES_LIMIT'
  | 'REPLY_CODE_TAKEN'
  | 'REPLY_NOT_FOUND'
  | 'REQUEST_TIMEOUT'
  | 'ROLLOUTS_ENDED'
  | 'ROLLOUTS_INVALID_CANDIDATE'
  | 'ROLLOUTS_RUNNING'
  | 'ROLLOUT_NOT_FOUND'
  | 'ROUTE_NOT_FOUND'
  | 'SCHEMA_VALIDATION_FAILED'
  | 'SESSION_NOT_FOUND'
  | 'SPEECH_PROVIDER_FAILED'
  | 'STORE_BUSY'
  | 'TALKS_LIMIT'
  | 'TEST_CASE_ALREADY_EXISTS'
  | 'TEST_CASE_NOT_FOUND'
  | 'TEST_RUN_NOT_FOUND'
  | 'TEST_RUN_WITHOUT_TEST_CASES'
  | 'TOKEN_KEYS_GIVEN'
  | 'TOPIC_NOT_FOUND'
  | 'UNSUPPORTED_CONTENT_TYPE'
  | 'USER_ACCESS_FORBIDDEN'
  | 'VARIANTS_NOT_FOUND'
  | 'VARIANTS_REMOVE_DEFAULT_ERROR'
  | 'VARIANT_ALREADY_EXISTS'
  | 'VARIANT_NOT_FOUND'
  | 'VOICES_LIMIT'
  | 'VOICES_NOT_FOUND'
  | 'VOICES_READ_ONLY'
  | 'WEBHOOK_DELIVERY_CONFLICT'
  | 'WEBHOOK_DELIVERY_NOT_FOUND'
  | 'WEBHOOK_ENDPOINT_LIMIT'
  | 'WEBHOOK_ENDPOINT_NOT_FOUND'
  | 'WRITE_CONFLICT'

/** `Account`, in a response of the server. */
export type Account = {
  readonly accountId: string
  readonly slug: string
  readonly name: string
  readonly createdAt: string | null
}

/** `ActiveAlert`, in a response of the server. */
export type ActiveAlert = {
  readonly alert_rule_id: string
  readonly name: string
  readonly project_id: string | null
  readonly deployment_id?: string
  readonly metric:
    | 'turn_latency_p50'
    | 'turn_latency_p95'
    | 'api_errors'
    | 'function_errors'
    | 'call_crashes'
    | 'call_volume'
  readonly operator: '>' | '<' | '>=' | '<='
  readonly threshold_value: number
  readonly window_duration: '5m' | '10m' | '60m'
  readonly since: string
  readonly last_evaluated_at: string | null
  readonly current_value: number | null
}

/** `Agent`, in a response of the server. */
export type Agent = {
  readonly accountId: string
  readonly agentId: string
  readonly agentName: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly branchCount: number
}

/** `AgentConversation`, in a response of the server. */
export type AgentConversation = {
  readonly conversationId: string
  readonly accountId: string
  readonly projectId: string
  readonly createdAt: string
  readonly startedAt: string
  readonly finishedAt: string | null
  readonly channel: string
  readonly fromNumber: string
  readonly toNumber: string
  readonly language: string
  readonly variantId: string
  readonly clientEnv: 'sandbox' | 'pre-release' | 'live'
  readonly totalDuration: number
  readonly aiDuration: number
  readonly duration: number
  readonly inProgress: boolean
  readonly handoff: boolean
  readonly handoffDestination: string
  readonly handoffReason: string
  readonly direction: string
  readonly tags: readonly string[]
  readonly shortSummary: string
  readonly deploymentId: string
  readonly note: string
  readonly metrics: { readonly [name: string]: string | readonly string[] }
  readonly functionEvents: { readonly [name: string]: readonly unknown[] }
  readonly turns: readonly RecordTurn[]
}

/** `AlertRule`, in a response of the server. */
export type AlertRule = {
  readonly id: string
  readonly name: string
  readonly project_id: string | null
  readonly deployment_id?: string
  readonly metric:
    | 'turn_latency_p50'
    | 'turn_latency_p95'
    | 'api_errors'
    | 'function_errors'
    | 'call_crashes'
    | 'call_volume'
  readonly operator: '>' | '<' | '>=' | '<='
  readonly threshold_value: number
  readonly window_duration: '5m' | '10m' | '60m'
  readonly enabled: boolean
  readonly current_state: 'ok' | 'alert' | 'no_data' | 'unknown'
  readonly since: string | null
  readonly last_evaluated_at: string | null
  readonly current_value: number | null
  readonly created_at: string
  readonly updated_at: string
}

/** `ApiKey`, in a response of the server. */
export type ApiKey = {
  readonly id: string
  readonly kind: 'workspace' | 'project' | 'external_events' | 'desk' | 'operator'
  readonly prefix: string
  readonly name: string
  readonly accountId: string | null
  readonly agentId: string | null
  readonly region: string | null
  readonly permissions: readonly string[] | null
  readonly createdAt: string | null
  readonly revokedAt: string | null
  readonly expiresAt: string | null
  readonly lastUsedAt: string | null
}

/** `Attribute`, in a response of the server. */
export type Attribute = {
  readonly id: string
  readonly name: string
}

/** `AuditEntry`, in a response of the server. */
export type AuditEntry = {
  readonly id: string
  readonly at: string
  readonly actor: {
    readonly type: string
    readonly id: string | null
    readonly name: string
  }
  readonly action: string
  readonly accountId: string | null
  readonly agentId: string | null
  readonly resource: {
    readonly type: string
    readonly id: string | null
  }
  readonly details: { readonly [name: string]: unknown }
  readonly correlationId: string | null
}

/** `Behavior`, in a response of the server. */
export type Behavior = {
  readonly behavior: string
}

/** `Branch`, in a response of the server. */
export type Branch = {
  readonly branchId: string
  readonly branchName: string
  readonly name: string
  readonly sequenceId: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly isMain: boolean
  readonly baseRevision: string
}

/** `BranchDiff`, in a response of the server. */
export type BranchDiff = {
  readonly branchVersion: string
  readonly baseRevision: string
  readonly mainRevision: string
  readonly changes: readonly Difference[]
  readonly mainChanges: readonly Difference[]
  readonly hasConflicts: boolean
  readonly conflicts: readonly Difference[]
}

/** `BranchWithChanges`, in a response of the server. */
export type BranchWithChanges = {
  readonly branchId: string
  readonly branchName: string
  readonly name: string
  readonly sequenceId: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly isMain: boolean
  readonly baseRevision: string
  readonly changes: readonly ChangedResource[]
}

/** `CachedAudio`, in a response of the server. */
export type CachedAudio = {
  readonly id: string
  readonly transcript: string
  readonly cachedAt: string
  readonly hitCount: number
  readonly duration: number
  readonly regenerated: boolean
  readonly provider: string
  readonly providerVoiceId: string
  readonly audioFilename?: string
  readonly imported: boolean
  readonly languageCode: string
}

/** `ChangedResource`, in a response of the server. */
export type ChangedResource = {
  readonly kind:
    | 'behavior'
    | 'response_settings'
    | 'topics'
    | 'attributes'
    | 'variants'
    | 'test_cases'
  readonly id: string
  readonly name: string | null
  readonly type: 'add' | 'modify' | 'delete'
}

/** `ChatAnswer`, in a response of the server. */
export type ChatAnswer = {
  readonly conversation_id: string
  readonly response: string
  readonly end_conversation: boolean
  readonly handoff?: {
    readonly destination?: string
    readonly reason?: string
  }
}

/** `ChatBegun`, in a response of the server. */
export type ChatBegun = {
  readonly conversation_id: string
  readonly response: string
}

/** `ChatReply`, in a response of the server. */
export type ChatReply = {
  readonly index: number
  readonly response: string
  readonly end_conversation: boolean
  readonly handoff?: {
    readonly destination?: string
    readonly reason?: string
  }
}

/** `Connector`, in a response of the server. */
export type Connector = {
  readonly id: string
  readonly prefix: string
  readonly name: string
  readonly accountId: string
  readonly agentId: string
  readonly environment: 'sandbox' | 'pre-release' | 'live'
  readonly hosts: readonly string[]
  readonly variantId: string | null
  readonly handoff: {
    readonly mode: 'server' | 'client'
    readonly queueName: string
    readonly timeoutSeconds: number
  }
  readonly contextKeys: readonly {
    readonly kid: string
    readonly createdAt: string | null
    readonly verifiesUntil: string | null
  }[]
  readonly createdAt: string | null
  readonly revokedAt: string | null
  readonly expiresAt: string | null
  readonly lastUsedAt: string | null
}

/** `ConversationRecord`, in a response of the server. */
export type ConversationRecord = {
  readonly id: string
  readonly account_id: string
  readonly project_id: string
  readonly variant_id: string
  readonly variant_name: string
  readonly environment: 'sandbox' | 'pre-release' | 'live'
  readonly started_at: string
  readonly channel: string
  readonly from_number: string
  readonly to_number: string
  readonly in_progress: boolean
  readonly num_turns: number
  readonly total_duration: number
  readonly ai_duration: number
  readonly handoff: boolean
  readonly handoff_reason: string
  readonly handoff_destination: string
  readonly num_silences: number
  readonly num_ood: number
  readonly metrics: { readonly [name: string]: string | readonly string[] }
  readonly state: { readonly [name: string]: unknown }
  readonly turns: readonly RecordTurn[]
  readonly finished_at: string | null
  readonly language: string
  readonly deployment_id: string
  readonly direction: string
  readonly rollout_id?: string
  readonly side?: 'base' | 'candidate'
  readonly topics?: readonly string[]
  readonly visitor?: Visitor
}

/** `ConversationRecordV1`, in a response of the server. */
export type ConversationRecordV1 = {
  readonly id: string
  readonly account_id: string
  readonly project_id: string
  readonly variant_id: string
  readonly variant_name: string
  readonly environment: 'sandbox' | 'pre-release' | 'live'
  readonly started_at: string
  readonly channel: string
  readonly from_number: string
  readonly to_number: string
  readonly in_progress: boolean
  readonly num_turns: number
  readonly total_duration: number
  readonly ai_duration: number
  readonly handoff: boolean
  readonly handoff_reason: string
  readonly handoff_destination: string
  readonly num_silences: number
  readonly num_ood: number
  readonly metrics: { readonly [name: string]: string | readonly string[] }
  readonly state: { readonly [name: string]: unknown }
  readonly turns: readonly RecordTurn[]
}

/** `ConversationRecordWithEvents`, in a response of the server. */
export type ConversationRecordWithEvents = {
  readonly id: string
  readonly account_id: string
  readonly project_id: string
  readonly variant_id: string
  readonly variant_name: string
  readonly environment: 'sandbox' | 'pre-release' | 'live'
  readonly started_at: string
  readonly channel: string
  readonly from_number: string
  readonly to_number: string
  readonly in_progress: boolean
  readonly num_turns: number
  readonly total_duration: number
  readonly ai_duration: number
  readonly handoff: boolean
  readonly handoff_reason: string
  readonly handoff_destination: string
  readonly num_silences: number
  readonly num_ood: number
  readonly metrics: { readonly [name: string]: string | readonly string[] }
  readonly state: { readonly [name: string]: unknown }
  readonly turns: readonly RecordTurn[]
  readonly finished_at: string | null
  readonly language: string
  readonly deployment_id: string
  readonly direction: string
  readonly rollout_id?: string
  readonly side?: 'base' | 'candidate'
  readonly topics?: readonly string[]
  readonly visitor?: Visitor
  readonly function_events: readonly unknown[]
}

/** `DebugTurn`, in a response of the server. */
export type DebugTurn = {
  readonly conversationId: string
  readonly userInput: string
  readonly response: string
  readonly metadata: DebugTurnMetadata
  readonly conversationEnded: boolean
  readonly delayedResponse: boolean
  readonly error?: string
  readonly delayedResponses: readonly DelayedTurn[]
}

/** `DebugTurnMetadata`, in a response of the server. */
export type DebugTurnMetadata = {
  readonly state: { readonly [name: string]: unknown }
  readonly currentNode: string
  readonly nodeTrace: readonly string[]
  readonly metrics: { readonly [name: string]: string | readonly string[] }
  readonly functionEvents: readonly { readonly [name: string]: unknown }[]
  readonly handoffDestination: string
  readonly retrievedTopics: readonly string[]
  readonly retrievedSources: readonly string[]
  readonly citedTopic: string
  readonly inFlow: null
  readonly inStep: null
  readonly llmRequests: readonly { readonly [name: string]: unknown }[]
  readonly asrLangCode: string
  readonly ttsLangCode: string
}

/** `DelayedTurn`, in a response of the server. */
export type DelayedTurn = {
  readonly conversationId: string
  readonly userInput: string
  readonly response: string
  readonly metadata: DebugTurnMetadata
  readonly conversationEnded: boolean
  readonly delayedResponse: boolean
  readonly error?: string
}

/** `Deployed`, in a response of the server. */
export type Deployed = {
  readonly deployment: Deployment
  readonly testRunIds: readonly string[]
}

/** `Deployment`, in a response of the server. */
export type Deployment = {
  readonly id: string
  readonly accountId: string
  readonly agentId: string
  readonly environment: 'sandbox' | 'pre-release' | 'live'
  readonly artifactVersion: string
  readonly version: string
  readonly createdBy: string
  readonly createdAt: string
  readonly metadata: {
    readonly deployment_message: string
    readonly deployment_type: 'merge' | 'publish' | 'promotion' | 'rollback'
  }
}

/** `DeskColleague`, in a response of the server. */
export type DeskColleague = {
  readonly id: string
  readonly name: string
  readonly avatar_url: string
  readonly queues: readonly string[] | null
  readonly talks: number
  readonly talks_at_once: number
  readonly skills: readonly string[]
  readonly away_since: string | null
}

/** `DeskFigures`, in a response of the server. */
export type DeskFigures = {
  readonly answered: number
  readonly answered_within: number
  readonly abandoned: number
  readonly unanswered: number
  readonly median_wait_seconds: number | null
  readonly longest_wait_seconds: number | null
  readonly handled: number
  readonly median_handling_seconds: number | null
  readonly total_handling_seconds: number
  readonly declined: number
}

/** `DeskFiguresReport`, in a response of the server. */
export type DeskFiguresReport = {
  readonly from: string
  readonly to: string
  readonly all: DeskFigures
  readonly queues: readonly QueueFigures[]
  readonly live_agents: readonly LiveAgentFigures[]
  readonly times: readonly {
    readonly from: string
    readonly answered: number
    readonly abandoned: number
    readonly unanswered: number
    readonly handled: number
  }[]
}

/** `DeskNote`, in a response of the server. */
export type DeskNote = {
  readonly note_id: string
  readonly number: number
  readonly author: {
    readonly id: string
    readonly name: string
  }
  readonly text: string
  readonly at: string
  readonly changed_at?: string
}

/** `DeskQueue`, in a response of the server. */
export type DeskQueue = {
  readonly queue_name: string
  readonly time_zone: string
  readonly weekly: readonly {
    readonly day: number
    readonly from: string
    readonly to: string
  }[]
  readonly holidays: readonly string[]
  readonly is_open: boolean
  readonly opens_at: string | null
}

/** `DeskSummary`, in a response of the server. */
export type DeskSummary = {
  readonly status: 'pending' | 'done' | 'failed'
  readonly text: string
  readonly failure: 'timed_out' | 'failed' | null
  readonly at: string
}

/** `DeskVisitor`, in a response of the server. */
export type DeskVisitor = {
  readonly visitor?: Visitor
  readonly language: string | null
  readonly page: {
    readonly url: string
    readonly title: string
  } | null
  readonly device:
    | {
    readonly kind: 'desktop' | 'phone' | 'tablet'
    readonly system: string
    readonly browser: string | null
  }
    | null
  readonly rating: {
    readonly score: number
    readonly comment: string
  } | null
  readonly attributes: { readonly [name: string]: unknown }
  readonly verified: { readonly [name: string]: unknown } | null
  readonly earlier: readonly {
    readonly project_id: string
    readonly conversation_id: string
    readonly channel: string
    readonly started_at: string
    readonly ended_at: string | null
    readonly score: number | null
  }[]
}

/** `Difference`, in a response of the server. */
export type Difference = {
  readonly path: readonly string[]
  readonly baseValue: unknown
  readonly oursValue: unknown
  readonly theirsValue: unknown
  readonly type: 'modify' | 'add' | 'delete'
}

/** `ErrorCoded`, in a response of the server. */
export type ErrorCoded = {
  readonly success: false
  readonly error: string
  readonly message: string
}

/** `ErrorDetail`, in a response of the server. */
export type ErrorDetail = {
  readonly detail: readonly {
    readonly loc: readonly (string | number)[]
    readonly msg: string
    readonly type: string
  }[]
}

/** `ErrorEnvelope`, in a response of the server. */
export type ErrorEnvelope = {
  readonly success: false
  readonly error: string
  readonly error_id: string
  readonly error_code: string
  readonly error_message: string
  readonly data: DebugTurn | null
  readonly hasConflicts?: boolean
  readonly conflicts?: readonly Difference[]
  readonly errors?: readonly unknown[]
  readonly testRunId?: string | null
  readonly replayId?: string | null
  readonly rolloutId?: string
  readonly changed?: readonly string[]
  readonly about?: readonly string[]
  readonly preview?: MergePreview
}

/** `ErrorMessage`, in a response of the server. */
export type ErrorMessage = {
  readonly error_message: string
}

/** `ErrorNamed`, in a response of the server. */
export type ErrorNamed = {
  readonly error: string
  readonly code: string
}

/** `ErrorText`, in a response of the server. */
export type ErrorText = {
  readonly detail: string
}

/** `Estimate`, in a response of the server. */
export type Estimate = {
  readonly count: number
  readonly of: number
  readonly share: number
  readonly low: number
  readonly high: number
}

/** `FileAddress`, in a response of the server. */
export type FileAddress = {
  readonly url: string
  readonly expires_at: string
}

/** `FilledReply`, in a response of the server. */
export type FilledReply = {
  readonly id: string
  readonly code: string
  readonly text: string
  readonly project_id: string | null
  readonly language: string | null
  readonly created_at: string
  readonly filled: string
}

/** `GivenPhoneNumber`, in a response of the server. */
export type GivenPhoneNumber = {
  readonly phoneNumber: string
  readonly accountId: string
  readonly agentId: string
  readonly environment: 'sandbox' | 'pre-release' | 'live'
  readonly connectorId: string | null
  readonly createdAt: string
}

/** `Handoff`, in a response of the server. */
export type Handoff = {
  readonly handoff_id: string
  readonly session_id: string
  readonly status: 'requested' | 'waiting' | 'active' | 'over'
  readonly queue_name: string
  readonly reason: string
  readonly destination: string
  readonly waiting_since: string
  readonly position_in_queue: number | null
  readonly agent?: {
    readonly id: string
    readonly name: string
    readonly avatar_url: string
  }
  readonly offered_to?: {
    readonly id: string
    readonly name: string
    readonly until: string
  }
  readonly transferred?: {
    readonly from: {
      readonly id: string
      readonly name: string
    }
    readonly reason: string
  }
  readonly can_return: boolean
  readonly visitor?: Visitor
  readonly last_line?: {
    readonly text: string
    readonly at: string
  }
}

/** `HandoffWithTranscript`, in a response of the server. */
export type HandoffWithTranscript = {
  readonly handoff_id: string
  readonly session_id: string
  readonly status: 'requested' | 'waiting' | 'active' | 'over'
  readonly queue_name: string
  readonly reason: string
  readonly destination: string
  readonly waiting_since: string
  readonly position_in_queue: number | null
  readonly agent?: {
    readonly id: string
    readonly name: string
    readonly avatar_url: string
  }
  readonly offered_to?: {
    readonly id: string
    readonly name: string
    readonly until: string
  }
  readonly transferred?: {
    readonly from: {
      readonly id: string
      readonly name: string
    }
    readonly reason: string
  }
  readonly can_return: boolean
  readonly visitor?: Visitor
  readonly last_line?: {
    readonly text: string
    readonly at: string
  }
  readonly transcript: readonly {
    readonly from: 'visitor' | 'ai_agent' | 'live_agent'
    readonly text: string
    readonly at: string
    readonly files?: readonly SentFile[]
    readonly agent?: {
      readonly id: string
      readonly name?: string
    }
  }[]
  readonly notes: readonly DeskNote[]
  readonly summary?: DeskSummary
  readonly can_suggest: boolean
}

/** `Json`, in a response of the server. */
export type Json = 
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [name: string]: Json }

/** `LiveAgentFigures`, in a response of the server. */
export type LiveAgentFigures = {
  readonly answered: number
  readonly answered_within: number
  readonly abandoned: number
  readonly unanswered: number
  readonly median_wait_seconds: number | null
  readonly longest_wait_seconds: number | null
  readonly handled: number
  readonly median_handling_seconds: number | null
  readonly total_handling_seconds: number
  readonly declined: number
  readonly id: string
  readonly name: string
}

/** `MergePreview`, in a response of the server. */
export type MergePreview = {
  readonly branchVersion: string
  readonly mainRevision: string
  readonly changes: readonly Difference[]
  readonly conflicts: readonly Difference[]
}

/** `MessagingError`, in a response of the server. */
export type MessagingError = {
  readonly message: string
  readonly error: string
}

/** `NewApiKey`, in a response of the server. */
export type NewApiKey = {
  readonly id: string
  readonly kind: 'workspace' | 'project' | 'external_events' | 'desk' | 'operator'
  readonly prefix: string
  readonly name: string
  readonly accountId: string | null
  readonly agentId: string | null
  readonly region: string | null
  readonly permissions: readonly string[] | null
  readonly createdAt: string | null
  readonly revokedAt: string | null
  readonly expiresAt: string | null
  readonly lastUsedAt: string | null
  readonly key: string
}

/** `NewConnector`, in a response of the server. */
export type NewConnector = {
  readonly id: string
  readonly prefix: string
  readonly name: string
  readonly accountId: string
  readonly agentId: string
  readonly environment: 'sandbox' | 'pre-release' | 'live'
  readonly hosts: readonly string[]
  readonly variantId: string | null
  readonly handoff: {
    readonly mode: 'server' | 'client'
    readonly queueName: string
    readonly timeoutSeconds: number
  }
  readonly contextKeys: readonly {
    readonly kid: string
    readonly createdAt: string | null
    readonly verifiesUntil: string | null
  }[]
  readonly createdAt: string | null
  readonly revokedAt: string | null
  readonly expiresAt: string | null
  readonly lastUsedAt: string | null
  readonly token: string
}

/** `NewContextKey`, in a response of the server. */
export type NewContextKey = {
  readonly kid: string
  readonly createdAt: string | null
  readonly verifiesUntil: string | null
  readonly secret: string
}

/** `NewWebhookEndpoint`, in a response of the server. */
export type NewWebhookEndpoint = {
  readonly id: string
  readonly name: string
  readonly url: string
  readonly enabled: boolean
  readonly event_types: readonly string[]
  readonly headers: { readonly [name: string]: string }
  readonly timeout_ms: number
  readonly created_at: string
  readonly updated_at: string
  readonly disabled_reason?: string
  readonly previous_secret_until?: string
  readonly signing_secret: string
}

/** `PhoneNumber`, in a response of the server. */
export type PhoneNumber = {
  readonly number: string
  readonly projectId: string
  readonly accountId: string
  readonly clientEnv: 'sandbox' | 'pre-release' | 'live'
  readonly connectorId?: string
}

/** `PooledNumber`, in a response of the server. */
export type PooledNumber = {
  readonly phoneNumber: string
  readonly accountId: string
  readonly agentId: string
  readonly createdAt: string
  readonly reservedUntil: string | null
}

/** `QuestionGroup`, in a response of the server. */
export type QuestionGroup = {
  readonly count: number
  readonly examples: readonly {
    readonly text: string
    readonly conversationId: string
    readonly startedAt: string
  }[]
}

/** `QueueAssignment`, in a response of the server. */
export type QueueAssignment = {
  readonly queue_name: string
  readonly mode: 'round_robin' | 'least_busy'
  readonly skills: readonly string[]
}

/** `QueueFigures`, in a response of the server. */
export type QueueFigures = {
  readonly answered: number
  readonly answered_within: number
  readonly abandoned: number
  readonly unanswered: number
  readonly median_wait_seconds: number | null
  readonly longest_wait_seconds: number | null
  readonly handled: number
  readonly median_handling_seconds: number | null
  readonly total_handling_seconds: number
  readonly declined: number
  readonly queue_name: string
}

/** `RealTimeConfig`, in a response of the server. */
export type RealTimeConfig = {
  readonly clientEnv: 'sandbox' | 'pre-release' | 'live'
  readonly variables: { readonly [name: string]: unknown }
  readonly schema?: { readonly [name: string]: unknown }
  readonly lastUpdated?: string
}

/** `RecordTurn`, in a response of the server. */
export type RecordTurn = {
  readonly user_input: string
  readonly user_input_dtmf: string
  readonly user_input_datetime: string
  readonly agent_response: string
  readonly agent_response_datetime: string
  readonly latency?: number
  readonly translated_user_input: string
  readonly english_agent_response: string
  readonly intents: readonly string[]
  readonly entities: readonly { readonly [name: string]: string | readonly string[] }[]
  readonly is_ood: boolean
  readonly is_silence: boolean
}

/** `Replay`, in a response of the server. */
export type Replay = {
  readonly id: string
  readonly agentId: string
  readonly deploymentId: string | null
  readonly branchId: string | null
  readonly environment: 'sandbox' | 'pre-release' | 'live'
  readonly artifactVersion: string
  readonly version: string
  readonly mode: 'recorded_history' | 'live_history'
  readonly status: 'running' | 'finished' | 'errored'
  readonly error: string | null
  readonly selection: {
    readonly last: number
    readonly environment: 'sandbox' | 'pre-release' | 'live'
    readonly days: number | null
  }
  readonly conversations: number
  readonly startedAt: string
  readonly finishedAt: string | null
}

/** `ReplayReport`, in a response of the server. */
export type ReplayReport = {
  readonly id: string
  readonly agentId: string
  readonly deploymentId: string | null
  readonly branchId: string | null
  readonly environment: 'sandbox' | 'pre-release' | 'live'
  readonly artifactVersion: string
  readonly version: string
  readonly mode: 'recorded_history' | 'live_history'
  readonly status: 'running' | 'finished' | 'errored'
  readonly error: string | null
  readonly selection: {
    readonly last: number
    readonly environment: 'sandbox' | 'pre-release' | 'live'
    readonly days: number | null
  }
  readonly conversations: number
  readonly startedAt: string
  readonly finishedAt: string | null
  readonly replayed: number
  readonly erased: number
  readonly verdicts: {
    readonly worse: number
    readonly errored: number
    readonly changed: number
    readonly off_script: number
    readonly not_replayable: number
    readonly better: number
    readonly reworded: number
    readonly same: number
  }
  readonly noise: {
    readonly turns: number
    readonly different: number
  }
  readonly judge: {
    readonly judged: number
    readonly failed: number
  }
  readonly groups: readonly {
    readonly verdict:
      | 'worse'
      | 'errored'
      | 'changed'
      | 'off_script'
      | 'not_replayable'
      | 'better'
      | 'reworded'
      | 'same'
    readonly reason:
      | 'same'
      | 'text'
      | 'function_lost'
      | 'no_answer'
      | 'handoff_lost'
      | 'handoff_new'
      | 'answered'
      | 'error_gone'
      | 'function_missing'
      | 'function_arguments'
      | 'topic'
      | 'handoff_destination'
      | 'end'
      | 'delayed'
      | 'agent_failed'
      | 'ended'
      | 'handed_off'
      | 'judged'
      | 'no_recording'
      | 'recorded_elsewhere'
      | 'no_variant'
      | 'external_event'
      | 'after_handoff'
      | 'after_error'
      | 'too_long'
      | 'erased'
    readonly from: string
    readonly to: string
    readonly turns: number
    readonly accepted:
      | {
      readonly why: string
      readonly by: string
      readonly at: string
    }
      | null
  }[]
}

/** `ReplayedTurn`, in a response of the server. */
export type ReplayedTurn = {
  readonly verdict:
    | 'worse'
    | 'errored'
    | 'changed'
    | 'off_script'
    | 'not_replayable'
    | 'better'
    | 'reworded'
    | 'same'
  readonly reason:
    | 'same'
    | 'text'
    | 'function_lost'
    | 'no_answer'
    | 'handoff_lost'
    | 'handoff_new'
    | 'answered'
    | 'error_gone'
    | 'function_missing'
    | 'function_arguments'
    | 'topic'
    | 'handoff_destination'
    | 'end'
    | 'delayed'
    | 'agent_failed'
    | 'ended'
    | 'handed_off'
    | 'judged'
    | 'no_recording'
    | 'recorded_elsewhere'
    | 'no_variant'
    | 'external_event'
    | 'after_handoff'
    | 'after_error'
    | 'too_long'
    | 'erased'
  readonly from: string
  readonly to: string
  readonly conversationId: string
  readonly turn: number
  readonly reply: string
  readonly judged?:
    | {
    readonly reason: string
    readonly rule:
      | 'same'
      | 'text'
      | 'function_lost'
      | 'no_answer'
      | 'handoff_lost'
      | 'handoff_new'
      | 'answered'
      | 'error_gone'
      | 'function_missing'
      | 'function_arguments'
      | 'topic'
      | 'handoff_destination'
      | 'end'
      | 'delayed'
      | 'agent_failed'
      | 'ended'
      | 'handed_off'
      | 'judged'
      | 'no_recording'
      | 'recorded_elsewhere'
      | 'no_variant'
      | 'external_event'
      | 'after_handoff'
      | 'after_error'
      | 'too_long'
      | 'erased'
  }
    | null
  readonly recorded: {
    readonly userInput: string
    readonly reply: string
  } | null
}

/** `ResponseSettings`, in a response of the server. */
export type ResponseSettings = {
  readonly greeting: string
  readonly languageCode: string
  readonly voiceId: string | null
  readonly modelId: string | null
  readonly avatarUrl?: string
  readonly phrases?: { readonly [name: string]: {
    readonly unknown?: string
    readonly offer?: string
    readonly clarify?: string
    readonly confirm?: string
    readonly declined?: string
    readonly misunderstood?: string
    readonly silence?: string
    readonly handoff?: string
    readonly closed?: string
    readonly back?: string
    readonly leaveMessage?: string
    readonly messageTaken?: string
    readonly cutShort?: string
    readonly failed?: string
    readonly eventReceived?: string
    readonly smallTalk?: readonly {
      readonly to: readonly string[]
      readonly says: string
    }[]
  } }
}

/** `Rollout`, in a response of the server. */
export type Rollout = {
  readonly id: string
  readonly accountId: string
  readonly agentId: string
  readonly environment: 'pre-release' | 'live'
  readonly base: RolloutVersion
  readonly candidate: RolloutVersion
  readonly key: 'visitor' | 'conversation'
  readonly basisPoints: number
  readonly shares: readonly {
    readonly basisPoints: number
    readonly at: string
    readonly by: string
  }[]
  readonly guards: readonly string[]
  readonly startedAt: string
  readonly startedBy: string
  readonly end:
    | {
    readonly winner: 'base' | 'candidate'
    readonly at: string
    readonly by: string
    readonly deploymentId: string | null
    readonly early?: 'guard' | 'not_enough' | null
  }
    | null
}

/** `RolloutDifference`, in a response of the server. */
export type RolloutDifference = {
  readonly value: number
  readonly low: number
  readonly high: number
  readonly verdict: 'not_enough' | 'no_difference' | 'better' | 'worse'
}

/** `RolloutReport`, in a response of the server. */
export type RolloutReport = {
  readonly id: string
  readonly accountId: string
  readonly agentId: string
  readonly environment: 'pre-release' | 'live'
  readonly base: RolloutVersion
  readonly candidate: RolloutVersion
  readonly key: 'visitor' | 'conversation'
  readonly basisPoints: number
  readonly shares: readonly {
    readonly basisPoints: number
    readonly at: string
    readonly by: string
  }[]
  readonly guards: readonly string[]
  readonly startedAt: string
  readonly startedBy: string
  readonly end:
    | {
    readonly winner: 'base' | 'candidate'
    readonly at: string
    readonly by: string
    readonly deploymentId: string | null
    readonly early?: 'guard' | 'not_enough' | null
  }
    | null
  readonly figures: {
    readonly base: RolloutSideFigures
    readonly candidate: RolloutSideFigures
    readonly differences: {
      readonly contained: RolloutDifference
      readonly understood: RolloutDifference
      readonly satisfied: RolloutDifference
      readonly engaged: RolloutDifference
    }
    readonly days: readonly {
      readonly day: string
      readonly base: {
        readonly conversations: number
        readonly contained: number
      }
      readonly candidate: {
        readonly conversations: number
        readonly contained: number
      }
    }[]
  }
  readonly isWhole: boolean
}

/** `RolloutSideFigures`, in a response of the server. */
export type RolloutSideFigures = {
  readonly conversations: number
  readonly turns: number
  readonly latency:
    | {
    readonly median: number
    readonly p95: number
    readonly longest: number
  }
    | null
  readonly unknown: number
  readonly handoffs: number
  readonly destinations: readonly {
    readonly name: string
    readonly count: number
  }[]
  readonly contained: Estimate
  readonly understood: Estimate
  readonly satisfied: Estimate
  readonly engaged: Estimate
}

/** `RolloutVersion`, in a response of the server. */
export type RolloutVersion = {
  readonly deploymentId: string
  readonly environment: 'sandbox' | 'pre-release' | 'live'
  readonly artifactVersion: string
  readonly version: string
}

/** `SentFile`, in a response of the server. */
export type SentFile = {
  readonly file_id: string
  readonly name: string
  readonly content_type: string
  readonly size: number
}

/** `SentWebhook`, in a response of the server. */
export type SentWebhook = {
  readonly url: string | null
  readonly at: string | null
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/** `SharedReply`, in a response of the server. */
export type SharedReply = {
  readonly id: string
  readonly code: string
  readonly text: string
  readonly project_id: string | null
  readonly language: string | null
  readonly created_at: string
}

/** `TelephonyConnector`, in a response of the server. */
export type TelephonyConnector = {
  readonly connectorId: string
  readonly name: string
  readonly accountId: string
  readonly projectId: string
  readonly clientEnv: 'sandbox' | 'pre-release' | 'live'
  readonly variantId: string
  readonly asrLangCode: string
  readonly ttsLangCode: string
  readonly voiceName: string
  readonly disableHandoff: boolean
}

/** `TestCase`, in a response of the server. */
export type TestCase = {
  readonly id: string
  readonly name: string
  readonly turns: readonly {
    readonly text: string
    readonly expectations: {
      readonly topic?: string
      readonly citedTopic?: string
      readonly contains?: readonly string[]
      readonly notContains?: readonly string[]
      readonly function?: {
        readonly name: string
        readonly arguments?: { readonly [name: string]: unknown }
      }
      readonly handoff?: {
        readonly destination?: string
      }
      readonly ends?: boolean
    }
  }[]
  readonly visitor: TestVisitorProfile | null
  readonly functionResults: { readonly [name: string]: {
    readonly result?: unknown
    readonly error?: string
    readonly say?: string
    readonly variables?: { readonly [name: string]: unknown }
    readonly handoff?: {
      readonly destination: string
      readonly reason: string
    }
    readonly ends?: boolean
  } }
  readonly variantId: string | null
  readonly isActive: boolean
}

/** `TestCaseResult`, in a response of the server. */
export type TestCaseResult = {
  readonly testCaseId: string
  readonly name: string
  readonly status: 'passed' | 'failed' | 'errored'
  readonly error: string | null
  readonly turns: readonly TestTurnResult[]
  readonly talks?: readonly TestTalk[]
}

/** `TestRun`, in a response of the server. */
export type TestRun = {
  readonly id: string
  readonly agentId: string
  readonly deploymentId: string
  readonly environment: 'sandbox' | 'pre-release' | 'live'
  readonly artifactVersion: string
  readonly version: string
  readonly status: 'running' | 'passed' | 'failed' | 'errored'
  readonly error: string | null
  readonly testCases: {
    readonly total: number
    readonly passed: number
    readonly failed: number
    readonly errored: number
  }
  readonly branchId: string | null
  readonly testers:
    | {
    readonly visitor: string
    readonly judge: string | null
  }
    | null
  readonly startedBy: string | null
  readonly startedAt: string
  readonly finishedAt: string | null
}

/** `TestRunWithResults`, in a response of the server. */
export type TestRunWithResults = {
  readonly id: string
  readonly agentId: string
  readonly deploymentId: string
  readonly environment: 'sandbox' | 'pre-release' | 'live'
  readonly artifactVersion: string
  readonly version: string
  readonly status: 'running' | 'passed' | 'failed' | 'errored'
  readonly error: string | null
  readonly testCases: {
    readonly total: number
    readonly passed: number
    readonly failed: number
    readonly errored: number
  }
  readonly branchId: string | null
  readonly testers:
    | {
    readonly visitor: string
    readonly judge: string | null
  }
    | null
  readonly startedBy: string | null
  readonly startedAt: string
  readonly finishedAt: string | null
  readonly results: readonly TestCaseResult[]
}

/** `TestTalk`, in a response of the server. */
export type TestTalk = {
  readonly status: 'passed' | 'failed' | 'errored'
  readonly error: string | null
  readonly turns: readonly TestTurnResult[]
  readonly verdicts: readonly {
    readonly expectation:
      | 'topic'
      | 'citedTopic'
      | 'contains'
      | 'function'
      | 'handoff'
      | 'ends'
      | 'goal'
      | 'never'
      | 'judge'
    readonly passed: boolean
    readonly expected: unknown
    readonly actual: unknown
  }[]
}

/** `TestTurnResult`, in a response of the server. */
export type TestTurnResult = {
  readonly text: string
  readonly reply: string
  readonly retrievedTopics: readonly string[]
  readonly citedTopic: string
  readonly functionEvents: readonly unknown[]
  readonly handoff: {
    readonly destination: string
  } | null
  readonly ended: boolean
  readonly verdicts: readonly {
    readonly expectation:
      | 'topic'
      | 'citedTopic'
      | 'contains'
      | 'notContains'
      | 'function'
      | 'handoff'
      | 'ends'
    readonly passed: boolean
    readonly expected: unknown
    readonly actual: unknown
  }[]
}

/** `TestVisitorProfile`, in a response of the server. */
export type TestVisitorProfile = {
  readonly goal: string
  readonly facts: { readonly [name: string]: string }
  readonly wants?: readonly string[]
  readonly persona?: string
  readonly language?: string
  readonly maxTurns: number
  readonly talks: number
  readonly mustPass?: number
  readonly expectations: {
    readonly topic?: string
    readonly citedTopic?: string
    readonly contains?: readonly string[]
    readonly function?: {
      readonly name: string
      readonly arguments?: { readonly [name: string]: unknown }
    }
    readonly handoff?: {
      readonly destination?: string
    }
    readonly ends?: boolean
    readonly goal?: 'reached'
    readonly never?: readonly string[]
    readonly judge?: readonly string[]
  }
}

/** `TestedCase`, in a response of the server. */
export type TestedCase = {
  readonly testRunId: string
  readonly testCaseId: string
  readonly testCaseSnapshot: {
    readonly name: string
  }
  readonly status: 'passed' | 'failed' | 'errored'
  readonly error: string | null
  readonly startedAt: string
  readonly results: {
    readonly prompt_assertion_results: readonly {
      readonly prompt: string
      readonly is_pass: boolean
      readonly reason: string
    }[]
    readonly function_call_failures: readonly {
      readonly name: string
      readonly is_pass: boolean
      readonly failure_reason: string
      readonly error: string
    }[]
  }
  readonly rawConversation: {
    readonly turns: readonly {
      readonly user_input: string
      readonly agent_response: string
      readonly function_calls: readonly {
        readonly name: string
        readonly arguments: { readonly [name: string]: unknown }
        readonly error: string
      }[]
    }[]
  }
}

/** `TestingRun`, in a response of the server. */
export type TestingRun = {
  readonly id: string
  readonly agentId: string
  readonly status: 'running' | 'completed' | 'errored'
  readonly error: string | null
  readonly errorCount: number
  readonly passedCount: number
  readonly failedCount: number
  readonly testCaseCount: number
  readonly branchId: string | null
  readonly deploymentId: string | null
  readonly startedAt: string
  readonly finishedAt: string | null
  readonly startedBy: string | null
}

/** `TestingRunWithHistory`, in a response of the server. */
export type TestingRunWithHistory = {
  readonly id: string
  readonly agentId: string
  readonly status: 'running' | 'completed' | 'errored'
  readonly error: string | null
  readonly errorCount: number
  readonly passedCount: number
  readonly failedCount: number
  readonly testCaseCount: number
  readonly branchId: string | null
  readonly deploymentId: string | null
  readonly startedAt: string
  readonly finishedAt: string | null
  readonly startedBy: string | null
  readonly testHistory: readonly TestedCase[]
}

/** `TokenKeys`, in a response of the server. */
export type TokenKeys = {
  readonly tokenKeys: readonly {
    readonly id: string
    readonly createdAt: string | null
    readonly verifiesUntil: string | null
  }[]
}

/** `Topic`, in a response of the server. */
export type Topic = {
  readonly id: string
  readonly name: string
  readonly content: string
  readonly actions: string
  readonly exampleQueries: {
    readonly queries: readonly string[]
  }
  readonly isActive: boolean
}

/** `TriggeredTestRun`, in a response of the server. */
export type TriggeredTestRun = {
  readonly id: string
  readonly agentId: string
  readonly status: 'running' | 'completed' | 'errored'
  readonly error: string | null
  readonly errorCount: number
  readonly passedCount: number
  readonly failedCount: number
  readonly testCaseCount: number
  readonly branchId: string | null
  readonly deploymentId: string | null
  readonly startedAt: string
  readonly finishedAt: string | null
  readonly startedBy: string | null
  readonly test_case_count: number
}

/** `Variant`, in a response of the server. */
export type Variant = {
  readonly id: string
  readonly name: string
  readonly isDefault: boolean
  readonly attributeValues: {
    readonly values: { readonly [name: string]: string }
  }
}

/** `Visitor`, in a response of the server. */
export type Visitor = {
  readonly id: string
  readonly name?: string
  readonly language?: string
}

/** `Voice`, in a response of the server. */
export type Voice = {
  readonly id: string
  readonly name: string
  readonly provider: string
  readonly providerVoiceId: string
  readonly config: { readonly [name: string]: unknown }
  readonly metadata?: { readonly [name: string]: unknown }
  readonly isAIVoice?: boolean
}

/** `WebhookAnswer`, in a response of the server. */
export type WebhookAnswer = {
  readonly status: number
  readonly body:
    | {
    readonly contentType: string | null
    readonly bytes: number
    readonly text: string | null
    readonly isCut: boolean
  }
    | null
}

/** `WebhookDelivery`, in a response of the server. */
export type WebhookDelivery = {
  readonly id: string
  readonly eventId: string
  readonly type: string
  readonly conversationId: string | null
  readonly status: 'pending' | 'delivered' | 'dead'
  readonly attempts: number
  readonly nextAttemptAt: string | null
  readonly lastAttemptAt: string | null
  readonly lastStatus: number | null
  readonly lastError: string | null
  readonly createdAt: string
}

/** `WebhookDeliveryDetail`, in a response of the server. */
export type WebhookDeliveryDetail = {
  readonly id: string
  readonly eventId: string
  readonly type: string
  readonly conversationId: string | null
  readonly status: 'pending' | 'delivered' | 'dead'
  readonly attempts: number
  readonly nextAttemptAt: string | null
  readonly lastAttemptAt: string | null
  readonly lastStatus: number | null
  readonly lastError: string | null
  readonly createdAt: string
  readonly sent: SentWebhook
  readonly answer: WebhookAnswer | null
}

/** `WebhookEndpoint`, in a response of the server. */
export type WebhookEndpoint = {
  readonly id: string
  readonly name: string
  readonly url: string
  readonly enabled: boolean
  readonly event_types: readonly string[]
  readonly headers: { readonly [name: string]: string }
  readonly timeout_ms: number
  readonly created_at: string
  readonly updated_at: string
  readonly disabled_reason?: string
  readonly previous_secret_until?: string
}

/** Input and answer of each call, by the id of its operation. `item` is one entry of a list in pages. */
export interface Operations {
  /** List the agents of an account, oldest first. `GET /v1/accounts/{accountId}/agents`, with `workspaceKey`. */
  readonly listAgents: {
    readonly input: {
      readonly accountId: string
    }
    readonly answer: readonly Agent[]
  }
  /** Create an agent with an empty main branch. `POST /v1/accounts/{accountId}/agents`, with `workspaceKey`. */
  readonly createAgent: {
    readonly input: {
      readonly accountId: string
      readonly body: {
        readonly name: string
        readonly agentId?: string | undefined
        readonly responseSettings: {
          readonly greeting: string
          readonly languageCode?: string | undefined
        }
        readonly voiceSettings?: {
          readonly voiceId?: string | undefined
        } | undefined
        readonly llmSettings?: {
          readonly modelId?: string | undefined
        } | undefined
      }
    }
    readonly answer: Agent
  }
  /** Read an agent. `GET /v1/agents/{agentId}`, with `workspaceKey`. */
  readonly readAgent: {
    readonly input: {
      readonly agentId: string
    }
    readonly answer: Agent
  }
  /** Rename an agent. `PATCH /v1/agents/{agentId}`, with `workspaceKey`. */
  readonly updateAgent: {
    readonly input: {
      readonly agentId: string
      readonly body: {
        readonly name: string
      }
    }
    readonly answer: Agent
  }
  /** Delete an agent with all its branches and deployments. `DELETE /v1/agents/{agentId}`, with `workspaceKey`. */
  readonly deleteAgent: {
    readonly input: {
      readonly agentId: string
    }
    readonly answer: undefined
  }
  /**
   * Create an agent that begins with what this one's main holds. `POST /v1/agents/{agentId}/duplicate`, with
   * `workspaceKey`.
   */
  readonly duplicateAgent: {
    readonly input: {
      readonly agentId: string
      readonly body: {
        readonly newAgentName: string
        readonly newAgentId?: string | undefined
      }
    }
    readonly answer: Agent
  }
  /** List the branches of an agent, main first. `GET /v1/agents/{agentId}/branches`, with `workspaceKey`. */
  readonly listBranches: {
    readonly input: {
      readonly agentId: string
    }
    readonly answer: {
      readonly branches: readonly Branch[]
    }
  }
  /** Create a branch from main's newest revision. `POST /v1/agents/{agentId}/branches`, with `workspaceKey`. */
  readonly createBranch: {
    readonly input: {
      readonly agentId: string
      readonly body: {
        readonly branchName: string
      }
    }
    readonly answer: {
      readonly branchId: string
      readonly sequenceId: string
    }
  }
  /**
   * Read a branch with its changes since its base revision. `GET /v1/agents/{agentId}/branches/{branchId}`, with
   * `workspaceKey`.
   */
  readonly readBranch: {
    readonly input: {
      readonly agentId: string
      readonly branchId: string
    }
    readonly answer: BranchWithChanges
  }
  /** Delete a branch with its changes. `DELETE /v1/agents/{agentId}/branches/{branchId}`, with `workspaceKey`. */
  readonly deleteBranch: {
    readonly input: {
      readonly agentId: string
      readonly branchId: string
    }
    readonly answer: {
      readonly sequence: string
      readonly message: string
    }
  }
  /**
   * Preview the changes and the conflicts of a merge of the branch. `GET
   * /v1/agents/{agentId}/branches/{branchId}/diff`, with `workspaceKey`.
   */
  readonly diffBranch: {
    readonly input: {
      readonly agentId: string
      readonly branchId: string
    }
    readonly answer: BranchDiff
  }
  /**
   * Merge a branch to main and deploy the result to sandbox. `POST /v1/agents/{agentId}/branches/{branchId}/merge`,
   * with `workspaceKey`.
   */
  readonly mergeBranch: {
    readonly input: {
      readonly agentId: string
      readonly branchId: string
      readonly body?: {
        readonly deploymentMessage?: string | undefined
        readonly conflictResolutions?: readonly {
          readonly path: readonly string[]
          readonly strategy: 'ours' | 'theirs' | 'base'
          readonly value?: unknown
        }[] | undefined
        readonly expected?: {
          readonly branchVersion?: string | undefined
          readonly mainRevision?: string | undefined
        } | undefined
      } | undefined
    }
    readonly answer: {
      readonly sequence: string
      readonly message: string
      readonly testRunIds: readonly string[]
    }
  }
  /** Read a branch's behavior. `GET /v1/agents/{agentId}/branches/{branchId}/behavior`, with `workspaceKey`. */
  readonly readBehavior: {
    readonly input: {
      readonly agentId: string
      readonly branchId: string
    }
    readonly answer: Behavior
  }
  /** Replace a branch's behavior. `PATCH /v1/agents/{agentId}/branches/{branchId}/behavior`, with `workspaceKey`. */
  readonly updateBehavior: {
    readonly input: {
      readonly agentId: string
      readonly branchId: string
      readonly body: {
        readonly behavior: string
        readonly expected?: {
          readonly behavior: string
        } | undefined
      }
    }
    readonly answer: Behavior
  }
  /**
   * Read a branch's response settings. `GET /v1/agents/{agentId}/branches/{branchId}/response-settings`, with
   * `workspaceKey`.
   */
  readonly readResponseSettings: {
    readonly input: {
      readonly agentId: string
      readonly branchId: string
    }
    readonly answer: ResponseSettings
  }
  /**
   * Change a branch's response settings. `PATCH /v1/agents/{agentId}/branches/{branchId}/response-settings`, with
   * `workspaceKey`.
   */
  readonly updateResponseSettings: {
    readonly input: {
      readonly agentId: string
      readonly branchId: string
      readonly body?: {
        readonly greeting?: string | undefined
        readonly languageCode?: string | undefined
        readonly voiceId?: string | null | undefined
        readonly modelId?: string | null | undefined
        readonly avatarUrl?: string | null | undefined
        readonly phrases?:
          | { readonly [name: string]: {
          readonly unknown?: string | undefined
          readonly offer?: string | undefined
          readonly clarify?: string | undefined
          readonly confirm?: string | undefined
          readonly declined?: string | undefined
          readonly misunderstood?: string | undefined
          readonly silence?: string | undefined
          readonly handoff?: string | undefined
          readonly closed?: string | undefined
          readonly back?: string | undefined
          readonly leaveMessage?: string | undefined
          readonly messageTaken?: string | undefined
          readonly cutShort?: string | undefined
          readonly failed?: string | undefined
          readonly eventReceived?: string | undefined
          readonly smallTalk?: readonly {
            readonly to: readonly string[]
            readonly says: string
          }[] | undefined
        } }
          | null | undefined
        readonly expected?: {
          readonly greeting?: string | undefined
          readonly languageCode?: string | undefined
          readonly voiceId?: string | null | undefined
          readonly modelId?: string | null | undefined
          readonly avatarUrl?: string | null | undefined
          readonly phrases?:
            | { readonly [name: string]: {
            readonly unknown?: string | undefined
            readonly offer?: string | undefined
            readonly clarify?: string | undefined
            readonly confirm?: string | undefined
            readonly declined?: string | undefined
            readonly misunderstood?: string | undefined
            readonly silence?: string | undefined
            readonly handoff?: string | undefined
            readonly closed?: string | undefined
            readonly back?: string | undefined
            readonly leaveMessage?: string | undefined
            readonly messageTaken?: string | undefined
            readonly cutShort?: string | undefined
            readonly failed?: string | undefined
            readonly eventReceived?: string | undefined
            readonly smallTalk?: readonly {
              readonly to: readonly string[]
              readonly says: string
            }[] | undefined
          } }
            | null | undefined
        } | undefined
      } | undefined
    }
    readonly answer: ResponseSettings
  }
  /**
   * List the topics of a branch, by name. `GET /v1/agents/{agentId}/branches/{branchId}/knowledge-base/topics`, with
   * `workspaceKey`.
   */
  readonly listTopics: {
    readonly input: {
      readonly agentId: string
      readonly branchId: string
    }
    readonly answer: readonly Topic[]
  }
  /**
   * Add a topic to a branch. `POST /v1/agents/{agentId}/branches/{branchId}/knowledge-base/topics`, with
   * `workspaceKey`.
   */
  readonly createTopic: {
    readonly input: {
      readonly agentId: string
      readonly branchId: string
      readonly body: {
        readonly name: string
        readonly content: string
        readonly actions?: string | undefined
        readonly exampleQueries?: {
          readonly queries?: readonly string[] | undefined
        } | undefined
        readonly isActive?: boolean | undefined
        readonly id?: string | undefined
      }
    }
    readonly answer: Topic
  }
  /**
   * Read a topic. `GET /v1/agents/{agentId}/branches/{branchId}/knowledge-base/topics/{topicId}`, with `workspaceKey`.
   */
  readonly readTopic: {
    readonly input: {
      readonly agentId: string
      readonly branchId: string
      readonly topicId: string
    }
    readonly answer: Topic
  }
  /**
   * Change the given fields of a topic. `PATCH
   * /v1/agents/{agentId}/branches/{branchId}/knowledge-base/topics/{topicId}`, with `workspaceKey`.
   */
  readonly updateTopic: {
    readonly input: {
      readonly agentId: string
      readonly branchId: string
      readonly topicId: string
      readonly body?: {
        readonly name?: string | undefined
        readonly content?: string | undefined
        readonly actions?: string | undefined
        readonly exampleQueries?: {
          readonly queries?: readonly string[] | undefined
        } | undefined
        readonly isActive?: boolean | undefined
        readonly expected?: {
          readonly name?: string | undefined
          readonly content?: string | undefined
          readonly actions?: string | undefined
          readonly exampleQueries?: {
            readonly queries?: readonly string[] | undefined
          } | undefined
          readonly isActive?: boolean | undefined
        } | undefined
      } | undefined
    }
    readonly answer: undefined
  }
  /**
   * Remove a topic from a branch. `DELETE /v1/agents/{agentId}/branches/{branchId}/knowledge-base/topics/{topicId}`,
   * with `workspaceKey`.
   */
  readonly deleteTopic: {
    readonly input: {
      readonly agentId: string
      readonly branchId: string
      readonly topicId: string
    }
    readonly answer: undefined
  }
  /**
   * List the variant attributes of a branch, by name. `GET /v1/agents/{agentId}/branches/{branchId}/attributes`, with
   * `workspaceKey`.
   */
  readonly listAttributes: {
    readonly input: {
      readonly agentId: string
      readonly branchId: string
    }
    readonly answer: {
      readonly attributes: readonly Attribute[]
    }
  }
  /**
   * Add a variant attribute to a branch. `POST /v1/agents/{agentId}/branches/{branchId}/attributes`, with
   * `workspaceKey`.
   */
  readonly createAttribute: {
    readonly input: {
      readonly agentId: string
      readonly branchId: string
      readonly body: {
        readonly name: string
        readonly id?: string | undefined
      }
    }
    readonly answer: Attribute
  }
  /**
   * Read a variant attribute. `GET /v1/agents/{agentId}/branches/{branchId}/attributes/{attributeId}`, with
   * `workspaceKey`.
   */
  readonly readAttribute: {
    readonly input: {
      readonly agentId: string
      readonly branchId: string
      readonly attributeId: string
    }
    readonly answer: Attribute
  }
  /**
   * Change the given fields of a variant attribute. `PATCH
   * /v1/agents/{agentId}/branches/{branchId}/attributes/{attributeId}`, with `workspaceKey`.
   */
  readonly updateAttribute: {
    readonly input: {
      readonly agentId: string
      readonly branchId: string
      readonly attributeId: string
      readonly body?: {
        readonly name?: string | undefined
        readonly expected?: {
          readonly name?: string | undefined
        } | undefined
      } | undefined
    }
    readonly answer: Attribute
  }
  /**
   * Remove a variant attribute from a branch. `DELETE
   * /v1/agents/{agentId}/branches/{branchId}/attributes/{attributeId}`, with `workspaceKey`.
   */
  readonly deleteAttribute: {
    readonly input: {
      readonly agentId: string
      readonly branchId: string
      readonly attributeId: string
    }
    readonly answer: {
      readonly id: string
    }
  }
  /**
   * List the variants of a branch, by name. `GET /v1/agents/{agentId}/branches/{branchId}/variants`, with
   * `workspaceKey`.
   */
  readonly listVariants: {
    readonly input: {
      readonly agentId: string
      readonly branchId: string
    }
    readonly answer: {
      readonly variants: readonly Variant[]
    }
  }
  /** Add a variant to a branch. `POST /v1/agents/{agentId}/branches/{branchId}/variants`, with `workspaceKey`. */
  readonly createVariant: {
    readonly input: {
      readonly agentId: string
      readonly branchId: string
      readonly body: {
        readonly name: string
        readonly isDefault?: boolean | undefined
        readonly attributeValues?: {
          readonly values?: { readonly [name: string]: string } | undefined
        } | undefined
        readonly id?: string | undefined
      }
    }
    readonly answer: Variant
  }
  /** Read a variant. `GET /v1/agents/{agentId}/branches/{branchId}/variants/{variantId}`, with `workspaceKey`. */
  readonly readVariant: {
    readonly input: {
      readonly agentId: string
      readonly branchId: string
      readonly variantId: string
    }
    readonly answer: Variant
  }
  /**
   * Change the given fields of a variant. `PATCH /v1/agents/{agentId}/branches/{branchId}/variants/{variantId}`, with
   * `workspaceKey`.
   */
  readonly updateVariant: {
    readonly input: {
      readonly agentId: string
      readonly branchId: string
      readonly variantId: string
      readonly body?: {
        readonly name?: string | undefined
        readonly isDefault?: boolean | undefined
        readonly attributeValues?: {
          readonly values?: { readonly [name: string]: string } | undefined
        } | undefined
        readonly expected?: {
          readonly name?: string | undefined
          readonly isDefault?: boolean | undefined
          readonly attributeValues?: {
            readonly values?: { readonly [name: string]: string } | undefined
          } | undefined
        } | undefined
      } | undefined
    }
    readonly answer: Variant
  }
  /**
   * Remove a variant from a branch. `DELETE /v1/agents/{agentId}/branches/{branchId}/variants/{variantId}`, with
   * `workspaceKey`.
   */
  readonly deleteVariant: {
    readonly input: {
      readonly agentId: string
      readonly branchId: string
      readonly variantId: string
    }
    readonly answer: {
      readonly id: string
    }
  }
  /**
   * List the deployments of one environment, newest first. `GET /v1/agents/{agentId}/deployments`, with `workspaceKey`.
   */
  readonly listDeployments: {
    readonly input: {
      readonly agentId: string
      readonly environment: 'sandbox' | 'pre-release' | 'live'
      readonly limit?: number | undefined
    }
    readonly answer: {
      readonly deployments: readonly Deployment[]
    }
  }
  /**
   * Read the active deployment of each environment. `GET /v1/agents/{agentId}/deployments/active`, with `workspaceKey`.
   */
  readonly listActiveDeployments: {
    readonly input: {
      readonly agentId: string
    }
    readonly answer: {
      readonly activeDeployments: {
        readonly sandbox: Deployment | null
        readonly 'pre-release': Deployment | null
        readonly live: Deployment | null
      }
    }
  }
  /** Deploy the content of main. `POST /v1/agents/{agentId}/deployments/publish`, with `workspaceKey`. */
  readonly publishDeployment: {
    readonly input: {
      readonly agentId: string
      readonly body?: {
        readonly deploymentMessage?: string | undefined
        readonly environment?: 'sandbox' | 'pre-release' | 'live' | undefined
        readonly expected?: {
          readonly mainRevision?: string | undefined
          readonly activeDeploymentId?: string | null | undefined
        } | undefined
      } | undefined
    }
    readonly answer: Deployed
  }
  /**
   * List the differences between two deployments, field by field. `GET
   * /v1/agents/{agentId}/deployments/{deploymentId}/diff/{otherId}`, with `workspaceKey`.
   */
  readonly compareDeployments: {
    readonly input: {
      readonly agentId: string
      readonly deploymentId: string
      readonly otherId: string
    }
    readonly answer: {
      readonly changes: readonly Difference[]
    }
  }
  /**
   * Deploy the same version to a later environment, by default the next. `POST
   * /v1/agents/{agentId}/deployments/{deploymentId}/promote`, with `workspaceKey`.
   */
  readonly promoteDeployment: {
    readonly input: {
      readonly agentId: string
      readonly deploymentId: string
      readonly body?: {
        readonly deploymentMessage?: string | undefined
        readonly expected?: {
          readonly activeDeploymentId?: string | null | undefined
        } | undefined
        readonly targetEnvironment?: 'pre-release' | 'live' | undefined
      } | undefined
    }
    readonly answer: Deployed
  }
  /**
   * Deploy an earlier version again, in its environment. `POST
   * /v1/agents/{agentId}/deployments/{deploymentId}/rollback`, with `workspaceKey`.
   */
  readonly rollbackDeployment: {
    readonly input: {
      readonly agentId: string
      readonly deploymentId: string
      readonly body?: {
        readonly deploymentMessage?: string | undefined
        readonly expected?: {
          readonly activeDeploymentId?: string | null | undefined
        } | undefined
      } | undefined
    }
    readonly answer: Deployed
  }
  /** List the rollouts of an agent, newest first. `GET /v1/agents/{agentId}/rollouts`, with `workspaceKey`. */
  readonly listRollouts: {
    readonly input: {
      readonly agentId: string
      readonly environment?: 'pre-release' | 'live' | undefined
      readonly deploymentId?: string | undefined
      readonly limit?: number | undefined
    }
    readonly answer: {
      readonly rollouts: readonly Rollout[]
    }
  }
  /**
   * Share an environment between what it runs and another version. `POST /v1/agents/{agentId}/rollouts`, with
   * `workspaceKey`.
   */
  readonly startRollout: {
    readonly input: {
      readonly agentId: string
      readonly body: {
        readonly deploymentId: string
        readonly environment?: 'pre-release' | 'live' | undefined
        readonly basisPoints: number
        readonly key?: 'visitor' | 'conversation' | undefined
        readonly guards?: readonly string[] | undefined
      }
    }
    readonly answer: Rollout
  }
  /**
   * Read a rollout with the figures of both sides. `GET /v1/agents/{agentId}/rollouts/{rolloutId}`, with
   * `workspaceKey`.
   */
  readonly readRollout: {
    readonly input: {
      readonly agentId: string
      readonly rolloutId: string
    }
    readonly answer: RolloutReport
  }
  /** Set the share of the candidate. `PATCH /v1/agents/{agentId}/rollouts/{rolloutId}`, with `workspaceKey`. */
  readonly updateRollout: {
    readonly input: {
      readonly agentId: string
      readonly rolloutId: string
      readonly body: {
        readonly basisPoints: number
      }
    }
    readonly answer: Rollout
  }
  /**
   * End a rollout: the winner gets the whole environment. `POST /v1/agents/{agentId}/rollouts/{rolloutId}/end`, with
   * `workspaceKey`.
   */
  readonly endRollout: {
    readonly input: {
      readonly agentId: string
      readonly rolloutId: string
      readonly body: {
        readonly deploymentMessage?: string | undefined
        readonly winner: 'base' | 'candidate'
      }
    }
    readonly answer: Rollout
  }
  /**
   * List the real-time configs of an agent, one for each environment. `GET /v1/agents/{agentId}/real-time-configs`,
   * with `workspaceKey`.
   */
  readonly listRealTimeConfigs: {
    readonly input: {
      readonly agentId: string
    }
    readonly answer: {
      readonly configPages: readonly RealTimeConfig[]
    }
  }
  /**
   * Read the real-time config of an environment. `GET /v1/agents/{agentId}/real-time-configs/{clientEnv}`, with
   * `workspaceKey`.
   */
  readonly readRealTimeConfig: {
    readonly input: {
      readonly agentId: string
      readonly clientEnv: string
    }
    readonly answer: RealTimeConfig
  }
  /**
   * Replace or remove the JSON Schema for the variables of an environment. `PUT
   * /v1/agents/{agentId}/real-time-configs/{clientEnv}/schema`, with `workspaceKey`.
   */
  readonly replaceRealTimeConfigSchema: {
    readonly input: {
      readonly agentId: string
      readonly clientEnv: string
      readonly body: {
        readonly schema: { readonly [name: string]: unknown } | null
      }
    }
    readonly answer: RealTimeConfig
  }
  /**
   * Merge variables into those of an environment. `PATCH /v1/agents/{agentId}/real-time-configs/{clientEnv}/variables`,
   * with `workspaceKey`.
   */
  readonly updateRealTimeConfigVariables: {
    readonly input: {
      readonly agentId: string
      readonly clientEnv: string
      readonly body: {
        readonly variables: { readonly [name: string]: unknown }
      }
    }
    readonly answer: RealTimeConfig
  }
  /**
   * List the conversations of an agent in an environment, newest first. `GET /v1/agents/{agentId}/conversations`, with
   * `workspaceKey`.
   */
  readonly listAgentConversations: {
    readonly input: {
      readonly agentId: string
      readonly clientEnv?: 'sandbox' | 'pre-release' | 'live' | undefined
      readonly deploymentId?: string | undefined
      readonly limit?: number | undefined
      readonly offset?: number | undefined
    }
    readonly answer: {
      readonly conversations: readonly AgentConversation[]
      readonly count: number
      readonly limit: number
      readonly offset: number
      readonly next_offset?: number
    }
    readonly item: AgentConversation
  }
  /**
   * Read one conversation of an agent, with its turns. `GET /v1/agents/{agentId}/conversations/{recordId}`, with
   * `workspaceKey`.
   */
  readonly readAgentConversation: {
    readonly input: {
      readonly agentId: string
      readonly recordId: string
    }
    readonly answer: AgentConversation
  }
  /**
   * Listen to a conversation of an agent, as WAV. `GET /v1/agents/{agentId}/conversations/{recordId}/audio`, with
   * `workspaceKey`.
   */
  readonly readAgentConversationAudio: {
    readonly input: {
      readonly agentId: string
      readonly recordId: string
      readonly direction?: 'combined' | 'user' | 'agent' | undefined
      readonly redacted?: boolean | undefined
    }
    readonly answer: ArrayBuffer
  }
  /**
   * Get an address of a file of a conversation, which expires. `GET
   * /v1/agents/{agentId}/conversations/{recordId}/files/{fileId}`, with `workspaceKey`.
   */
  readonly readConversationFileAddress: {
    readonly input: {
      readonly agentId: string
      readonly recordId: string
      readonly fileId: string
    }
    readonly answer: FileAddress
  }
  /**
   * List the questions that an agent did not answer, in groups, the largest first. `GET
   * /v1/agents/{agentId}/unanswered`, with `workspaceKey`.
   */
  readonly listUnanswered: {
    readonly input: {
      readonly agentId: string
      readonly clientEnv?: 'sandbox' | 'pre-release' | 'live' | undefined
      readonly deploymentId?: string | undefined
      readonly startTime?: string | undefined
      readonly endTime?: string | undefined
      readonly conversations?: number | undefined
      readonly limit?: number | undefined
      readonly cursor?: string | undefined
    }
    readonly answer: {
      readonly conversations: number
      readonly more: boolean
      readonly questions: number
      readonly byMeaning: boolean
      readonly total: number
      readonly groups: readonly QuestionGroup[]
      readonly cursor: string | null
    }
    readonly item: QuestionGroup
  }
  /**
   * List the test cases of a branch, by name. `GET /v1/agents/{agentId}/branches/{branchId}/test-cases`, with
   * `workspaceKey`.
   */
  readonly listTestCases: {
    readonly input: {
      readonly agentId: string
      readonly branchId: string
    }
    readonly answer: readonly TestCase[]
  }
  /** Add a test case to a branch. `POST /v1/agents/{agentId}/branches/{branchId}/test-cases`, with `workspaceKey`. */
  readonly createTestCase: {
    readonly input: {
      readonly agentId: string
      readonly branchId: string
      readonly body: {
        readonly name: string
        readonly turns?: readonly {
          readonly text: string
          readonly expectations: {
            readonly topic?: string | undefined
            readonly citedTopic?: string | undefined
            readonly contains?: readonly string[] | undefined
            readonly notContains?: readonly string[] | undefined
            readonly function?: {
              readonly name: string
              readonly arguments?: { readonly [name: string]: unknown } | undefined
            } | undefined
            readonly handoff?: {
              readonly destination?: string | undefined
            } | undefined
            readonly ends?: boolean | undefined
          }
        }[] | undefined
        readonly visitor?:
          | {
          readonly goal: string
          readonly facts?: { readonly [name: string]: string } | undefined
          readonly wants?: readonly string[] | undefined
          readonly persona?: string | undefined
          readonly language?: string | undefined
          readonly maxTurns?: number | undefined
          readonly talks?: number | undefined
          readonly mustPass?: number | undefined
          readonly expectations: {
            readonly topic?: string | undefined
            readonly citedTopic?: string | undefined
            readonly contains?: readonly string[] | undefined
            readonly function?: {
              readonly name: string
              readonly arguments?: { readonly [name: string]: unknown } | undefined
            } | undefined
            readonly handoff?: {
              readonly destination?: string | undefined
            } | undefined
            readonly ends?: boolean | undefined
            readonly goal?: 'reached' | undefined
            readonly never?: readonly string[] | undefined
            readonly judge?: readonly string[] | undefined
          }
        }
          | null | undefined
        readonly functionResults?: { readonly [name: string]: {
          readonly result?: unknown
          readonly error?: string | undefined
          readonly say?: string | undefined
          readonly variables?: { readonly [name: string]: unknown } | undefined
          readonly handoff?: {
            readonly destination: string
            readonly reason: string
          } | undefined
          readonly ends?: boolean | undefined
        } } | undefined
        readonly variantId?: string | null | undefined
        readonly isActive?: boolean | undefined
        readonly id?: string | undefined
      }
    }
    readonly answer: TestCase
  }
  /** Read a test case. `GET /v1/agents/{agentId}/branches/{branchId}/test-cases/{testCaseId}`, with `workspaceKey`. */
  readonly readTestCase: {
    readonly input: {
      readonly agentId: string
      readonly branchId: string
      readonly testCaseId: string
    }
    readonly answer: TestCase
  }
  /**
   * Change the given fields of a test case. `PATCH /v1/agents/{agentId}/branches/{branchId}/test-cases/{testCaseId}`,
   * with `workspaceKey`.
   */
  readonly updateTestCase: {
    readonly input: {
      readonly agentId: string
      readonly branchId: string
      readonly testCaseId: string
      readonly body?: {
        readonly name?: string | undefined
        readonly turns?: readonly {
          readonly text: string
          readonly expectations: {
            readonly topic?: string | undefined
            readonly citedTopic?: string | undefined
            readonly contains?: readonly string[] | undefined
            readonly notContains?: readonly string[] | undefined
            readonly function?: {
              readonly name: string
              readonly arguments?: { readonly [name: string]: unknown } | undefined
            } | undefined
            readonly handoff?: {
              readonly destination?: string | undefined
            } | undefined
            readonly ends?: boolean | undefined
          }
        }[] | undefined
        readonly visitor?:
          | {
          readonly goal: string
          readonly facts?: { readonly [name: string]: string } | undefined
          readonly wants?: readonly string[] | undefined
          readonly persona?: string | undefined
          readonly language?: string | undefined
          readonly maxTurns?: number | undefined
          readonly talks?: number | undefined
          readonly mustPass?: number | undefined
          readonly expectations: {
            readonly topic?: string | undefined
            readonly citedTopic?: string | undefined
            readonly contains?: readonly string[] | undefined
            readonly function?: {
              readonly name: string
              readonly arguments?: { readonly [name: string]: unknown } | undefined
            } | undefined
            readonly handoff?: {
              readonly destination?: string | undefined
            } | undefined
            readonly ends?: boolean | undefined
            readonly goal?: 'reached' | undefined
            readonly never?: readonly string[] | undefined
            readonly judge?: readonly string[] | undefined
          }
        }
          | null | undefined
        readonly functionResults?: { readonly [name: string]: {
          readonly result?: unknown
          readonly error?: string | undefined
          readonly say?: string | undefined
          readonly variables?: { readonly [name: string]: unknown } | undefined
          readonly handoff?: {
            readonly destination: string
            readonly reason: string
          } | undefined
          readonly ends?: boolean | undefined
        } } | undefined
        readonly variantId?: string | null | undefined
        readonly isActive?: boolean | undefined
        readonly expected?: {
          readonly name?: string | undefined
          readonly turns?: readonly {
            readonly text: string
            readonly expectations: {
              readonly topic?: string | undefined
              readonly citedTopic?: string | undefined
              readonly contains?: readonly string[] | undefined
              readonly notContains?: readonly string[] | undefined
              readonly function?: {
                readonly name: string
                readonly arguments?: { readonly [name: string]: unknown } | undefined
              } | undefined
              readonly handoff?: {
                readonly destination?: string | undefined
              } | undefined
              readonly ends?: boolean | undefined
            }
          }[] | undefined
          readonly visitor?:
            | {
            readonly goal: string
            readonly facts?: { readonly [name: string]: string } | undefined
            readonly wants?: readonly string[] | undefined
            readonly persona?: string | undefined
            readonly language?: string | undefined
            readonly maxTurns?: number | undefined
            readonly talks?: number | undefined
            readonly mustPass?: number | undefined
            readonly expectations: {
              readonly topic?: string | undefined
              readonly citedTopic?: string | undefined
              readonly contains?: readonly string[] | undefined
              readonly function?: {
                readonly name: string
                readonly arguments?: { readonly [name: string]: unknown } | undefined
              } | undefined
              readonly handoff?: {
                readonly destination?: string | undefined
              } | undefined
              readonly ends?: boolean | undefined
              readonly goal?: 'reached' | undefined
              readonly never?: readonly string[] | undefined
              readonly judge?: readonly string[] | undefined
            }
          }
            | null | undefined
          readonly functionResults?: { readonly [name: string]: {
            readonly result?: unknown
            readonly error?: string | undefined
            readonly say?: string | undefined
            readonly variables?: { readonly [name: string]: unknown } | undefined
            readonly handoff?: {
              readonly destination: string
              readonly reason: string
            } | undefined
            readonly ends?: boolean | undefined
          } } | undefined
          readonly variantId?: string | null | undefined
          readonly isActive?: boolean | undefined
        } | undefined
      } | undefined
    }
    readonly answer: undefined
  }
  /**
   * Remove a test case from a branch. `DELETE /v1/agents/{agentId}/branches/{branchId}/test-cases/{testCaseId}`, with
   * `workspaceKey`.
   */
  readonly deleteTestCase: {
    readonly input: {
      readonly agentId: string
      readonly branchId: string
      readonly testCaseId: string
    }
    readonly answer: undefined
  }
  /**
   * Make a test case of a conversation, with what should have happened. `POST
   * /v1/agents/{agentId}/branches/{branchId}/test-cases/from-conversation`, with `workspaceKey`.
   */
  readonly createTestCaseFromConversation: {
    readonly input: {
      readonly agentId: string
      readonly branchId: string
      readonly body: {
        readonly conversationId: string
        readonly name?: string | undefined
        readonly expected?: readonly {
          readonly message: number
          readonly expectations: {
            readonly topic?: string | undefined
            readonly citedTopic?: string | undefined
            readonly contains?: readonly string[] | undefined
            readonly notContains?: readonly string[] | undefined
            readonly function?: {
              readonly name: string
              readonly arguments?: { readonly [name: string]: unknown } | undefined
            } | undefined
            readonly handoff?: {
              readonly destination?: string | undefined
            } | undefined
            readonly ends?: boolean | undefined
          }
        }[] | undefined
        readonly visitor?: {
          readonly goal?: string | undefined
          readonly facts?: { readonly [name: string]: string } | undefined
          readonly wants?: readonly string[] | undefined
          readonly persona?: string | undefined
          readonly language?: string | undefined
          readonly maxTurns?: number | undefined
          readonly talks?: number | undefined
          readonly mustPass?: number | undefined
          readonly expectations: {
            readonly topic?: string | undefined
            readonly citedTopic?: string | undefined
            readonly contains?: readonly string[] | undefined
            readonly function?: {
              readonly name: string
              readonly arguments?: { readonly [name: string]: unknown } | undefined
            } | undefined
            readonly handoff?: {
              readonly destination?: string | undefined
            } | undefined
            readonly ends?: boolean | undefined
            readonly goal?: 'reached' | undefined
            readonly never?: readonly string[] | undefined
            readonly judge?: readonly string[] | undefined
          }
        } | undefined
        readonly functionResults?: { readonly [name: string]: {
          readonly result?: unknown
          readonly error?: string | undefined
          readonly say?: string | undefined
          readonly variables?: { readonly [name: string]: unknown } | undefined
          readonly handoff?: {
            readonly destination: string
            readonly reason: string
          } | undefined
          readonly ends?: boolean | undefined
        } } | undefined
        readonly variantId?: string | null | undefined
      }
    }
    readonly answer: TestCase
  }
  /** List the test runs of an agent, newest first. `GET /v1/agents/{agentId}/test-runs`, with `workspaceKey`. */
  readonly listTestRuns: {
    readonly input: {
      readonly agentId: string
      readonly deploymentId?: string | undefined
      readonly branchId?: string | undefined
      readonly limit?: number | undefined
      readonly cursor?: string | undefined
    }
    readonly answer: {
      readonly testRuns: readonly TestRun[]
      readonly cursor: string | null
    }
    readonly item: TestRun
  }
  /** Run the tests of a deployment once more. `POST /v1/agents/{agentId}/test-runs`, with `workspaceKey`. */
  readonly startTestRun: {
    readonly input: {
      readonly agentId: string
      readonly body: {
        readonly deploymentId: string
      }
    }
    readonly answer: TestRun
  }
  /**
   * Read a test run with every turn and its verdicts. `GET /v1/agents/{agentId}/test-runs/{testRunId}`, with
   * `workspaceKey`.
   */
  readonly readTestRun: {
    readonly input: {
      readonly agentId: string
      readonly testRunId: string
    }
    readonly answer: TestRunWithResults
  }
  /** List the newest replays of an agent. `GET /v1/agents/{agentId}/replays`, with `workspaceKey`. */
  readonly listReplays: {
    readonly input: {
      readonly agentId: string
      readonly deploymentId?: string | undefined
      readonly branchId?: string | undefined
      readonly limit?: number | undefined
    }
    readonly answer: {
      readonly replays: readonly Replay[]
    }
  }
  /**
   * Replay recorded conversations with a deployment or a branch. `POST /v1/agents/{agentId}/replays`, with
   * `workspaceKey`.
   */
  readonly startReplay: {
    readonly input: {
      readonly agentId: string
      readonly body?: {
        readonly deploymentId?: string | undefined
        readonly branchId?: string | undefined
        readonly environment?: 'sandbox' | 'pre-release' | 'live' | undefined
        readonly last?: number | undefined
        readonly days?: number | undefined
        readonly mode?: 'recorded_history' | 'live_history' | undefined
      } | undefined
    }
    readonly answer: Replay
  }
  /**
   * Read a replay with its verdicts, and its turns in groups. `GET /v1/agents/{agentId}/replays/{replayId}`, with
   * `workspaceKey`.
   */
  readonly readReplay: {
    readonly input: {
      readonly agentId: string
      readonly replayId: string
    }
    readonly answer: ReplayReport
  }
  /**
   * Compare turns of a replay with the recorded ones. `GET /v1/agents/{agentId}/replays/{replayId}/turns`, with
   * `workspaceKey`.
   */
  readonly listReplayTurns: {
    readonly input: {
      readonly agentId: string
      readonly replayId: string
      readonly verdict?:
        | 'worse'
        | 'errored'
        | 'changed'
        | 'off_script'
        | 'not_replayable'
        | 'better'
        | 'reworded'
        | 'same' | undefined
      readonly reason?:
        | 'same'
        | 'text'
        | 'function_lost'
        | 'no_answer'
        | 'handoff_lost'
        | 'handoff_new'
        | 'answered'
        | 'error_gone'
        | 'function_missing'
        | 'function_arguments'
        | 'topic'
        | 'handoff_destination'
        | 'end'
        | 'delayed'
        | 'agent_failed'
        | 'ended'
        | 'handed_off'
        | 'judged'
        | 'no_recording'
        | 'recorded_elsewhere'
        | 'no_variant'
        | 'external_event'
        | 'after_handoff'
        | 'after_error'
        | 'too_long'
        | 'erased' | undefined
      readonly from?: string | undefined
      readonly to?: string | undefined
      readonly limit?: number | undefined
      readonly cursor?: string | undefined
    }
    readonly answer: {
      readonly turns: readonly ReplayedTurn[]
      readonly cursor: string | null
    }
    readonly item: ReplayedTurn
  }
  /**
   * Accept a group of turns, with a reason. `POST /v1/agents/{agentId}/replays/{replayId}/accept`, with `workspaceKey`.
   */
  readonly acceptReplayGroup: {
    readonly input: {
      readonly agentId: string
      readonly replayId: string
      readonly body: {
        readonly verdict:
          | 'worse'
          | 'errored'
          | 'changed'
          | 'off_script'
          | 'not_replayable'
          | 'better'
          | 'reworded'
          | 'same'
        readonly reason:
          | 'same'
          | 'text'
          | 'function_lost'
          | 'no_answer'
          | 'handoff_lost'
          | 'handoff_new'
          | 'answered'
          | 'error_gone'
          | 'function_missing'
          | 'function_arguments'
          | 'topic'
          | 'handoff_destination'
          | 'end'
          | 'delayed'
          | 'agent_failed'
          | 'ended'
          | 'handed_off'
          | 'judged'
          | 'no_recording'
          | 'recorded_elsewhere'
          | 'no_variant'
          | 'external_event'
          | 'after_handoff'
          | 'after_error'
          | 'too_long'
          | 'erased'
        readonly from: string
        readonly to: string
        readonly why: string
      }
    }
    readonly answer: ReplayReport
  }
  /**
   * List the test runs of an agent and its branches, newest first, by offset. `GET
   * /v1/agents/{agentId}/testing/test-runs`, with `workspaceKey`.
   */
  readonly listTestingRuns: {
    readonly input: {
      readonly agentId: string
      readonly limit?: number | undefined
      readonly offset?: number | undefined
      readonly branchId?: string | undefined
      readonly testSetId?: string | undefined
    }
    readonly answer: {
      readonly testRuns: readonly TestingRun[]
      readonly limit: number
      readonly offset: number
      readonly next_offset?: number
    }
    readonly item: TestingRun
  }
  /**
   * Run tests of a branch with its current content. `POST /v1/agents/{agentId}/testing/test-runs/trigger`, with
   * `workspaceKey`.
   */
  readonly triggerTestRun: {
    readonly input: {
      readonly agentId: string
      readonly body?: {
        readonly branchId?: string | undefined
        readonly testCaseIds?: readonly string[] | undefined
      } | undefined
    }
    readonly answer: TriggeredTestRun
  }
  /**
   * Read a test run with the result of each test case. `GET /v1/agents/{agentId}/testing/test-runs/{testRunId}`, with
   * `workspaceKey`.
   */
  readonly readTestingRun: {
    readonly input: {
      readonly agentId: string
      readonly testRunId: string
    }
    readonly answer: TestingRunWithHistory
  }
  /**
   * List the results of test cases, those of the newest run first. `GET /v1/agents/{agentId}/testing/test-history`,
   * with `workspaceKey`.
   */
  readonly listTestHistory: {
    readonly input: {
      readonly agentId: string
      readonly limit?: number | undefined
      readonly offset?: number | undefined
      readonly branchId?: string | undefined
      readonly testCaseId?: string | undefined
    }
    readonly answer: {
      readonly testHistory: readonly TestedCase[]
      readonly limit: number
      readonly offset: number
      readonly next_offset?: number
    }
    readonly item: TestedCase
  }
  /** Start a debug chat; answers with the greeting. `POST /v1/agents/{agentId}/debug-chat`, with `workspaceKey`. */
  readonly startDebugChat: {
    readonly input: {
      readonly agentId: string
      readonly body: {
        readonly clientEnv: 'sandbox' | 'pre-release' | 'live'
        readonly conversationId?: string | undefined
        readonly branchId?: string | undefined
        readonly variantId?: string | undefined
        readonly channel?: string | undefined
        readonly integrationAttributes?: { readonly [name: string]: Json } | undefined
        readonly asrLangCode?: string | undefined
        readonly ttsLangCode?: string | undefined
      }
    }
    readonly answer: DebugTurn
  }
  /**
   * Say something in a debug chat; answers with the reply. `POST /v1/agents/{agentId}/debug-chat/{conversationId}`,
   * with `workspaceKey`.
   */
  readonly continueDebugChat: {
    readonly input: {
      readonly agentId: string
      readonly conversationId: string
      readonly body: {
        readonly clientEnv: 'sandbox' | 'pre-release' | 'live'
        readonly message: string
        readonly asrLangCode?: string | undefined
        readonly ttsLangCode?: string | undefined
        readonly metadata?: { readonly [name: string]: Json } | undefined
      }
    }
    readonly answer: DebugTurn
  }
  /**
   * Read the newest turn of a debug chat, also a reply that came later. `GET
   * /v1/agents/{agentId}/debug-chat/{conversationId}`, with `workspaceKey`.
   */
  readonly readDebugChat: {
    readonly input: {
      readonly agentId: string
      readonly conversationId: string
      readonly clientEnv: 'sandbox' | 'pre-release' | 'live'
      readonly wait?: number | undefined
    }
    readonly answer: DebugTurn
  }
  /**
   * Begin a chat; answers with the greeting. `POST /v1/{account_id}/{project_id}/chat/create`, with `projectKey` and
   * `connectorToken`.
   */
  readonly createChat: {
    readonly input: {
      readonly account_id: string
      readonly project_id: string
      readonly body?: {
        readonly integration_attributes?: { readonly [name: string]: Json } | undefined
        readonly asr_lang_code?: string | undefined
        readonly tts_lang_code?: string | undefined
        readonly variant_id?: string | undefined
        readonly channel?: 'webchat' | 'whatsapp' | 'sms' | 'api' | undefined
      } | undefined
    }
    readonly answer: ChatBegun
  }
  /**
   * Say something in a chat; answers with the reply. `POST /v1/{account_id}/{project_id}/chat/respond`, with
   * `projectKey` and `connectorToken`.
   */
  readonly respondToChat: {
    readonly input: {
      readonly account_id: string
      readonly project_id: string
      readonly body: {
        readonly integration_attributes?: { readonly [name: string]: Json } | undefined
        readonly asr_lang_code?: string | undefined
        readonly tts_lang_code?: string | undefined
        readonly conversation_id: string
        readonly message?: string | undefined
        readonly metadata?: { readonly [name: string]: Json } | undefined
      }
    }
    readonly answer: ChatAnswer
  }
  /** End a chat. `PUT /v1/{account_id}/{project_id}/chat/close`, with `projectKey` and `connectorToken`. */
  readonly closeChat: {
    readonly input: {
      readonly account_id: string
      readonly project_id: string
      readonly body: {
        readonly conversation_id: string
      }
    }
    readonly answer: {
      readonly success: boolean
    }
  }
  /**
   * Read the replies of a chat after a turn, including late ones. `GET
   * /v1/{account_id}/{project_id}/chat/{conversation_id}/replies`, with `projectKey` and `connectorToken`.
   */
  readonly listChatReplies: {
    readonly input: {
      readonly account_id: string
      readonly project_id: string
      readonly conversation_id: string
      readonly after?: number | undefined
      readonly wait?: number | undefined
    }
    readonly answer: {
      readonly replies: readonly ChatReply[]
      readonly next: number
    }
  }
  /**
   * List conversation records with filters and offset pagination. `GET /v1/{account_id}/{project_id}/conversations`,
   * with `projectKey`.
   */
  readonly listConversationsV1: {
    readonly input: {
      readonly account_id: string
      readonly project_id: string
      readonly client_env?: 'sandbox' | 'pre-release' | 'live' | undefined
      readonly start_time?: string | undefined
      readonly end_time?: string | undefined
      readonly variant_id?: string | undefined
      readonly variant_name?: string | undefined
      readonly deployment_id?: string | undefined
      readonly in_progress?: boolean | undefined
      readonly topic?: string | undefined
      readonly limit?: number | undefined
      readonly offset?: number | undefined
    }
    readonly answer: {
      readonly conversations: readonly ConversationRecordV1[]
      readonly descriptions: {
        readonly conversations: { readonly [name: string]: string }
      }
      readonly next_offset?: number
    }
    readonly item: ConversationRecordV1
  }
  /**
   * List conversation records with filters and cursor pagination. `GET /v3/{account_id}/{project_id}/conversations`,
   * with `projectKey`.
   */
  readonly listConversations: {
    readonly input: {
      readonly account_id: string
      readonly project_id: string
      readonly client_env?: 'sandbox' | 'pre-release' | 'live' | undefined
      readonly start_time?: string | undefined
      readonly end_time?: string | undefined
      readonly variant_id?: string | undefined
      readonly variant_name?: string | undefined
      readonly deployment_id?: string | undefined
      readonly in_progress?: boolean | undefined
      readonly topic?: string | undefined
      readonly channel?: readonly string[] | undefined
      readonly include_latency?: boolean | undefined
      readonly limit?: number | undefined
      readonly cursor?: string | undefined
      readonly offset?: number | undefined
      readonly query_type?: 'transcript' | 'semantic' | undefined
      readonly query?: string | undefined
      readonly turn_type?: 'user' | 'agent' | undefined
      readonly sample?: 'random' | undefined
    }
    readonly answer: {
      readonly conversations: readonly ConversationRecord[]
      readonly cursor: string | null
      readonly next_offset?: number
    }
    readonly item: ConversationRecord
  }
  /**
   * Read one conversation record with its transcript. `GET
   * /v3/{account_id}/{project_id}/conversations/{conversation_id}`, with `projectKey`.
   */
  readonly readConversation: {
    readonly input: {
      readonly account_id: string
      readonly project_id: string
      readonly conversation_id: string
      readonly include_latency?: boolean | undefined
    }
    readonly answer: ConversationRecordWithEvents
  }
  /**
   * Peak concurrent conversations in 5-minute intervals. `GET /v1/{account_id}/{project_id}/conversations/concurrency`,
   * with `projectKey`.
   */
  readonly readConcurrency: {
    readonly input: {
      readonly account_id: string
      readonly project_id: string
      readonly start_time: string
      readonly end_time: string
      readonly client_env?: 'sandbox' | 'pre-release' | 'live' | undefined
      readonly variant_id?: string | undefined
      readonly variant_name?: string | undefined
      readonly deployment_id?: string | undefined
      readonly language?: string | undefined
      readonly phone_number?: string | undefined
      readonly slice_by?: 'variant' | 'deployment' | 'language' | 'phone_number' | undefined
    }
    readonly answer: {
      readonly account_id: string
      readonly project_id: string
      readonly intervals: readonly {
        readonly time: string
        readonly max_concurrent_conversations: number
        readonly variant_id?: string
        readonly variant_name?: string
        readonly deployment_id?: string
      }[]
    }
  }
  /**
   * Push the result of an external system into an active conversation. `POST /v1/external-events/webhook`, with
   * `externalEventsKey`.
   */
  readonly receiveExternalEvent: {
    readonly input: {
      readonly event_id_location: 'headers' | 'querystring' | 'payload'
      readonly event_id_path: string
      readonly account_id: string
      readonly project_id: string
      readonly body?: unknown
    }
    readonly answer: {
      readonly external_event_id: string
      readonly conversation_id: string
      readonly status: 'accepted' | 'duplicate' | 'conversation_ended'
    }
  }
  /**
   * Exchange a connector token for an access token, from a registered host. `POST /api/v1/access-token`, with
   * `connectorToken`.
   */
  readonly issueAccessToken: {
    readonly input: object
    readonly answer: {
      readonly access_token: string
      readonly expires_in: number
      readonly token_type: 'Bearer'
    }
  }
  /** Start a messaging session. `POST /api/v1/sessions`, with `accessToken`. */
  readonly createSession: {
    readonly input: {
      readonly body?: {
        readonly streaming_enabled?: boolean | null | undefined
        readonly platform?:
          | 'web' | 'ios' | 'android' | 'ios-web' | 'android-web' | 'custom'
          | null | undefined
        readonly visitor?:
          | {
          readonly id: string
          readonly name?: string | undefined
          readonly language?: string | undefined
        }
          | null | undefined
        readonly integration_attributes?: { readonly [name: string]: Json } | null | undefined
        readonly page?:
          | {
          readonly url: string
          readonly title?: string | null | undefined
        }
          | null | undefined
      } | undefined
    }
    readonly answer: {
      readonly session_id: string
    }
  }
  /** Follow a session as a stream of events. `GET /api/v1/sessions/{sessionId}/stream`, with `accessToken`. */
  readonly streamEvents: {
    readonly input: {
      readonly sessionId: string
      readonly cursor?: string | undefined
      readonly host?: string | undefined
    }
    readonly answer: ReadableStream<Uint8Array>
  }
  /** Send a visitor's events. `POST /api/v1/sessions/{sessionId}/events`, with `accessToken`. */
  readonly postEvents: {
    readonly input: {
      readonly sessionId: string
      readonly stream?: string | undefined
      readonly body:
        | {
        readonly type: string
        readonly payload?: object | null | undefined
      }
        | readonly {
        readonly type: string
        readonly payload?: object | null | undefined
      }[]
    }
    readonly answer: undefined
  }
  /** Rate a session, also after its end. `PUT /api/v1/sessions/{sessionId}/rating`, with `accessToken`. */
  readonly rateSession: {
    readonly input: {
      readonly sessionId: string
      readonly body: {
        readonly score: number
        readonly comment?: string | null | undefined
      }
    }
    readonly answer: undefined
  }
  /**
   * Send a file for a message that names it: its bytes are the body. `POST /api/v1/sessions/{sessionId}/files`, with
   * `accessToken`.
   */
  readonly uploadFile: {
    readonly input: {
      readonly sessionId: string
      readonly name?: string | undefined
      readonly body?: unknown
    }
    readonly answer: SentFile
  }
  /** Get an address of a file, which expires. `GET /api/v1/sessions/{sessionId}/files/{fileId}`, with `accessToken`. */
  readonly readFileAddress: {
    readonly input: {
      readonly sessionId: string
      readonly fileId: string
    }
    readonly answer: FileAddress
  }
  /** Read the file of an address. `GET /api/v1/files/{token}`, with `accessToken`. */
  readonly readFile: {
    readonly input: {
      readonly token: string
    }
    readonly answer: ArrayBuffer
  }
  /** Create an account. `POST /operator/v1/accounts`, with `operatorKey`. */
  readonly createAccount: {
    readonly input: {
      readonly body: {
        readonly accountId?: string | undefined
        readonly slug: string
        readonly name: string
      }
    }
    readonly answer: Account
  }
  /** List accounts, oldest first. `GET /operator/v1/accounts`, with `operatorKey`. */
  readonly listAccounts: {
    readonly input: {
      readonly limit?: number | undefined
      readonly cursor?: string | undefined
    }
    readonly answer: {
      readonly accounts: readonly Account[]
      readonly next_cursor: string | null
    }
    readonly item: Account
  }
  /** Issue an API key; only this response has its secret. `POST /operator/v1/api-keys`, with `operatorKey`. */
  readonly createApiKey: {
    readonly input: {
      readonly body: {
        readonly kind: 'workspace' | 'project' | 'external_events' | 'desk'
        readonly accountId: string
        readonly agentId?: string | undefined
        readonly region?: string | undefined
        readonly name?: string | undefined
        readonly permissions?: readonly (
          | 'agents'
          | 'debug-chat'
          | 'webhooks'
          | 'alerts'
          | 'chat'
          | 'texts'
          | 'calls'
          | 'conversations'
          | 'analytics'
          | 'external-events'
          | 'desk'
          | 'operator'
          | string)[] | undefined
        readonly expiresAt?: string | undefined
      }
    }
    readonly answer: NewApiKey
  }
  /**
   * List API keys without their secrets, revoked ones included, oldest first. `GET /operator/v1/api-keys`, with
   * `operatorKey`.
   */
  readonly listApiKeys: {
    readonly input: {
      readonly accountId?: string | undefined
      readonly limit?: number | undefined
      readonly cursor?: string | undefined
    }
    readonly answer: {
      readonly apiKeys: readonly ApiKey[]
      readonly next_cursor: string | null
    }
    readonly item: ApiKey
  }
  /** Revoke an API key. `DELETE /operator/v1/api-keys/{id}`, with `operatorKey`. */
  readonly revokeApiKey: {
    readonly input: {
      readonly id: string
    }
    readonly answer: undefined
  }
  /** Create a connector; only this response has its token. `POST /operator/v1/connectors`, with `operatorKey`. */
  readonly createConnector: {
    readonly input: {
      readonly body: {
        readonly environment: 'sandbox' | 'pre-release' | 'live'
        readonly hosts: readonly string[]
        readonly variantId?: string | null | undefined
        readonly name?: string | undefined
        readonly expiresAt?: string | null | undefined
        readonly handoff?: {
          readonly mode?: 'server' | 'client' | undefined
          readonly queueName?: string | undefined
          readonly timeoutSeconds?: number | undefined
        } | undefined
        readonly accountId: string
        readonly agentId: string
      }
    }
    readonly answer: NewConnector
  }
  /**
   * List connectors without their tokens, revoked ones included, oldest first. `GET /operator/v1/connectors`, with
   * `operatorKey`.
   */
  readonly listConnectors: {
    readonly input: {
      readonly accountId?: string | undefined
      readonly limit?: number | undefined
      readonly cursor?: string | undefined
    }
    readonly answer: {
      readonly connectors: readonly Connector[]
      readonly next_cursor: string | null
    }
    readonly item: Connector
  }
  /** Read a connector. `GET /operator/v1/connectors/{id}`, with `operatorKey`. */
  readonly readConnector: {
    readonly input: {
      readonly id: string
    }
    readonly answer: Connector
  }
  /** Change a connector; what is left out stays. `PATCH /operator/v1/connectors/{id}`, with `operatorKey`. */
  readonly updateConnector: {
    readonly input: {
      readonly id: string
      readonly body?: {
        readonly environment?: 'sandbox' | 'pre-release' | 'live' | undefined
        readonly hosts?: readonly string[] | undefined
        readonly variantId?: string | null | undefined
        readonly name?: string | undefined
        readonly expiresAt?: string | null | undefined
        readonly handoff?: {
          readonly mode?: 'server' | 'client' | undefined
          readonly queueName?: string | undefined
          readonly timeoutSeconds?: number | undefined
        } | undefined
      } | undefined
    }
    readonly answer: Connector
  }
  /** Revoke a connector. `DELETE /operator/v1/connectors/{id}`, with `operatorKey`. */
  readonly revokeConnector: {
    readonly input: {
      readonly id: string
    }
    readonly answer: undefined
  }
  /**
   * Create a context key for a connector; only this response has its secret. `POST
   * /operator/v1/connectors/{id}/context-keys`, with `operatorKey`.
   */
  readonly rotateContextKeys: {
    readonly input: {
      readonly id: string
      readonly body?: {
        readonly overlapSeconds?: number | undefined
      } | undefined
    }
    readonly answer: NewContextKey
  }
  /** Revoke the context keys of a connector. `DELETE /operator/v1/connectors/{id}/context-keys`, with `operatorKey`. */
  readonly revokeContextKeys: {
    readonly input: {
      readonly id: string
    }
    readonly answer: undefined
  }
  /**
   * List the keys that sign access tokens, newest first, without their secrets. `GET /operator/v1/token-keys`, with
   * `operatorKey`.
   */
  readonly listTokenKeys: {
    readonly input: object
    readonly answer: TokenKeys
  }
  /** Sign access tokens with a new key. `POST /operator/v1/token-keys/rotate`, with `operatorKey`. */
  readonly rotateTokenKeys: {
    readonly input: {
      readonly body?: {
        readonly revokeEarlier?: boolean | undefined
      } | undefined
    }
    readonly answer: TokenKeys
  }
  /**
   * Give an agent phone numbers and other senders, all or none. `POST /operator/v1/phone-numbers`, with `operatorKey`.
   */
  readonly givePhoneNumbers: {
    readonly input: {
      readonly body: {
        readonly agentId: string
        readonly phoneNumbers: readonly string[]
        readonly environment?: 'sandbox' | 'pre-release' | 'live' | undefined
        readonly connectorId?: string | undefined
      }
    }
    readonly answer: {
      readonly numbers: readonly GivenPhoneNumber[]
    }
  }
  /**
   * List the phone numbers and other senders of an agent, in their order. `GET /operator/v1/phone-numbers`, with
   * `operatorKey`.
   */
  readonly listGivenPhoneNumbers: {
    readonly input: {
      readonly agentId: string
    }
    readonly answer: {
      readonly numbers: readonly GivenPhoneNumber[]
    }
  }
  /**
   * Take a phone number or another sender away from the agent that has it. `DELETE
   * /operator/v1/phone-numbers/{phoneNumber}`, with `operatorKey`.
   */
  readonly revokePhoneNumber: {
    readonly input: {
      readonly phoneNumber: string
    }
    readonly answer: GivenPhoneNumber
  }
  /** List the entries of the audit log, newest first. `GET /operator/v1/audit-log`, with `operatorKey`. */
  readonly listAuditLog: {
    readonly input: {
      readonly accountId?: string | undefined
      readonly agentId?: string | undefined
      readonly action?:
        | 'account.created'
        | 'api_key.created'
        | 'api_key.revoked'
        | 'token_key.rotated'
        | 'connector.created'
        | 'connector.changed'
        | 'connector.context_keys_rotated'
        | 'connector.context_keys_revoked'
        | 'connector.revoked'
        | 'phone_number.imported'
        | 'phone_number.changed'
        | 'phone_number.deleted'
        | 'pooled_number.added'
        | 'pooled_number.removed'
        | 'voice.created'
        | 'voice.changed'
        | 'cached_audio.changed'
        | 'cached_audio.deleted'
        | 'agent.created'
        | 'agent.duplicated'
        | 'agent.updated'
        | 'agent.deleted'
        | 'branch.merged'
        | 'branch.deleted'
        | 'deployment.published'
        | 'deployment.promoted'
        | 'deployment.rolled_back'
        | 'rollout.started'
        | 'rollout.share_changed'
        | 'rollout.parked'
        | 'rollout.ended'
        | 'test_run.started'
        | 'replay.started'
        | 'replay.accepted'
        | 'real_time_config.schema_changed'
        | 'real_time_config.variables_changed'
        | 'handoff.accepted'
        | 'handoff.taken_over'
        | 'handoff.left'
        | 'handoff.returned'
        | 'handoff.transferred'
        | 'handoff.rejected'
        | 'shared_reply.created'
        | 'shared_reply.changed'
        | 'shared_reply.deleted'
        | 'queue.hours_changed'
        | 'queue.hours_removed'
        | 'view.saved'
        | 'view.deleted'
        | 'queue.assignment_changed'
        | 'queue.assignment_removed'
        | 'webhook_endpoint.created'
        | 'webhook_endpoint.changed'
        | 'webhook_endpoint.secret_rotated'
        | 'webhook_endpoint.deleted'
        | 'alert_rule.created'
        | 'alert_rule.changed'
        | 'alert_rule.deleted'
        | 'conversation.listened'
        | 'conversation.removed'
        | 'conversations.purge_started'
        | 'conversations.purge_ended'
        | 'visitor.exported'
        | 'visitor.purge_started'
        | 'visitor.purge_ended'
        | 'audit_log.purge_started'
        | 'audit_log.purge_ended' | undefined
      readonly resourceId?: string | undefined
      readonly since?: string | undefined
      readonly until?: string | undefined
      readonly limit?: number | undefined
      readonly cursor?: string | undefined
    }
    readonly answer: {
      readonly entries: readonly AuditEntry[]
      readonly next_cursor: string | null
    }
    readonly item: AuditEntry
  }
  /** List visitors who wait for, or talk to, a live agent. `GET /desk/v1/handoffs`, with `deskKey`. */
  readonly listHandoffs: {
    readonly input: {
      readonly status?: 'waiting' | 'active' | undefined
    }
    readonly answer: {
      readonly handoffs: readonly Handoff[]
    }
  }
  /** Read a handoff with the transcript so far. `GET /desk/v1/handoffs/{id}`, with `deskKey`. */
  readonly readHandoff: {
    readonly input: {
      readonly id: string
    }
    readonly answer: HandoffWithTranscript
  }
  /**
   * Read what is known of a visitor, with earlier conversations. `GET /desk/v1/handoffs/{id}/visitor`, with `deskKey`.
   */
  readonly readHandoffVisitor: {
    readonly input: {
      readonly id: string
    }
    readonly answer: DeskVisitor
  }
  /** Take a visitor; of several live agents one wins. `POST /desk/v1/handoffs/{id}/accept`, with `deskKey`. */
  readonly acceptHandoff: {
    readonly input: {
      readonly id: string
      readonly body?: {
        readonly agent?: {
          readonly id: string
          readonly name: string
          readonly avatar_url?: string | undefined
        } | undefined
        readonly take_over?: boolean | undefined
      } | undefined
    }
    readonly answer: HandoffWithTranscript
  }
  /**
   * Decline a visitor who is offered to the live agent; the next one is offered the visitor at once. `POST
   * /desk/v1/handoffs/{id}/decline`, with `deskKey`.
   */
  readonly declineHandoff: {
    readonly input: {
      readonly id: string
      readonly body?: {
        readonly agent?: {
          readonly id: string
        } | undefined
      } | undefined
    }
    readonly answer: undefined
  }
  /** Show or hide that the live agent types. `POST /desk/v1/handoffs/{id}/typing`, with `deskKey`. */
  readonly showHandoffTyping: {
    readonly input: {
      readonly id: string
      readonly body: {
        readonly state:
          | 'started'
          | 'stopped'
          | 'TYPING_STATE_STARTED'
          | 'TYPING_STATE_STOPPED'
      }
    }
    readonly answer: undefined
  }
  /** Say something to the visitor. `POST /desk/v1/handoffs/{id}/messages`, with `deskKey`. */
  readonly sendHandoffMessage: {
    readonly input: {
      readonly id: string
      readonly body?: {
        readonly text?: string | undefined
        readonly attachments?: readonly {
          readonly title?: string | undefined
          readonly content_type?: 'ATTACHMENT_CONTENT_TYPE_URL' | 'ATTACHMENT_CONTENT_TYPE_IMAGE' | undefined
          readonly content_url: string
          readonly preview_image_url?: string | '' | undefined
          readonly call_to_action_text?: string | undefined
        }[] | undefined
        readonly chat_call_actions?: readonly {
          readonly title: string
          readonly contact_number: string
        }[] | undefined
        readonly response_suggestions?: readonly {
          readonly message_text: string
          readonly payload?: string | undefined
        }[] | undefined
        readonly file_ids?: readonly string[] | undefined
        readonly message_id?: string | undefined
      } | undefined
    }
    readonly answer: {
      readonly message_id: string
    }
  }
  /** Ask for the summary of a conversation again. `POST /desk/v1/handoffs/{id}/summary`, with `deskKey`. */
  readonly summarizeHandoff: {
    readonly input: {
      readonly id: string
    }
    readonly answer: DeskSummary
  }
  /**
   * Ask for replies that the live agent may send; none is sent. `POST /desk/v1/handoffs/{id}/suggestions`, with
   * `deskKey`.
   */
  readonly suggestReplies: {
    readonly input: {
      readonly id: string
    }
    readonly answer: {
      readonly suggestions: readonly string[]
    }
  }
  /**
   * Send a file for a message that names it: its bytes are the body. `POST /desk/v1/handoffs/{id}/files`, with
   * `deskKey`.
   */
  readonly uploadHandoffFile: {
    readonly input: {
      readonly id: string
      readonly name?: string | undefined
      readonly body?: unknown
    }
    readonly answer: SentFile
  }
  /**
   * Get an address of a file of the visitor's conversation, which expires. `GET /desk/v1/handoffs/{id}/files/{fileId}`,
   * with `deskKey`.
   */
  readonly readHandoffFileAddress: {
    readonly input: {
      readonly id: string
      readonly fileId: string
    }
    readonly answer: FileAddress
  }
  /** List the notes of colleagues about a conversation. `GET /desk/v1/handoffs/{id}/notes`, with `deskKey`. */
  readonly listHandoffNotes: {
    readonly input: {
      readonly id: string
      readonly after?: number | undefined
    }
    readonly answer: {
      readonly notes: readonly DeskNote[]
    }
  }
  /**
   * Write or change a note for colleagues, which the visitor never gets. `POST /desk/v1/handoffs/{id}/notes`, with
   * `deskKey`.
   */
  readonly writeHandoffNote: {
    readonly input: {
      readonly id: string
      readonly body: {
        readonly text: string
        readonly note_id?: string | undefined
        readonly changes?: number | undefined
        readonly agent?: {
          readonly id: string
          readonly name: string
        } | undefined
      }
    }
    readonly answer: DeskNote
  }
  /** Leave the visitor; the session ends. `POST /desk/v1/handoffs/{id}/leave`, with `deskKey`. */
  readonly leaveHandoff: {
    readonly input: {
      readonly id: string
    }
    readonly answer: undefined
  }
  /** Return the visitor to the agent; the session goes on. `POST /desk/v1/handoffs/{id}/return`, with `deskKey`. */
  readonly returnHandoff: {
    readonly input: {
      readonly id: string
    }
    readonly answer: undefined
  }
  /** Transfer the visitor to a colleague or to a queue. `POST /desk/v1/handoffs/{id}/transfer`, with `deskKey`. */
  readonly transferHandoff: {
    readonly input: {
      readonly id: string
      readonly body?: {
        readonly agent_id?: string | undefined
        readonly queue_name?: string | undefined
        readonly reason?: string | undefined
      } | undefined
    }
    readonly answer: Handoff
  }
  /** List the live agents who are at the desk. `GET /desk/v1/colleagues`, with `deskKey`. */
  readonly listColleagues: {
    readonly input: object
    readonly answer: {
      readonly colleagues: readonly DeskColleague[]
    }
  }
  /**
   * Set a live agent away, who is transferred no visitor then, or back. `PATCH /desk/v1/colleagues/{liveAgentId}`, with
   * `deskKey`.
   */
  readonly updateColleague: {
    readonly input: {
      readonly liveAgentId: string
      readonly body: {
        readonly away: boolean
      }
    }
    readonly answer: undefined
  }
  /** Refuse a visitor; the handoff has failed. `POST /desk/v1/handoffs/{id}/reject`, with `deskKey`. */
  readonly rejectHandoff: {
    readonly input: {
      readonly id: string
      readonly body?: {
        readonly reason?: string | undefined
      } | undefined
    }
    readonly answer: undefined
  }
  /** List the replies that live agents share. `GET /desk/v1/replies`, with `deskKey`. */
  readonly listSharedReplies: {
    readonly input: object
    readonly answer: {
      readonly replies: readonly SharedReply[]
    }
  }
  /** Add a reply that live agents share. `POST /desk/v1/replies`, with `deskKey`. */
  readonly createSharedReply: {
    readonly input: {
      readonly body: {
        readonly code: string
        readonly text: string
        readonly project_id?: string | null | undefined
        readonly language?: string | null | undefined
      }
    }
    readonly answer: SharedReply
  }
  /** Change a shared reply; what is left out stays. `PATCH /desk/v1/replies/{replyId}`, with `deskKey`. */
  readonly updateSharedReply: {
    readonly input: {
      readonly replyId: string
      readonly body?: {
        readonly code?: string | undefined
        readonly text?: string | undefined
        readonly project_id?: string | null | undefined
        readonly language?: string | null | undefined
      } | undefined
    }
    readonly answer: SharedReply
  }
  /** Delete a shared reply. `DELETE /desk/v1/replies/{replyId}`, with `deskKey`. */
  readonly deleteSharedReply: {
    readonly input: {
      readonly replyId: string
    }
    readonly answer: undefined
  }
  /** List the shared replies for a visitor, filled in. `GET /desk/v1/handoffs/{id}/replies`, with `deskKey`. */
  readonly listHandoffReplies: {
    readonly input: {
      readonly id: string
    }
    readonly answer: {
      readonly replies: readonly FilledReply[]
    }
  }
  /** List the queues that have hours, and whether each is open now. `GET /desk/v1/queues`, with `deskKey`. */
  readonly listDeskQueues: {
    readonly input: object
    readonly answer: {
      readonly queues: readonly DeskQueue[]
    }
  }
  /** Set the hours of a queue. `PUT /desk/v1/queues/{queueName}/hours`, with `deskKey`. */
  readonly replaceQueueHours: {
    readonly input: {
      readonly queueName: string
      readonly body: {
        readonly time_zone: string
        readonly weekly: readonly {
          readonly day: number
          readonly from: string
          readonly to: string
        }[]
        readonly holidays?: readonly string[] | undefined
      }
    }
    readonly answer: DeskQueue
  }
  /**
   * Remove the hours of a queue, which is always open then. `DELETE /desk/v1/queues/{queueName}/hours`, with `deskKey`.
   */
  readonly deleteQueueHours: {
    readonly input: {
      readonly queueName: string
    }
    readonly answer: undefined
  }
  /** List the queues whose visitors are assigned to live agents. `GET /desk/v1/assignments`, with `deskKey`. */
  readonly listQueueAssignments: {
    readonly input: object
    readonly answer: {
      readonly assignments: readonly QueueAssignment[]
    }
  }
  /**
   * Set how the visitors of a queue are assigned to live agents. `PUT /desk/v1/queues/{queueName}/assignment`, with
   * `deskKey`.
   */
  readonly replaceQueueAssignment: {
    readonly input: {
      readonly queueName: string
      readonly body: {
        readonly mode: 'round_robin' | 'least_busy'
        readonly skills?: readonly string[] | undefined
      }
    }
    readonly answer: QueueAssignment
  }
  /** Leave the visitors of a queue to anyone. `DELETE /desk/v1/queues/{queueName}/assignment`, with `deskKey`. */
  readonly deleteQueueAssignment: {
    readonly input: {
      readonly queueName: string
    }
    readonly answer: undefined
  }
  /**
   * Read how long visitors waited, and how many were answered, by queue and by live agent. `GET /desk/v1/figures`, with
   * `deskKey`.
   */
  readonly readDeskFigures: {
    readonly input: {
      readonly from: string
      readonly to: string
      readonly answered_within?: number | undefined
      readonly deployment_id?: string | undefined
    }
    readonly answer: DeskFiguresReport
  }
  /** Add a webhook endpoint; only this response has its secret. `POST /v1/webhook-endpoints`, with `workspaceKey`. */
  readonly createWebhookEndpoint: {
    readonly input: {
      readonly body: {
        readonly name: string
        readonly url: string
        readonly event_types: readonly (
          | 'alerts.triggered'
          | 'alerts.resolved'
          | 'conversation.completed'
          | 'handoff.requested'
          | 'handoff.accepted'
          | 'handoff.failed'
          | 'handoff.returned'
          | 'handoff.transferred'
          | 'replay.finished'
          | 'rollout.ended')[]
        readonly headers?: { readonly [name: string]: string } | undefined
        readonly timeout_ms?: number | undefined
        readonly enabled?: boolean | undefined
      }
    }
    readonly answer: NewWebhookEndpoint
  }
  /** List the webhook endpoints of the account, oldest first. `GET /v1/webhook-endpoints`, with `workspaceKey`. */
  readonly listWebhookEndpoints: {
    readonly input: {
      readonly enabled?: boolean | undefined
      readonly event_type?:
        | 'alerts.triggered'
        | 'alerts.resolved'
        | 'conversation.completed'
        | 'handoff.requested'
        | 'handoff.accepted'
        | 'handoff.failed'
        | 'handoff.returned'
        | 'handoff.transferred'
        | 'replay.finished'
        | 'rollout.ended' | undefined
      readonly limit?: number | undefined
      readonly cursor?: string | undefined
    }
    readonly answer: {
      readonly data: readonly WebhookEndpoint[]
      readonly cursor?: string
    }
    readonly item: WebhookEndpoint
  }
  /** Read a webhook endpoint. `GET /v1/webhook-endpoints/{id}`, with `workspaceKey`. */
  readonly readWebhookEndpoint: {
    readonly input: {
      readonly id: string
    }
    readonly answer: WebhookEndpoint
  }
  /** Change a webhook endpoint; what is left out stays. `PATCH /v1/webhook-endpoints/{id}`, with `workspaceKey`. */
  readonly updateWebhookEndpoint: {
    readonly input: {
      readonly id: string
      readonly body?: {
        readonly name?: string | undefined
        readonly url?: string | undefined
        readonly event_types?: readonly (
          | 'alerts.triggered'
          | 'alerts.resolved'
          | 'conversation.completed'
          | 'handoff.requested'
          | 'handoff.accepted'
          | 'handoff.failed'
          | 'handoff.returned'
          | 'handoff.transferred'
          | 'replay.finished'
          | 'rollout.ended')[] | undefined
        readonly headers?: { readonly [name: string]: string } | undefined
        readonly timeout_ms?: number | undefined
        readonly enabled?: boolean | undefined
      } | undefined
    }
    readonly answer: WebhookEndpoint
  }
  /** Delete a webhook endpoint with its deliveries. `DELETE /v1/webhook-endpoints/{id}`, with `workspaceKey`. */
  readonly deleteWebhookEndpoint: {
    readonly input: {
      readonly id: string
    }
    readonly answer: undefined
  }
  /**
   * Create a new secret for a webhook endpoint; only this response has it, and the old one stays valid for a while.
   * `POST /v1/webhook-endpoints/{id}/rotate-secret`, with `workspaceKey`.
   */
  readonly rotateWebhookSecret: {
    readonly input: {
      readonly id: string
      readonly body?: {
        readonly overlap_seconds?: number | undefined
      } | undefined
    }
    readonly answer: {
      readonly signing_secret: string
    }
  }
  /** Send a test event to a webhook endpoint. `POST /v1/webhook-endpoints/{id}/test`, with `workspaceKey`. */
  readonly testWebhookEndpoint: {
    readonly input: {
      readonly id: string
    }
    readonly answer: WebhookDelivery
  }
  /**
   * List the deliveries to a webhook endpoint, newest first. `GET /v1/webhook-endpoints/{id}/deliveries`, with
   * `workspaceKey`.
   */
  readonly listWebhookDeliveries: {
    readonly input: {
      readonly id: string
      readonly status?: 'pending' | 'delivered' | 'dead' | undefined
      readonly limit?: number | undefined
      readonly cursor?: string | undefined
    }
    readonly answer: {
      readonly deliveries: readonly WebhookDelivery[]
      readonly cursor: string | null
    }
    readonly item: WebhookDelivery
  }
  /**
   * Read a delivery to a webhook endpoint, with its request and response. `GET
   * /v1/webhook-endpoints/{id}/deliveries/{deliveryId}`, with `workspaceKey`.
   */
  readonly readWebhookDelivery: {
    readonly input: {
      readonly id: string
      readonly deliveryId: string
    }
    readonly answer: WebhookDeliveryDetail
  }
  /**
   * Send an event to a webhook endpoint again. `POST /v1/webhook-endpoints/{id}/deliveries/{deliveryId}/resend`, with
   * `workspaceKey`.
   */
  readonly resendWebhookDelivery: {
    readonly input: {
      readonly id: string
      readonly deliveryId: string
    }
    readonly answer: WebhookDelivery
  }
  /** Add an alert rule, for an agent or the whole account. `POST /v1/alert-rules`, with `workspaceKey`. */
  readonly createAlertRule: {
    readonly input: {
      readonly body: {
        readonly name: string
        readonly project_id?: string | null | undefined
        readonly deployment_id?: string | null | undefined
        readonly metric:
          | 'turn_latency_p50'
          | 'turn_latency_p95'
          | 'api_errors'
          | 'function_errors'
          | 'call_crashes'
          | 'call_volume'
        readonly operator: '>' | '<' | '>=' | '<='
        readonly threshold_value: number
        readonly window_duration: '5m' | '10m' | '60m'
        readonly enabled?: boolean | undefined
      }
    }
    readonly answer: AlertRule
  }
  /** List the alert rules of the account, oldest first. `GET /v1/alert-rules`, with `workspaceKey`. */
  readonly listAlertRules: {
    readonly input: {
      readonly enabled?: boolean | undefined
      readonly metric?:
        | 'turn_latency_p50'
        | 'turn_latency_p95'
        | 'api_errors'
        | 'function_errors'
        | 'call_crashes'
        | 'call_volume' | undefined
      readonly project_id?: string | undefined
      readonly state?: 'ok' | 'alert' | 'no_data' | 'unknown' | undefined
    }
    readonly answer: {
      readonly data: readonly AlertRule[]
    }
  }
  /** Read an alert rule. `GET /v1/alert-rules/{rule_id}`, with `workspaceKey`. */
  readonly readAlertRule: {
    readonly input: {
      readonly rule_id: string
    }
    readonly answer: AlertRule
  }
  /** Change an alert rule; what is left out stays. `PATCH /v1/alert-rules/{rule_id}`, with `workspaceKey`. */
  readonly updateAlertRule: {
    readonly input: {
      readonly rule_id: string
      readonly body?: {
        readonly name?: string | undefined
        readonly project_id?: string | null | undefined
        readonly deployment_id?: string | null | undefined
        readonly metric?:
          | 'turn_latency_p50'
          | 'turn_latency_p95'
          | 'api_errors'
          | 'function_errors'
          | 'call_crashes'
          | 'call_volume' | undefined
        readonly operator?: '>' | '<' | '>=' | '<=' | undefined
        readonly threshold_value?: number | undefined
        readonly window_duration?: '5m' | '10m' | '60m' | undefined
        readonly enabled?: boolean | undefined
      } | undefined
    }
    readonly answer: AlertRule
  }
  /** Delete an alert rule. `DELETE /v1/alert-rules/{rule_id}`, with `workspaceKey`. */
  readonly deleteAlertRule: {
    readonly input: {
      readonly rule_id: string
    }
    readonly answer: undefined
  }
  /** List the active alerts: rules whose state is `alert`. `GET /v1/alerts`, with `workspaceKey`. */
  readonly listAlerts: {
    readonly input: {
      readonly metric?:
        | 'turn_latency_p50'
        | 'turn_latency_p95'
        | 'api_errors'
        | 'function_errors'
        | 'call_crashes'
        | 'call_volume' | undefined
      readonly project_id?: string | undefined
    }
    readonly answer: {
      readonly data: readonly ActiveAlert[]
    }
  }
  /** Read the handoff data of a conversation. `GET /v1/{account_id}/{project_id}/handoff_state`, with `projectKey`. */
  readonly readHandoffState: {
    readonly input: {
      readonly account_id: string
      readonly project_id: string
      readonly id?: string | undefined
      readonly shared_id?: string | undefined
    }
    readonly answer: {
      readonly id: string
      readonly shared_id?: string
      readonly data: { readonly [name: string]: unknown }
    }
  }
}

/** The same of calls about telephony. */
export interface TelephonyOperations {
  /**
   * List the telephony connectors of an agent, oldest first. `GET /v1/agents/{agentId}/telephony/connectors`, with
   * `workspaceKey`.
   */
  readonly listTelephonyConnectors: {
    readonly input: {
      readonly agentId: string
    }
    readonly answer: {
      readonly connectors: readonly TelephonyConnector[]
    }
  }
  /** Read a telephony connector. `GET /v1/agents/{agentId}/telephony/connectors/{connectorId}`, with `workspaceKey`. */
  readonly readTelephonyConnector: {
    readonly input: {
      readonly agentId: string
      readonly connectorId: string
    }
    readonly answer: TelephonyConnector
  }
  /**
   * Change a telephony connector, or move it to another agent; what is left out stays. `PATCH
   * /v1/agents/{agentId}/telephony/connectors/{connectorId}`, with `workspaceKey`.
   */
  readonly updateTelephonyConnector: {
    readonly input: {
      readonly agentId: string
      readonly connectorId: string
      readonly body?: {
        readonly variantId?: string | null | undefined
        readonly asrLangCode?: string | undefined
        readonly voiceName?: string | undefined
        readonly projectId?: string | undefined
      } | undefined
    }
    readonly answer: TelephonyConnector
  }
  /**
   * Delete a telephony connector, and the phone numbers that it answers. `DELETE
   * /v1/agents/{agentId}/telephony/connectors/{connectorId}`, with `workspaceKey`.
   */
  readonly deleteTelephonyConnector: {
    readonly input: {
      readonly agentId: string
      readonly connectorId: string
    }
    readonly answer: {
      readonly deletedConnector: string
      readonly deletedPhoneNumbers: readonly string[]
    }
  }
  /** Read several telephony connectors. `POST /v1/agents/{agentId}/telephony/connectors/batch`, with `workspaceKey`. */
  readonly findTelephonyConnectors: {
    readonly input: {
      readonly agentId: string
      readonly body: {
        readonly connectorIds: readonly string[]
      }
    }
    readonly answer: {
      readonly found: readonly TelephonyConnector[]
      readonly notFound: readonly string[]
    }
  }
  /**
   * Change several telephony connectors, in their order, each independently. `PATCH
   * /v1/agents/{agentId}/telephony/connectors/batch`, with `workspaceKey`.
   */
  readonly updateTelephonyConnectors: {
    readonly input: {
      readonly agentId: string
      readonly body: {
        readonly updates: readonly {
          readonly connectorId: string
        }[]
      }
    }
    readonly answer: {
      readonly results: readonly {
        readonly connectorId: string
        readonly success: boolean
        readonly data?: TelephonyConnector
        readonly error?: string
      }[]
    }
  }
  /**
   * Find the telephony connector that answers a phone number. `POST /v1/agents/{agentId}/telephony/connectors/lookup`,
   * with `workspaceKey`.
   */
  readonly findTelephonyConnector: {
    readonly input: {
      readonly agentId: string
      readonly body: {
        readonly phoneNumber: string
      }
    }
    readonly answer: TelephonyConnector
  }
  /**
   * List the phone numbers of an agent, in their order. `GET /v1/agents/{agentId}/telephony/phone-numbers`, with
   * `workspaceKey`.
   */
  readonly listPhoneNumbers: {
    readonly input: {
      readonly agentId: string
      readonly connectorId?: string | undefined
    }
    readonly answer: {
      readonly phoneNumbers: readonly PhoneNumber[]
    }
  }
  /**
   * Give an agent phone numbers, all or none. `POST /v1/agents/{agentId}/telephony/phone-numbers`, with `workspaceKey`.
   */
  readonly importPhoneNumbers: {
    readonly input: {
      readonly agentId: string
      readonly body: {
        readonly phoneNumbers: readonly string[]
        readonly clientEnv?: 'sandbox' | 'pre-release' | 'live' | undefined
      }
    }
    readonly answer: {
      readonly imported: readonly string[]
    }
  }
  /**
   * Delete several phone numbers, in their order, each independently. `DELETE
   * /v1/agents/{agentId}/telephony/phone-numbers`, with `workspaceKey`.
   */
  readonly deletePhoneNumbers: {
    readonly input: {
      readonly agentId: string
      readonly body: {
        readonly phoneNumbers: readonly string[]
      }
    }
    readonly answer: {
      readonly deleted: readonly string[]
      readonly errors?: readonly {
        readonly phoneNumber: string
        readonly error: string
      }[]
    }
  }
  /** Read several phone numbers. `POST /v1/agents/{agentId}/telephony/phone-numbers/batch`, with `workspaceKey`. */
  readonly findPhoneNumbers: {
    readonly input: {
      readonly agentId: string
      readonly body: {
        readonly phoneNumbers: readonly string[]
      }
    }
    readonly answer: {
      readonly found: readonly PhoneNumber[]
      readonly notFound: readonly string[]
    }
  }
  /** Read a phone number. `GET /v1/agents/{agentId}/telephony/phone-numbers/{phoneNumber}`, with `workspaceKey`. */
  readonly readPhoneNumber: {
    readonly input: {
      readonly agentId: string
      readonly phoneNumber: string
    }
    readonly answer: PhoneNumber
  }
  /**
   * Give an agent a phone number. `POST /v1/agents/{agentId}/telephony/phone-numbers/{phoneNumber}`, with
   * `workspaceKey`.
   */
  readonly importPhoneNumber: {
    readonly input: {
      readonly agentId: string
      readonly phoneNumber: string
      readonly body?: {
        readonly clientEnv?: 'sandbox' | 'pre-release' | 'live' | undefined
        readonly connectorId?: string | undefined
      } | undefined
    }
    readonly answer: {
      readonly imported: string
    }
  }
  /**
   * Let another telephony connector answer a phone number. `PATCH
   * /v1/agents/{agentId}/telephony/phone-numbers/{phoneNumber}`, with `workspaceKey`.
   */
  readonly updatePhoneNumber: {
    readonly input: {
      readonly agentId: string
      readonly phoneNumber: string
      readonly body: {
        readonly connectorId: string
      }
    }
    readonly answer: PhoneNumber
  }
  /**
   * Delete a phone number. `DELETE /v1/agents/{agentId}/telephony/phone-numbers/{phoneNumber}`, with `workspaceKey`.
   */
  readonly deletePhoneNumber: {
    readonly input: {
      readonly agentId: string
      readonly phoneNumber: string
    }
    readonly answer: {
      readonly deleted: string
    }
  }
  /** Create a telephony connector. `POST /operator/v1/telephony-connectors`, with `operatorKey`. */
  readonly createTelephonyConnector: {
    readonly input: {
      readonly body: {
        readonly variantId?: string | null | undefined
        readonly asrLangCode?: string | undefined
        readonly voiceName?: string | undefined
        readonly environment: 'sandbox' | 'pre-release' | 'live'
        readonly name: string
        readonly ttsLangCode?: string | undefined
        readonly disableHandoff?: boolean | undefined
        readonly accountId: string
        readonly agentId: string
      }
    }
    readonly answer: TelephonyConnector
  }
  /** Add phone numbers to the pool of an agent, all or none. `POST /operator/v1/pooled-numbers`, with `operatorKey`. */
  readonly addPooledNumbers: {
    readonly input: {
      readonly body: {
        readonly agentId: string
        readonly phoneNumbers: readonly string[]
      }
    }
    readonly answer: {
      readonly added: readonly string[]
    }
  }
  /** List the pool of an agent, in the order of its numbers. `GET /operator/v1/pooled-numbers`, with `operatorKey`. */
  readonly listPooledNumbers: {
    readonly input: {
      readonly agentId: string
    }
    readonly answer: {
      readonly numbers: readonly PooledNumber[]
    }
  }
  /**
   * Delete a phone number from the pool that has it. `DELETE /operator/v1/pooled-numbers/{phoneNumber}`, with
   * `operatorKey`.
   */
  readonly deletePooledNumber: {
    readonly input: {
      readonly phoneNumber: string
    }
    readonly answer: {
      readonly deleted: string
    }
  }
  /** Reserve a number for a caller. `POST /v1/conversations/dni-reservation`, with `projectKey`. */
  readonly reserveNumber: {
    readonly input: {
      readonly body: {
        readonly attributes: { readonly [name: string]: Json }
      }
    }
    readonly answer: {
      readonly dni: string
    }
  }
}

/** The same of texts. */
export interface TextOperations {
  /**
   * Open a session with a text to a user, over SMS or RCS. `POST /v1/outbound-sms`, with `authToken` and `connectorId`.
   */
  readonly sendText: {
    readonly input: {
      readonly body: {
        readonly user_number: string
        readonly message: string
        readonly agent_number?: string | undefined
        readonly messaging_service_sid?: string | undefined
      }
    }
    readonly answer: undefined
  }
}

/** The same of voices. */
export interface VoiceOperations {
  /**
   * List the voices of an account, and those of the speech provider. `GET /v1/accounts/{accountId}/voice-library`, with
   * `workspaceKey`.
   */
  readonly listVoices: {
    readonly input: {
      readonly accountId: string
      readonly language?: string | undefined
      readonly gender?: 'male' | 'female' | 'neutral' | undefined
      readonly provider?: string | undefined
      readonly isAIVoice?: boolean | undefined
    }
    readonly answer: {
      readonly voices: readonly Voice[]
    }
  }
  /** Add a voice to the library of an account. `POST /v1/accounts/{accountId}/voice-library`, with `workspaceKey`. */
  readonly createVoice: {
    readonly input: {
      readonly accountId: string
      readonly body: {
        readonly name: string
        readonly provider: string
        readonly providerVoiceId: string
        readonly config: { readonly [name: string]: Json }
        readonly voiceMetadata?: { readonly [name: string]: Json } | undefined
      }
    }
    readonly answer: {
      readonly voice: Voice
    }
  }
  /** Read a voice. `GET /v1/accounts/{accountId}/voice-library/{voiceId}`, with `workspaceKey`. */
  readonly readVoice: {
    readonly input: {
      readonly accountId: string
      readonly voiceId: string
    }
    readonly answer: {
      readonly voice: Voice
    }
  }
  /**
   * Change a voice that the account has added; what is left out stays. `PATCH
   * /v1/accounts/{accountId}/voice-library/{voiceId}`, with `workspaceKey`.
   */
  readonly updateVoice: {
    readonly input: {
      readonly accountId: string
      readonly voiceId: string
      readonly body?: {
        readonly name?: string | undefined
        readonly provider?: string | undefined
        readonly providerVoiceId?: string | undefined
        readonly config?: { readonly [name: string]: Json } | undefined
        readonly voiceMetadata?: { readonly [name: string]: Json } | undefined
      } | undefined
    }
    readonly answer: {
      readonly voice: Voice
    }
  }
  /**
   * Read the URL of a sample of a voice. `GET /v1/accounts/{accountId}/voice-library/{voiceId}/sample`, with
   * `workspaceKey`.
   */
  readonly readVoiceSample: {
    readonly input: {
      readonly accountId: string
      readonly voiceId: string
    }
    readonly answer: {
      readonly voiceId: string
      readonly sampleUrl: string
      readonly expiresInSeconds: number
      readonly text: string
    }
  }
  /** List the audio cache of an agent. `GET /v1/agents/{agentId}/audio-cache`, with `workspaceKey`. */
  readonly listCachedAudio: {
    readonly input: {
      readonly agentId: string
      readonly limit?: number | undefined
      readonly offset?: number | undefined
      readonly sort?:
        | 'cachedAt:asc'
        | 'cachedAt:desc'
        | 'cached_at:asc'
        | 'cached_at:desc'
        | 'hitCount:asc'
        | 'hitCount:desc'
        | 'hit_count:asc'
        | 'hit_count:desc'
        | 'duration:asc'
        | 'duration:desc' | undefined
    }
    readonly answer: {
      readonly entries: readonly CachedAudio[]
      readonly totalCount: number
      readonly next_offset?: number
    }
    readonly item: CachedAudio
  }
  /**
   * Delete entries of the audio cache of an agent. `POST /v1/agents/{agentId}/audio-cache/bulk-delete`, with
   * `workspaceKey`.
   */
  readonly bulkDeleteCachedAudio: {
    readonly input: {
      readonly agentId: string
      readonly body: {
        readonly ids: readonly string[]
      }
    }
    readonly answer: {
      readonly deleted: readonly string[]
      readonly failed: readonly string[]
    }
  }
  /**
   * Delete an entry of the audio cache of an agent. `DELETE /v1/agents/{agentId}/audio-cache/{entryId}`, with
   * `workspaceKey`.
   */
  readonly deleteCachedAudio: {
    readonly input: {
      readonly agentId: string
      readonly entryId: string
    }
    readonly answer: {
      readonly success: boolean
    }
  }
  /**
   * Listen to an entry of the audio cache of an agent, as WAV. `GET /v1/agents/{agentId}/audio-cache/{entryId}/file`,
   * with `workspaceKey`.
   */
  readonly readCachedAudioFile: {
    readonly input: {
      readonly agentId: string
      readonly entryId: string
    }
    readonly answer: ArrayBuffer
  }
  /**
   * Replace an entry of the audio cache with a WAV of your own. `PATCH
   * /v1/agents/{agentId}/audio-cache/{entryId}/file`, with `workspaceKey`.
   */
  readonly updateCachedAudioFile: {
    readonly input: {
      readonly agentId: string
      readonly entryId: string
      readonly body: ArrayBuffer
    }
    readonly answer: undefined
  }
  /**
   * Replace an entry of the audio cache with newly made audio, of another text or with other settings. `PUT
   * /v1/agents/{agentId}/audio-cache/{entryId}/details`, with `workspaceKey`.
   */
  readonly replaceCachedAudioDetails: {
    readonly input: {
      readonly agentId: string
      readonly entryId: string
      readonly body: {
        readonly file: ArrayBuffer
        readonly settings: {
          readonly text: string
          readonly config: { readonly [name: string]: unknown }
        }
      }
    }
    readonly answer: undefined
  }
  /**
   * Listen to an entry with another text or other settings; nothing is stored. `POST
   * /v1/agents/{agentId}/audio-cache/{entryId}/synthesize`, with `workspaceKey`.
   */
  readonly synthesizeCachedAudio: {
    readonly input: {
      readonly agentId: string
      readonly entryId: string
      readonly body: {
        readonly text: string
        readonly config: { readonly [name: string]: Json }
        readonly language?: string | null | undefined
      }
    }
    readonly answer: ArrayBuffer
  }
}

/** The same of outbound calls. */
export interface CallOperations {
  /** Let an agent call a user. `POST /v1/agents/{agentId}/telephony/outbound-calls`, with `workspaceKey`. */
  readonly placeOutboundCall: {
    readonly input: {
      readonly agentId: string
      readonly body: {
        readonly toNumber: string
        readonly environment: 'sandbox' | 'pre-release' | 'live'
        readonly countryCode?: string | undefined
        readonly variantId?: string | undefined
        readonly encryption?: 'tls_srtp' | 'tls_rtp' | 'udp_srtp' | 'udp_rtp' | undefined
        readonly metadata?: { readonly [name: string]: string } | undefined
      }
    }
    readonly answer: {
      readonly callSid: string
      readonly status: 'QUEUED'
    }
  }
  /**
   * Read the state of a call of an agent, until 2 hours after its end. `GET
   * /v1/agents/{agentId}/telephony/outbound-calls/{callSid}/status`, with `workspaceKey`.
   */
  readonly readOutboundCall: {
    readonly input: {
      readonly agentId: string
      readonly callSid: string
      readonly environment: 'sandbox' | 'pre-release' | 'live'
    }
    readonly answer: {
      readonly callSid: string
      readonly status: 'QUEUED' | 'CALLING' | 'SUCCESS' | 'FAILURE'
      readonly reason: string
    }
  }
  /**
   * Let the agent of a key or a telephony connector call a user. `POST /v1/outbound-calling`, with `authToken` and
   * `connectorId`.
   */
  readonly startOutboundCall: {
    readonly input: {
      readonly body: {
        readonly to_number: string
        readonly country_code?: string | undefined
        readonly metadata?: { readonly [name: string]: string } | undefined
        readonly encryption?: 'TLS/SRTP' | 'TLS/RTP' | 'UDP/SRTP' | 'UDP/RTP' | undefined
      }
    }
    readonly answer: {
      readonly call_sid: string
    }
  }
  /**
   * Read the state of such a call, until 2 hours after its end. `GET /v1/outbound-calling/{call_sid}/status`, with
   * `authToken` and `connectorId`.
   */
  readonly readOutboundCallStatus: {
    readonly input: {
      readonly call_sid: string
    }
    readonly answer: {
      readonly status: 'queued' | 'calling' | 'success' | 'failure'
      readonly reason: string
    }
  }
}
