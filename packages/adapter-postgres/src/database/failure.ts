import { PlatformError } from '@colloquy/core'

/** Returns the server's code of an error (SQLSTATE); null for an error that has none. */
export function stateOfError(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null
  return /^[0-9A-Z]{5}$/.test(error.code) ? error.code : null
}

/** Returns the name of the constraint that a row has violated, if that is what happened. */
export const isViolated = (error: unknown, state: '23503' | '23505'): boolean =>
  causesOf(error).some(cause => stateOfError(cause) === state)

function causesOf(error: unknown): readonly unknown[] {
  return error instanceof Error && error.cause !== undefined ? [error, ...causesOf(error.cause)] : [error]
}

/** Two statements waited for each other, or wrote the same row: the server has undone this one as a whole. */
export const isUndoneByOthers = (error: unknown): boolean =>
  ['40P01', '40001'].includes(stateOfError(error) ?? '')

/**
 * Reports whether the server has refused and undone the statement because of its content, so that another one may be
 * run. False if the connection was lost or the server is going down.
 */
export const isRefusedStatement = (error: unknown): boolean =>
  causesOf(error).some(cause =>
    ['21', '22', '23', '40', '42', '54'].includes(stateOfError(cause)?.slice(0, 2) ?? ''),
  )

/** Error codes that are worth a retry: a lock, a limit, or a server that is unavailable for a moment. */
const BUSY: Readonly<Record<string, string>> = {
  '25006': 'the server takes no writes now: it is a standby, or set to read only',
  '40001': 'others wrote the same again and again',
  '40P01': 'others wrote the same again and again',
  '53300': 'the server has no connection left',
  '55P03': 'another session kept a lock for longer than the lock timeout',
  '57014': 'it took longer than the statement timeout, or was cancelled',
  '57P01': 'the server ended the connection',
  '57P02': 'the server ended the connection',
  '57P03': 'the server is starting or stopping',
}

/** Messages of the driver about connections, which have no code. */
const AWAY: readonly (readonly [RegExp, string])[] = [
  [/timeout exceeded when trying to connect/, 'no connection of the pool became free in time'],
  [/connection timeout|query read timeout/i, 'the server did not answer in time'],
  [
    /Connection terminated|Client has encountered a connection error|Connection ended/i,
    'the connection was lost',
  ],
]

const NETWORK = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENOENT',
]

function reasonToTryAgain(error: unknown): string | null {
  const state = stateOfError(error)
  if (state !== null && BUSY[state] !== undefined) return BUSY[state]
  if (state?.startsWith('08')) return 'the connection was lost'
  if (!(error instanceof Error)) return null
  if ('code' in error && typeof error.code === 'string' && NETWORK.includes(error.code))
    return `the server cannot be reached (${error.code})`
  return AWAY.find(([pattern]) => pattern.test(error.message))?.[1] ?? null
}

/** Nothing can be said over the connection any more: the driver, not the server, has said what went wrong. */
export const isLostConnection = (error: unknown): boolean =>
  stateOfError(error) === null && reasonToTryAgain(error) !== null

/**
 * Returns an error of the driver as callers get it. `operation` completes the sentence "PostgreSQL could not …".
 *
 * A write whose connection was lost may have been made all the same: who tries again must read first.
 */
export function failure(operation: string, cause: unknown): Error {
  if (cause instanceof PlatformError) return cause
  const reason = reasonToTryAgain(cause)
  if (reason !== null) {
    return new PlatformError('STORE_BUSY', `PostgreSQL could not ${operation}: ${reason}. Try again.`, {
      cause,
      retryAfterSeconds: 1,
    })
  }
  const message = cause instanceof Error ? cause.message : String(cause)
  return new Error(`PostgreSQL could not ${operation}: ${message}`, { cause })
}
