import { startOf } from '../cut-text.ts'
import type { AnswerBody } from './exchange.ts'
import type { WebhookDelivery } from './webhook.ts'

/** The outcome of one request. */
export type AttemptOutcome =
  /** With the visible part of the body; null, or left out, for none. */
  | { readonly type: 'answered'; readonly status: number; readonly body?: AnswerBody | null }
  /** No answer: a time-out, or an error of the network or of TLS. */
  | { readonly type: 'failed'; readonly reason: string }
  /** Not sent, because the address may not be reached. */
  | { readonly type: 'refused'; readonly reason: string }

/** Longest text that is kept about a failed attempt, in characters. */
const MAX_ERROR = 500

/** Answers that may be another one the next time (contract/webhooks.md); all other refusals are final. */
const isPassing = (status: number): boolean => status === 408 || status === 429 || status >= 500

const isSuccess = (status: number): boolean => status >= 200 && status < 300

/** True when the receiver reports that it is gone for good: its endpoint is to be disabled. */
export const isGone = (outcome: AttemptOutcome): boolean =>
  outcome.type === 'answered' && outcome.status === 410

function problem(outcome: AttemptOutcome): string | null {
  if (outcome.type !== 'answered') return startOf(outcome.reason, MAX_ERROR)
  const { status } = outcome
  if (isSuccess(status)) return null
  if (status >= 300 && status < 400)
    return `The receiver answered ${status}. Redirects are not followed: register the final address`
  return `The receiver answered ${status}; a status from 200 to 299 is expected`
}

/**
 * The error that an account sees for a receiver without a response. It is the same for every cause: the account chose
 * the name, and must not learn what it resolves to in the host's network (WH43).
 */
const UNREACHED =
  'The receiver could not be reached. Its address must lead to a server of the public Internet that answers'

/**
 * Returns the outcome as the account may see it.
 *
 * @param calledOff the platform's own reason where it gave the attempt up; null otherwise
 */
export const shownOutcome = (outcome: AttemptOutcome, calledOff: string | null): AttemptOutcome =>
  outcome.type === 'answered' ? outcome : { ...outcome, reason: calledOff ?? UNREACHED }

/** A forbidden address is retried like an unreachable one, so that nothing distinguishes the two (WH43). */
const mayPass = (outcome: AttemptOutcome): boolean => outcome.type !== 'answered' || isPassing(outcome.status)

/**
 * A delivery after an attempt (contract/webhooks.md): delivered; pending until the next attempt; or dead, after the
 * last attempt and at once where a further one would change nothing.
 *
 * @param now when the outcome was known
 * @param retryDelays waits before the second attempt, the third and so on, milliseconds
 */
export function settle(
  delivery: WebhookDelivery,
  outcome: AttemptOutcome,
  now: number,
  retryDelays: readonly number[],
): WebhookDelivery {
  const tried: WebhookDelivery = {
    ...delivery,
    attempts: delivery.attempts + 1,
    dueAt: null,
    inFlight: false,
    lastAttemptAt: now,
    lastStatus: outcome.type === 'answered' ? outcome.status : null,
    lastError: problem(outcome),
    version: delivery.version + 1,
  }
  if (tried.lastError === null) return { ...tried, status: 'delivered' }
  const delay = mayPass(outcome) ? retryDelays[delivery.attempts] : undefined
  return delay === undefined ? { ...tried, status: 'dead' } : { ...tried, dueAt: now + delay }
}

/** Returns a delivery that is to be sent again: due now, with all its attempts. Null while a process is sending it. */
export function resend(delivery: WebhookDelivery, now: number): WebhookDelivery | null {
  const { inFlight, dueAt, version } = delivery
  if (inFlight && dueAt !== null && dueAt > now) return null
  return { ...delivery, status: 'pending', attempts: 0, dueAt: now, inFlight: false, version: version + 1 }
}
