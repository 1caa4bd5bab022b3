import { fieldsOf, text } from '../messaging/fields.ts'
import type { ApiError } from './api-error.ts'

/** Milliseconds. */
const FIRST_PAUSE = 500
const LONGEST_PAUSE = 8_000

/** Longest `Retry-After` that is waited for, milliseconds; a longer one is for the caller to decide. */
const LONGEST_WAIT = 30_000

/** Reports whether a call takes a key of its own, under which it takes effect once. */
export const isKeyed = (operation: string): boolean => /^(createChat|respond)/.test(operation)

/** Calls that are no reads and take effect once, however often they are made. */
const ONCE = /^(issueAccessToken|receiveExternalEvent)/

/** Reports whether a call may be made again when no one knows whether it took effect. */
export const isRepeatable = (operation: string, method: string, body: unknown): boolean =>
  method === 'GET' ||
  method === 'PUT' ||
  isKeyed(operation) ||
  ONCE.test(operation) ||
  // The key of a message: it is said once.
  text(fieldsOf(body), 'message_id') !== ''

/** Refused before anything was done. A store that is busy (503 too) may have written. */
const wasNotTaken = ({ code, status }: ApiError): boolean =>
  status === 429 || (status === 503 && code === 'PLATFORM_CLOSED')

const mayPass = ({ code, status }: ApiError): boolean =>
  code === 'NO_ANSWER' || code === 'TIMEOUT' || [429, 502, 503, 504].includes(status)

/**
 * Milliseconds before a call is made again; null when it is not. Pauses double, have jitter, and are no shorter than
 * the server asked for.
 *
 * @param attempt 0 for the first
 * @param random from 0 to below 1
 */
export function pauseBefore(
  error: ApiError,
  repeatable: boolean,
  attempt: number,
  random: number,
): number | null {
  if (!mayPass(error) || !(repeatable || wasNotTaken(error))) return null
  const asked = error.retryAfter ?? 0
  if (asked > LONGEST_WAIT) return null
  const pause = Math.min(FIRST_PAUSE * 2 ** attempt, LONGEST_PAUSE)
  return Math.round(asked + pause * (0.5 + random / 2))
}
