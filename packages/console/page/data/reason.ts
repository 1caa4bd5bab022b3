import type { Reason } from '../texts/failures.ts'

/** The codes that have a sentence which is not that of their status or ending. */
const OF_CODE: Readonly<Record<string, Reason>> = {
  ACCOUNT_ALREADY_EXISTS: 'taken',
  AGENT_FAILED: 'agent',
  API_KEY_ALREADY_EXISTS: 'taken',
  CALLS_PROVIDER_FAILED: 'service',
  CHAT_CONVERSATION_ENDED: 'chat-ended',
  CHAT_DRAFT_NOT_EXIST: 'nothing-deployed',
  CONNECTOR_ALREADY_EXISTS: 'taken',
  CONTENT_CHANGED: 'changed',
  CONVERSATION_ID_ALREADY_EXISTS: 'taken',
  DEPLOYMENTS_ALREADY_PUBLISHED: 'published',
  DEPLOYMENTS_PRE_RELEASE_REQUIRED: 'pre-release',
  DEPLOYMENTS_REPLAY_NOT_PASSED: 'replay-failed',
  DEPLOYMENTS_TESTS_NOT_PASSED: 'tests-failed',
  EMBEDDER_FAILED: 'service',
  FILE_REFUSED: 'invalid',
  FILES_FAILED: 'service',
  HANDOFF_CONFLICT: 'handoff',
  NOTE_CONFLICT: 'limit-notes',
  REPLY_NOT_FOUND: 'gone',
  QUEUE_NOT_FOUND: 'gone',
  QUEUES_LIMIT: 'limit',
  REPLY_CODE_TAKEN: 'taken',
  REPLIES_LIMIT: 'limit',
  TALKS_LIMIT: 'limit-talks',
  MAIN_BRANCH_READ_ONLY: 'main',
  MERGE_CONFLICTS: 'resolution',
  MERGE_INVALID_RESOLUTION: 'resolution',
  PHONE_NUMBERS_ALREADY_EXISTS: 'number-taken',
  PHONE_NUMBERS_CONNECTOR_DOES_NOT_EXIST: 'gone',
  PHONE_NUMBERS_INVALID_PHONE_NUMBER_FORMAT: 'number-format',
  PROJECT_ID_ALREADY_EXISTS: 'taken',
  REAL_TIME_CONFIG_INVALID_FOR_SCHEMA: 'not-in-schema',
  REAL_TIME_CONFIG_INVALID_SCHEMA: 'no-schema',
  ROLLOUTS_ENDED: 'gone',
  ROLLOUTS_INVALID_CANDIDATE: 'candidate',
  ROLLOUTS_RUNNING: 'rollout',
  SPEECH_PROVIDER_FAILED: 'service',
  ASSISTANT_FAILED: 'service',
  TEST_RUN_WITHOUT_TEST_CASES: 'tests-none',
  TOKEN_KEYS_GIVEN: 'not-set-up',
  VARIANTS_REMOVE_DEFAULT_ERROR: 'default-variant',
  WEBHOOK_DELIVERY_CONFLICT: 'sending',
}

const OF_ENDING: Readonly<Record<string, Reason>> = {
  _ALREADY_EXISTS: 'taken',
  _LIMIT: 'limit',
}

const OF_STATUS: Readonly<Record<number, Reason>> = {
  0: 'network',
  400: 'invalid',
  403: 'role',
  404: 'gone',
  408: 'busy',
  409: 'conflict',
  413: 'too-long',
  422: 'invalid',
  429: 'busy',
  501: 'not-set-up',
  503: 'busy',
}

/** Returns the reason to show to people for a failure with that code and HTTP status. */
export function reasonOf(code: string, status: number): Reason {
  const ending = Object.keys(OF_ENDING).find(one => code.endsWith(one))
  return OF_CODE[code] ?? OF_ENDING[ending ?? ''] ?? OF_STATUS[status] ?? 'failed'
}
