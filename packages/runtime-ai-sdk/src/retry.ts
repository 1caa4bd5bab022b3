import { APICallError } from 'ai'

/** How failing requests are repeated; see the options of the same names. */
export interface RetryRules {
  readonly attempts: number
  readonly retryDelay: number
  readonly longestRetryDelay: number
}

/** The AI SDK's errors for a garbled answer; all its other errors come from wrong use, and a retry would not help. */
const GARBLED = [
  'AI_JSONParseError',
  'AI_TypeValidationError',
  'AI_InvalidResponseDataError',
  'AI_NoOutputGeneratedError',
]

/**
 * How long to wait before a failed request is made again, in milliseconds; null when it is not (LM20, LM21). `attempt`
 * counts from 1. A wait that the model asked for holds, where it is the longer one.
 */
export function retryDelay(error: unknown, attempt: number, now: number, rules: RetryRules): number | null {
  if (attempt >= rules.attempts || !isTransient(error)) return null
  const delay = Math.max(rules.retryDelay * 2 ** (attempt - 1), askedDelay(error, now))
  return delay <= rules.longestRetryDelay ? delay : null
}

/** True for 408, 409, 429 and 5xx, for connections that break, and for answers that cannot be read. */
function isTransient(error: unknown): boolean {
  if (APICallError.isInstance(error)) return error.isRetryable || error.statusCode === 200
  const name = error instanceof Error ? error.name : ''
  return !name.startsWith('AI_') || GARBLED.includes(name)
}

/** The wait that an answer's headers ask for: `retry-after-ms`, or `retry-after` in seconds or as a date. */
function askedDelay(error: unknown, now: number): number {
  const headers = APICallError.isInstance(error) ? (error.responseHeaders ?? {}) : {}
  const milliseconds = Number.parseFloat(headers['retry-after-ms'] ?? '')
  if (milliseconds >= 0) return milliseconds
  const after = headers['retry-after'] ?? ''
  if (/^\d+(\.\d+)?$/.test(after)) return Number(after) * 1_000
  const date = Date.parse(after)
  return Number.isNaN(date) ? 0 : Math.max(date - now, 0)
}

/** The longest text of a provider that is repeated. */
const LONGEST_REASON = 300

/** Statuses that are about the key of the model, which providers repeat in their words. */
const CREDENTIALS = [401, 403]

/** What went wrong, in a line that may be recorded: it names no key (LM44). */
export function reasonOf(error: unknown): string {
  const status = APICallError.isInstance(error) ? error.statusCode : undefined
  if (status !== undefined && CREDENTIALS.includes(status))
    return `${status} The provider refused the credentials`
  return ((status === undefined ? '' : `${status} `) + messageOf(error))
    .replace(/\s+/g, ' ')
    .slice(0, LONGEST_REASON)
}

function messageOf(error: unknown): string {
  if (typeof error === 'string') return error
  if (
    typeof error === 'object' &&
    error !== null &&
    'message' in error &&
    typeof error.message === 'string'
  ) {
    return error.message
  }
  return JSON.stringify(error) ?? 'unknown'
}
