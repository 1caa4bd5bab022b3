import { startOf } from '@colloquy/core/runtime'
import { z } from 'zod'

/** Settings of retries; see the options of the same names. */
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

/** Types and codes of providers for requests that fail alike each time. */
const FINAL =
  /auth|permission|api_?key|billing|quota|invalid_request|invalid_prompt|not_found|too_large|context_length|unsupported|not_implemented/i

/** Codes of Node and of its fetch for connections that could not be made, or that broke. */
const CONNECTION = /^(?:UND_)?(?:ERR_|E[A-Z]{2,})/

/** Messages of fetch for broken connections, which have no code. */
const BROKEN = ['fetch failed', 'terminated', 'network error', 'socket hang up', 'failed to fetch']

const absent = undefined

/** An error as providers, both lines of the AI SDK and drivers have it: told by its fields, not by its class. */
const failureSchema = z.object({
  name: z.string().catch(''),
  message: z.string().catch(''),
  type: z.string().catch(''),
  code: z.union([z.string(), z.number()]).catch(''),
  statusCode: z.coerce.number().int().min(200).max(599).optional().catch(absent),
  status: z.coerce.number().int().min(200).max(599).optional().catch(absent),
  isRetryable: z.boolean().optional().catch(absent),
  responseHeaders: z.record(z.string(), z.string()).catch({}),
  cause: z.unknown().optional(),
})

type Failure = z.output<typeof failureSchema>

const failureOf = (error: unknown): Failure | null => failureSchema.safeParse(error).data ?? null

/**
 * Returns the HTTP status that an error tells, also one in the middle of a stream, where it may stand as the `code`.
 */
function statusOf(error: unknown): number | undefined {
  const failure = failureOf(error)
  const code = Number(failure?.code || Number.NaN)
  return failure?.statusCode ?? failure?.status ?? (code >= 400 && code <= 599 ? code : undefined)
}

/**
 * Returns the delay before a retry of a failed request, milliseconds; null if it is not retried (LM20, LM21). `attempt`
 * counts from 1. If the model asked for a longer delay, that one applies.
 */
export function retryDelay(error: unknown, attempt: number, now: number, rules: RetryRules): number | null {
  if (attempt >= rules.attempts || !isTransient(error)) return null
  const delay = Math.max(rules.retryDelay * 2 ** (attempt - 1), askedDelay(error, now))
  return delay <= rules.longestRetryDelay ? delay : null
}

/**
 * True for 408, 409, 429 and 5xx but 501, for connections that break, for answers that cannot be read, and for what a
 * provider reports in its stream without a reason that stays.
 */
function isTransient(error: unknown): boolean {
  const failure = failureOf(error)
  if (failure === null) return true
  const { name, type, code, isRetryable } = failure
  const status = statusOf(error)
  if (status === 200) return true
  if (status !== undefined) return isRetryable !== false && mayHeal(status)
  if (FINAL.test(type) || FINAL.test(String(code))) return false
  if (name === 'AI_APICallError') return isRetryable === true
  if (name === 'AI_StreamProviderError' || GARBLED.includes(name)) return true
  return error instanceof Error ? isBrokenConnection(failure) : true
}

const mayHeal = (status: number): boolean =>
  [408, 409, 429].includes(status) || (status >= 500 && status !== 501)

/** True for errors of connections, also where they are the cause of another one. Other errors are mistakes in code. */
function isBrokenConnection({ name, message, code, cause }: Failure, depth = 0): boolean {
  if (name === 'TimeoutError' || CONNECTION.test(String(code)) || BROKEN.includes(message.toLowerCase()))
    return true
  const deeper = depth < 5 ? failureOf(cause) : null
  return deeper !== null && isBrokenConnection(deeper, depth + 1)
}

/** Returns the wait that an answer's headers ask for: `retry-after-ms`, or `retry-after` in seconds or as a date. */
function askedDelay(error: unknown, now: number): number {
  const headers = failureOf(error)?.responseHeaders ?? {}
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

/** Returns the reason of a failure in one line that may be recorded: it contains no key (LM21). */
export function reasonOf(error: unknown): string {
  const status = statusOf(error)
  if (status !== undefined && CREDENTIALS.includes(status))
    return `${status} The provider refused the credentials`
  const words = (status === undefined ? '' : `${status} `) + messageOf(error)
  return startOf(words.replace(/\s+/g, ' '), LONGEST_REASON)
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
