/** All HTTP calls of a server, typed. */
export type { ApiFetch, ApiFor, ApiMethod, ApiOptions, CallOptions } from './api.ts'
export { ApiError, type ApiErrorCode, type ClientErrorCode, isApiError } from './api-error.ts'
export { type Api, createApi } from './create-api.ts'
export type { Credentials, Secret } from './credentials.ts'
export type * from './operations.ts'
export type { ApiAnswer } from './read-answer.ts'
