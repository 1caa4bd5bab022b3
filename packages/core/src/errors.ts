/**
 * Every refusal of the platform, with the HTTP status that its family answers.
 * The page about errors lists them all (contract/errors.md, Codes).
 */
export const ERROR_STATUS = {
  SCHEMA_VALIDATION_FAILED: 400,
  HOST_WITHOUT_REGION: 400,
  CHAT_DRAFT_NOT_EXIST: 400,
  CHAT_ENVIRONMENT_MISMATCH: 400,
  DEPLOYMENTS_INVALID_ENVIRONMENT: 400,
  DEPLOYMENTS_INVALID_TARGET: 400,
  MERGE_CONFLICTS: 400,
  MERGE_INVALID_RESOLUTION: 400,
  VARIANTS_REMOVE_DEFAULT_ERROR: 400,
  REAL_TIME_CONFIG_INVALID_FOR_SCHEMA: 400,
  REAL_TIME_CONFIG_INVALID_SCHEMA: 400,
  REAL_TIME_CONFIG_UNKNOWN_CLIENT_ENVIRONMENT: 400,
  EXTERNAL_EVENT_ID_NOT_FOUND: 400,
  EXTERNAL_EVENT_ID_INVALID: 400,
  MESSAGING_BAD_REQUEST: 400,
  CONNECTORS_VALIDATION_FAILED: 400,
  AUTH_USER_UNAUTHORISED: 401,
  MESSAGING_UNAUTHORISED: 401,
  USER_ACCESS_FORBIDDEN: 403,
  MESSAGING_INSECURE: 403,
  MESSAGING_ORIGIN: 403,
  ROUTE_NOT_FOUND: 404,
  ACCOUNT_NOT_FOUND: 404,
  PROJECT_NOT_FOUND: 404,
  BRANCH_NOT_FOUND: 404,
  TOPIC_NOT_FOUND: 404,
  ATTRIBUTE_NOT_FOUND: 404,
  VARIANT_NOT_FOUND: 404,
  DEPLOYMENT_NOT_FOUND: 404,
  TEST_CASE_NOT_FOUND: 404,
  TEST_RUN_NOT_FOUND: 404,
  CONVERSATIONS_NOT_FOUND: 404,
  SESSION_NOT_FOUND: 404,
  HANDOFF_NOT_FOUND: 404,
  API_KEY_NOT_FOUND: 404,
  CONNECTOR_NOT_FOUND: 404,
  CONNECTORS_NOT_FOUND: 404,
  WEBHOOK_ENDPOINT_NOT_FOUND: 404,
  WEBHOOK_DELIVERY_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  ACCOUNT_ALREADY_EXISTS: 409,
  API_KEY_ALREADY_EXISTS: 409,
  CONNECTOR_ALREADY_EXISTS: 409,
  PROJECT_ID_ALREADY_EXISTS: 409,
  BRANCH_ALREADY_EXISTS: 409,
  KNOWLEDGE_BASE_TOPIC_ALREADY_EXISTS: 409,
  ATTRIBUTE_ALREADY_EXISTS: 409,
  VARIANT_ALREADY_EXISTS: 409,
  TEST_CASE_ALREADY_EXISTS: 409,
  TEST_RUN_WITHOUT_TEST_CASES: 409,
  DEPLOYMENTS_ALREADY_PUBLISHED: 409,
  CONVERSATION_ID_ALREADY_EXISTS: 409,
  CONVERSATION_IN_PROGRESS: 409,
  CONVERSATION_FINISHED: 409,
  CONVERSATION_NOT_RECORDED: 409,
  HANDOFF_CONFLICT: 409,
  WEBHOOK_ENDPOINT_LIMIT: 409,
  WEBHOOK_DELIVERY_CONFLICT: 409,
  WRITE_CONFLICT: 409,
  TOKEN_KEYS_GIVEN: 409,
  CHAT_CONVERSATION_ENDED: 410,
  DEPLOYMENTS_TESTS_NOT_PASSED: 412,
  DEPLOYMENTS_PRE_RELEASE_REQUIRED: 412,
  BODY_TOO_LARGE: 413,
  UNSUPPORTED_CONTENT_TYPE: 415,
  EXPECTATION_FAILED: 417,
  MAIN_BRANCH_READ_ONLY: 422,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL: 500,
  BODY_READ_BEFORE: 500,
  AGENT_FAILED: 500,
  NOT_IMPLEMENTED: 501,
  EMBEDDER_FAILED: 503,
  PLATFORM_CLOSED: 503,
  STORE_BUSY: 503,
} as const

/** A stable, machine-readable name of a refusal. */
export type ErrorCode = keyof typeof ERROR_STATUS

/** What an error may carry besides its message. */
export interface ErrorDetails {
  /** Further fields of the error body, for example the conflicts of a merge. */
  readonly body?: Readonly<Record<string, unknown>>
  /** Whole seconds after which a retry makes sense; becomes `Retry-After`. */
  readonly retryAfterSeconds?: number
  /** Methods that the path does answer; becomes `Allow`. */
  readonly allow?: readonly string[]
  /** The error behind this one; told to the host, never to a client. */
  readonly cause?: unknown
}

/** The one error type of the platform. Its message may be shown to whoever made the request. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError'
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined)
    this.code = code
    this.details = details
  }

  /** The HTTP status that goes with the code: for a host that answers its own routes with what a call of the platform threw. */
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
