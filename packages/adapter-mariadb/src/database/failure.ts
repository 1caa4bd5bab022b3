import { PlatformError } from '@colloquy/core'

/** Returns the number of an error of the server or the driver; 0 for an error that has none. */
export const numberOfError = (error: unknown): number =>
  error instanceof Error && 'errno' in error && typeof error.errno === 'number' ? error.errno : 0

/** There is a row with the key of one that was to be added. */
export const isDuplicate = (error: unknown): boolean => numberOfError(error) === 1062

const OTHERS = [1020, 1205, 1213]

/** Others wrote the same rows: the server has undone the statement, and may carry it out a moment later. */
export const isUndoneByOthers = (error: unknown): boolean => OTHERS.includes(numberOfError(error))

/** Error numbers that are worth a retry: a lock, a limit, or a server that is unavailable for a moment. */
const BUSY: readonly (readonly [reason: string, numbers: readonly number[]])[] = [
  ['others wrote the same again and again', OTHERS],
  ['the server has no connection left', [1040, 1203, 1226]],
  ['the server takes no writes now: it is a replica, or set to read only', [1290, 1836]],
  ['it was cancelled, or took longer than the statement timeout', [1317, 1969]],
  ['the server ended the connection, or is stopping', [1053, 1927]],
  ['the connection was lost', [45001, 45004, 45009, 45012, 45013, 45019, 45026, 45042, 45061]],
  ['no connection of the pool became free in time', [45028]],
]

const NETWORK = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENOENT)$/

function reasonToTryAgain(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if ('code' in error && NETWORK.test(String(error.code)))
    return `the server cannot be reached (${error.code})`
  // The error that no connection became free may have a cause that explains more.
  const found = BUSY.find(([, numbers]) => numbers.includes(numberOfError(error)))
  return reasonToTryAgain(error.cause) ?? found?.[0] ?? null
}

/** Returns the server's message, without the statement and its values, which the driver's message may contain. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'sqlMessage' in error && typeof error.sqlMessage === 'string' ? error.sqlMessage : error.message
}

/**
 * Returns an error of the driver as callers get it. `operation` completes the sentence "MariaDB could not …".
 *
 * A write whose connection was lost may have been made all the same: who tries again must read first.
 */
export function failure(operation: string, cause: unknown): Error {
  if (cause instanceof PlatformError) return cause
  const [message, reason] = [messageOf(cause), reasonToTryAgain(cause)]
  if (reason === null) return new Error(`MariaDB could not ${operation}: ${message}`, { cause })
  return new PlatformError('STORE_BUSY', `MariaDB could not ${operation}: ${reason}. Try again.`, {
    cause,
    retryAfterSeconds: 1,
  })
}
