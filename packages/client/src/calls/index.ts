/** The HTTP calls about outbound calls of a server, typed. */
export { type CallsApi, type CallsApiOptions, createCallsApi } from './create-calls-api.ts'
