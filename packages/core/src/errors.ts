/**
 * Every refusal of the platform, with the HTTP status that its family answers.
 * The page about errors lists them all (contract/errors.md, Codes).
 */
export const ERROR_STATUS = {
  /** A field, parameter or option is not what it must be; the message names each, and what is allowed. */
  SCHEMA_VALIDATION_FAILED: 400,
  /** The request came to a host of no region, where hosts are set and the route needs one. */
  HOST_WITHOUT_REGION: 400,
  /** A chat is begun in an environment that has no deployment. */
  CHAT_DRAFT_NOT_EXIST: 400,
  /** A debug chat is asked for another environment than it runs in. */
  CHAT_ENVIRONMENT_MISMATCH: 400,
  /** A turn-based chat was without a call for too long, and is over. */
  CHAT_TIMEOUT: 400,
  /** The environment is not one of sandbox, pre-release and live. */
  DEPLOYMENTS_INVALID_ENVIRONMENT: 400,
  /** A promotion names no environment that comes after that of the deployment. */
  DEPLOYMENTS_INVALID_TARGET: 400,
  /** The candidate of a rollout cannot run beside what the environment runs, or that runs nothing. */
  ROLLOUTS_INVALID_CANDIDATE: 400,
  /** Branch and main changed the same, and not every conflict has a resolution; the body holds the conflicts. */
  MERGE_CONFLICTS: 400,
  /** A resolution fits no conflict, or its value does not fit. */
  MERGE_INVALID_RESOLUTION: 400,
  /** The default variant would be removed, or would stop being the default. */
  VARIANTS_REMOVE_DEFAULT_ERROR: 400,
  /** Variables of a real-time config do not fit its JSON Schema. */
  REAL_TIME_CONFIG_INVALID_FOR_SCHEMA: 400,
  /** The schema of a real-time config is not a JSON Schema that is understood. */
  REAL_TIME_CONFIG_INVALID_SCHEMA: 400,
  /** A real-time config is asked for in an unknown environment. */
  REAL_TIME_CONFIG_UNKNOWN_CLIENT_ENVIRONMENT: 400,
  /** An external event has no id where the request says that it is. */
  EXTERNAL_EVENT_ID_NOT_FOUND: 400,
  /** No conversation of the agent awaits an external event of that id. */
  EXTERNAL_EVENT_ID_INVALID: 400,
  /** A request for a session has no access token, or a body that does not fit. */
  MESSAGING_BAD_REQUEST: 400,
  /** A field of a telephony connector is not what it must be. */
  CONNECTORS_VALIDATION_FAILED: 400,
  /** A phone number is not in E.164, or no number of its country has that length. */
  PHONE_NUMBERS_INVALID_PHONE_NUMBER_FORMAT: 400,
  /** The API key is missing, wrong, revoked, expired or of another region. */
  AUTH_USER_UNAUTHORISED: 401,
  /** The connector token, its host or the access token is missing or not valid. */
  MESSAGING_UNAUTHORISED: 401,
  /** The API key is good, but of another kind, without the permission, or for another account or agent. */
  USER_ACCESS_FORBIDDEN: 403,
  /** A voice is to be changed that is the speech provider's. */
  VOICES_READ_ONLY: 403,
  /** A credential of a visitor came over plain text. */
  MESSAGING_INSECURE: 403,
  /** The page that asks is on no host of the connector. */
  MESSAGING_ORIGIN: 403,
  /** Nothing is at that path. */
  ROUTE_NOT_FOUND: 404,
  /** There is no account of that id or slug. */
  ACCOUNT_NOT_FOUND: 404,
  /** There is no agent of that id, or it is of another account than the one that the path names. */
  PROJECT_NOT_FOUND: 404,
  /** The agent has no branch of that id. */
  BRANCH_NOT_FOUND: 404,
  /** The branch has no topic of that id. */
  TOPIC_NOT_FOUND: 404,
  /** The branch has no variant attribute of that id or name. */
  ATTRIBUTE_NOT_FOUND: 404,
  /** The branch or deployment has no variant of that id. */
  VARIANT_NOT_FOUND: 404,
  /** A turn-based chat is begun with a variant that the deployed agent lacks. */
  VARIANTS_NOT_FOUND: 404,
  /** The agent has no deployment of that id. */
  DEPLOYMENT_NOT_FOUND: 404,
  /** The agent has no rollout of that id. */
  ROLLOUT_NOT_FOUND: 404,
  /** The branch has no test case of that id. */
  TEST_CASE_NOT_FOUND: 404,
  /** The agent has no test run of that id. */
  TEST_RUN_NOT_FOUND: 404,
  /** The agent has no conversation of that id, or none that is listed. */
  CONVERSATIONS_NOT_FOUND: 404,
  /** The host has no such recording of the conversation. */
  CONVERSATIONS_RECORDING_NOT_FOUND: 404,
  /** The conversation has no file of that id, or its address has expired. */
  FILE_NOT_FOUND: 404,
  /** There is no session of that id. No route answers it now: a handshake is refused with the text alone. */
  SESSION_NOT_FOUND: 404,
  /** The account has no handoff of that id. */
  HANDOFF_NOT_FOUND: 404,
  /** The agent has handed off no conversation of that id. */
  HANDOFF_STATE_NOT_FOUND: 404,
  /** The account has no shared reply of that id. */
  REPLY_NOT_FOUND: 404,
  /** The account has no hours, or no assignment, for a queue of that name. */
  QUEUE_NOT_FOUND: 404,
  /** The account has no saved view of that name. */
  VIEW_NOT_FOUND: 404,
  /** There is no API key of that id. */
  API_KEY_NOT_FOUND: 404,
  /** There is no connector of that id. */
  CONNECTOR_NOT_FOUND: 404,
  /** The agent has no telephony connector of that id. */
  CONNECTORS_NOT_FOUND: 404,
  /** The account has no voice of that id. */
  VOICES_NOT_FOUND: 404,
  /** The audio cache of the agent has no entry of that id. */
  AUDIO_CACHE_NOT_FOUND: 404,
  /** No number of the agent's pool is free to be reserved. */
  DNI_ROUTE_NOT_FOUND: 404,
  /** The agent, or no pool, has such a phone number. */
  PHONE_NUMBERS_NOT_FOUND: 404,
  /** A phone number is to be answered by a connector that the agent does not have. */
  PHONE_NUMBERS_CONNECTOR_DOES_NOT_EXIST: 404,
  /** The agent has no call of that id in the environment, or it ended more than 2 hours ago. */
  CALLS_NOT_FOUND: 404,
  /** The account has no alert rule of that id. */
  ALERT_RULE_NOT_FOUND: 404,
  /** The account has no webhook endpoint of that id. */
  WEBHOOK_ENDPOINT_NOT_FOUND: 404,
  /** The endpoint has no delivery of that id. */
  WEBHOOK_DELIVERY_NOT_FOUND: 404,
  /** The path is known, but not with that method; `Allow` lists those that are. */
  METHOD_NOT_ALLOWED: 405,
  /** The request or its body did not arrive in time. */
  REQUEST_TIMEOUT: 408,
  /** The id or slug of a new account is taken. */
  ACCOUNT_ALREADY_EXISTS: 409,
  /** The given secret is that of a key that was revoked or has another scope or end. */
  API_KEY_ALREADY_EXISTS: 409,
  /** The given token is that of a connector that was revoked, has expired or serves another agent. */
  CONNECTOR_ALREADY_EXISTS: 409,
  /** A phone number is imported that belongs to an agent already. */
  PHONE_NUMBERS_ALREADY_EXISTS: 409,
  /** The agent has as many phone numbers as it may have. */
  PHONE_NUMBERS_LIMIT: 409,
  /** The account has as many voices of its own as it may have. */
  VOICES_LIMIT: 409,
  /** A conversation has as many notes as it may have, or the id of a note stands for another one or a later text. */
  NOTE_CONFLICT: 409,
  /** A message names more files than it may have, or the conversation has no room for another one. */
  FILES_LIMIT: 409,
  /** A shared reply of the account has that code already, in some case. */
  REPLY_CODE_TAKEN: 409,
  /** The account has as many shared replies as it may have. */
  REPLIES_LIMIT: 409,
  /** The live agent has as many visitors as they may have at once. */
  TALKS_LIMIT: 409,
  /** The account has hours, or assignments, for as many queues as it may have. */
  QUEUES_LIMIT: 409,
  /** The account has as many saved views as it may have. */
  VIEWS_LIMIT: 409,
  /** The agent has as many replays that run or stand in the way of a version as it may have. */
  REPLAYS_LIMIT: 409,
  /** The id of a new agent is taken. */
  PROJECT_ID_ALREADY_EXISTS: 409,
  /** A branch has that name already. */
  BRANCH_ALREADY_EXISTS: 409,
  /** A topic of the branch has that name already. */
  KNOWLEDGE_BASE_TOPIC_ALREADY_EXISTS: 409,
  /** A variant attribute of the branch has that name already. */
  ATTRIBUTE_ALREADY_EXISTS: 409,
  /** A variant of the branch has that name already. */
  VARIANT_ALREADY_EXISTS: 409,
  /** A test case of the branch has that name already. */
  TEST_CASE_ALREADY_EXISTS: 409,
  /** The deployment has no active test case to run. */
  TEST_RUN_WITHOUT_TEST_CASES: 409,
  /** The content of main is active in that environment already. */
  DEPLOYMENTS_ALREADY_PUBLISHED: 409,
  /** Two versions share the environment: nothing else is deployed there meanwhile. The body names the rollout. */
  ROLLOUTS_RUNNING: 409,
  /** The rollout has ended, and changes no more. */
  ROLLOUTS_ENDED: 409,
  /** The agent has a conversation of the given id, which is not the same. */
  CONVERSATION_ID_ALREADY_EXISTS: 409,
  /** A conversation is to be removed that has not finished. */
  CONVERSATION_IN_PROGRESS: 409,
  /** A turn is recorded in a conversation that has finished. */
  CONVERSATION_FINISHED: 409,
  /** A turn or an end is recorded in a conversation that writes its own record. */
  CONVERSATION_NOT_RECORDED: 409,
  /** The handoff does not allow it now: it is over, or another live agent has it. */
  HANDOFF_CONFLICT: 409,
  /** The account has as many webhook endpoints as it may have. */
  WEBHOOK_ENDPOINT_LIMIT: 409,
  /** The account has as many alert rules as it may have. */
  ALERT_RULE_LIMIT: 409,
  /** A delivery cannot be sent again now: it is being sent, or its endpoint is disabled. */
  WEBHOOK_DELIVERY_CONFLICT: 409,
  /** Somebody else has changed the resource since the caller read it. The body has its current value. */
  CONTENT_CHANGED: 409,
  /** An idempotency key stands for another request. */
  IDEMPOTENCY_KEY_REUSED: 409,
  /** Other processes wrote the same repeatedly; try again. */
  WRITE_CONFLICT: 409,
  /** Token keys cannot be rotated, because the host gives the secrets. */
  TOKEN_KEYS_GIVEN: 409,
  /** A message was sent to a chat that has ended. */
  CHAT_CONVERSATION_ENDED: 410,
  /** The environment takes only versions whose tests have passed; the body names the test run. */
  DEPLOYMENTS_TESTS_NOT_PASSED: 412,
  /** The environment takes only versions of which a replay has passed; the body names the newest one. */
  DEPLOYMENTS_REPLAY_NOT_PASSED: 412,
  /** The version gets to live only by way of pre-release. */
  DEPLOYMENTS_PRE_RELEASE_REQUIRED: 412,
  /** The body is longer than its family allows. */
  BODY_TOO_LARGE: 413,
  /** The body is not of a content type, charset or encoding that the route takes. */
  UNSUPPORTED_CONTENT_TYPE: 415,
  /** A file is of a type that is not taken, or its content is not what it is declared as, or not whole. */
  FILE_REFUSED: 415,
  /** The header `Range` asks for no bytes that are there; `Content-Range` says how many are. */
  RANGE_OUTSIDE: 416,
  /** The header `Expect` asks for something other than `100-continue`. */
  EXPECTATION_FAILED: 417,
  /** A field, parameter or id of an alert rule is not what it must be; the body lists each. */
  ALERT_RULE_INVALID: 422,
  /** Main was to be changed directly; it changes by merges. */
  MAIN_BRANCH_READ_ONLY: 422,
  /** Too many requests; `Retry-After` says in how many seconds to try again. */
  RATE_LIMITED: 429,
  /** The headers of the request are too large. */
  HEADERS_TOO_LARGE: 431,
  /** Something failed that is not the caller's fault; the cause goes to the host's `onError`, not to the caller. */
  INTERNAL: 500,
  /** The host read the body before the router, and left nothing of it. */
  BODY_READ_BEFORE: 500,
  /** A turn-based chat could not begin: the agent did not greet. */
  CHAT_DRAFT_DEPLOYMENT_FAILED: 500,
  /** The agent gave no answer, or not in time. */
  AGENT_FAILED: 500,
  /** The host did not set up what this needs: an embedder or a webhook sender. */
  NOT_IMPLEMENTED: 501,
  /** The host's call provider failed, or took too long. */
  CALLS_PROVIDER_FAILED: 502,
  /** The host's speech provider failed, or took too long. */
  SPEECH_PROVIDER_FAILED: 502,
  /** The host's assistant for live agents failed, or took too long. */
  ASSISTANT_FAILED: 502,
  /** The host's port for files failed, or took too long. */
  FILES_FAILED: 502,
  /** The host's embedder failed, or took too long. */
  EMBEDDER_FAILED: 503,
  /** The server is going away; try again in a moment. */
  PLATFORM_CLOSED: 503,
  /**
   * Another process kept the database locked for too long, or the connection to it was lost, and then the write may
   * have been made; try again.
   */
  STORE_BUSY: 503,
} as const

/** A stable, machine-readable name of a refusal. */
export type ErrorCode = keyof typeof ERROR_STATUS

/** One thing that is wrong with an input. */
export interface InputProblem {
  /** The name of the value, or of a field of it, in messages: `body field`, `query parameter`. */
  readonly noun: string
  /** The path in the input. */
  readonly path: readonly (string | number)[]
  /** The allowed values. */
  readonly message: string
  readonly type: 'missing' | 'extra_forbidden' | 'value_error'
}

/** The parts of an error besides its message. */
export interface ErrorDetails {
  /** The problems of an input that was read and understood. */
  readonly problems?: readonly InputProblem[]
  /** Further fields of the error body, for example the conflicts of a merge. */
  readonly body?: Readonly<Record<string, unknown>>
  /** Whole seconds after which a retry makes sense; becomes `Retry-After`. */
  readonly retryAfterSeconds?: number
  /** Methods that the path does answer; becomes `Allow`. */
  readonly allow?: readonly string[]
  /** The number of bytes that there are; becomes `Content-Range`. */
  readonly bytes?: number
  /** The error behind this one. It is reported to the host, never to a client. */
  readonly cause?: unknown
}

/** The one error type of the platform. Its message may be shown to the caller. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError'
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined)
    this.code = code
    this.details = details
  }

  /**
   * The HTTP status that goes with the code: for a host that answers its own routes with what a call of the platform
   * threw.
   */
  get status(): (typeof ERROR_STATUS)[ErrorCode] {
    return ERROR_STATUS[this.code]
  }
}

/** Recognises a platform error by name and code, also one that another copy of this package threw. */
export function isPlatformError(error: unknown): error is PlatformError {
  return (
    error instanceof Error &&
    error.name === 'PlatformError' &&
    'code' in error &&
    typeof error.code === 'string' &&
    Object.hasOwn(ERROR_STATUS, error.code)
  )
}
