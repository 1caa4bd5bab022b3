/** All HTTP calls of a server, typed. */
export {
  type Api,
  type ApiFetch,
  type ApiMethod,
  type ApiOptions,
  type CallOptions,
  createApi,
} from './api.ts'
export { ApiError, type ApiErrorCode, type ClientErrorCode, isApiError } from './api-error.ts'
export type { Credentials, Secret } from './credentials.ts'
export type * from './operations.ts'
export type { ApiAnswer } from './read-answer.ts'
