import type { ErrorCode } from './operations.ts'

/**
 * Code of an error without a response of the contract.
 *
 * - `NO_ANSWER`: no connection, or one that broke
 * - `TIMEOUT`: no whole response in time
 * - `REDIRECTED`: another address was named; redirects are not followed, as the credential would go along
 * - `UNREADABLE_ANSWER`: success, but not with what the contract promises
 * - `NO_CREDENTIAL`: the credential for the call was not given, or cannot be sent
 */
export type ClientErrorCode = 'NO_ANSWER' | 'TIMEOUT' | 'REDIRECTED' | 'UNREADABLE_ANSWER' | 'NO_CREDENTIAL'

/** A code of the contract, one of the client, or `HTTP_404` where the answer names no code. */
export type ApiErrorCode = ErrorCode | ClientErrorCode | `HTTP_${number}`

/** Fields of an {@link ApiError}. */
export interface ApiErrorFields {
  readonly code: string
  readonly message: string
  readonly status?: number
  readonly correlationId?: string | null
  readonly retryAfter?: number | null
  readonly body?: unknown
  readonly cause?: unknown
}

/** The reason why a call failed. No credential is in any of its fields. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** The id of the call's operation. */
  declare readonly operation: string
  /** An {@link ApiErrorCode}, or a code of a later version of the server; `is` compares it. */
  declare readonly code: string
  /** HTTP status; 0 without an answer. */
  declare readonly status: number
  /** Id of this request in the server's log; null without a response. */
  declare readonly correlationId: string | null
  /** Milliseconds after which the server wants to be asked again; null if it did not say. */
  declare readonly retryAfter: number | null
  /** The JSON of the answer, such as the conflicts of a merge; null if it is none. */
  declare readonly body: unknown

  constructor(operation: string, { message, ...fields }: ApiErrorFields) {
    super(`${operation}: ${message}`, fields)
    Object.assign(this, {
      operation,
      status: 0,
      correlationId: null,
      retryAfter: null,
      body: null,
      ...fields,
    })
  }

  /** Reports whether its code is one of these. */
  is(...codes: readonly ApiErrorCode[]): boolean {
    return (codes as readonly string[]).includes(this.code)
  }
}

/** Success, but not as the contract has it. */
export const unreadable = (
  operation: string,
  message: string,
  fields: Partial<ApiErrorFields> = {},
): ApiError => new ApiError(operation, { ...fields, code: 'UNREADABLE_ANSWER', message })

/** Reports whether that is an {@link ApiError}, also one of another copy of this package. */
export const isApiError = (error: unknown): error is ApiError =>
  error instanceof Error && error.name === 'ApiError' && 'operation' in error
