import { type InputProblem, isPlatformError, PlatformError } from '../errors.ts'
import type { Family } from './route.ts'

type ErrorBody = (error: PlatformError, errorId: string) => Readonly<Record<string, unknown>>

/** Returns the fields that the error is about, at most so many as its message names. */
function fieldsOf({ problems = [] }: PlatformError['details']): { readonly about?: readonly string[] } {
  const about = new Set(problems.map(({ path }) => path.join('.')).filter(path => path !== ''))
  return about.size === 0 ? {} : { about: [...about].slice(0, 5) }
}

const envelope: ErrorBody = (error, errorId) => ({
  success: false,
  error: error.message,
  error_id: errorId,
  error_code: error.code,
  error_message: error.message,
  data: null,
  ...fieldsOf(error.details),
  ...error.details.body,
})

const messageOnly: ErrorBody = error => ({ error_message: error.message, ...error.details.body })

const detailOnly: ErrorBody = error => ({ detail: error.message, ...error.details.body })

const coded: ErrorBody = error => ({
  success: false,
  error: error.code,
  message: error.message,
  ...error.details.body,
})

const named: ErrorBody = error => ({ error: error.message, code: error.code, ...error.details.body })

const messageTwice: ErrorBody = error => ({ message: error.message, error: error.message })

/** Returns the part of a request that has a problem. */
const placeOf = ({ noun }: InputProblem): string => {
  const [place = ''] = noun.split(' ')
  return place === 'path' || place === 'query' ? place : 'body'
}

/** Returns a list of problems for invalid input, else the envelope. */
const detailed: ErrorBody = (error, errorId) =>
  error.code === 'ALERT_RULE_INVALID'
    ? {
        detail: (error.details.problems ?? []).map(problem => ({
          loc: [placeOf(problem), ...problem.path],
          msg: problem.message,
          type: problem.type,
        })),
      }
    : envelope(error, errorId)

/** The body of an error in each family (contract/errors.md, Bodies). */
export const ERROR_BODY: Readonly<Record<Family, ErrorBody>> = {
  agents: envelope,
  'debug-chat': envelope,
  chat: envelope,
  'conversations-v1': messageOnly,
  'conversations-v3': envelope,
  concurrency: messageOnly,
  'external-events': messageOnly,
  messaging: messageTwice,
  operator: envelope,
  desk: envelope,
  webhooks: envelope,
  alerts: detailed,
  texts: detailOnly,
  calls: named,
  'handoff-state': messageOnly,
  'number-reservation': coded,
}

/** Returns the headers of an error: the allowed methods, whole seconds to wait, and the bytes that there are. */
export function errorHeaders({ details }: PlatformError): Readonly<Record<string, string>> {
  const retry = details.retryAfterSeconds
  return {
    ...(details.allow === undefined ? {} : { Allow: details.allow.join(', ') }),
    ...(details.bytes === undefined ? {} : { 'Content-Range': `bytes */${details.bytes}` }),
    ...(retry === undefined ? {} : { 'Retry-After': String(Math.max(1, Math.ceil(retry))) }),
  }
}

/** Returns the error that a client sees: the error itself, or INTERNAL in place of an error that it must not see. */
export const presentable = (error: unknown): PlatformError =>
  isPlatformError(error) && error.code !== 'INTERNAL'
    ? error
    : new PlatformError('INTERNAL', 'Something went wrong on the server.', { cause: error })
