import { type ApiFor, type ApiOptions, apiOf } from '../http/api.ts'
import type { Secret } from '../http/credentials.ts'
import type { CallOperations } from '../http/operations.ts'
import { OPERATIONS } from './operation-table.ts'

/** The calls about outbound calls over HTTP. */
export type CallsApi = ApiFor<CallOperations>

/** Options of a client of outbound calls. */
export interface CallsApiOptions extends Omit<ApiOptions, 'credentials'> {
  readonly credentials: {
    /** An API key of kind `workspace`: `placeOutboundCall` and `readOutboundCall`. */
    readonly workspaceKey?: Secret
    /** An API key of kind `project` or `workspace`: the earlier calls. */
    readonly authToken?: Secret
    /** The telephony connector of the earlier calls. @default that of the key's agent, in `live` */
    readonly connectorId?: string
  }
  /** The server's word in names of headers, its setting `brand`. @default "AI" */
  readonly brand?: string
}

/** The path of the earlier calls, which have their key in a header of the brand. */
const EARLIER = /\/v1\/outbound-calling(?:\/|$)/

/**
 * Returns a client for a server's calls about outbound calls, as `createApi` is for the others.
 *
 * ```ts
 * const calls = createCallsApi({ server, credentials: { workspaceKey } })
 * const { callSid } = await calls.placeOutboundCall({ agentId, body: { toNumber, environment: 'live' } })
 * const { status } = await calls.readOutboundCall({ agentId, callSid, environment: 'live' })
 * ```
 *
 * @throws TypeError when `server` is not an address
 */
export function createCallsApi({ brand = 'AI', credentials, ...options }: CallsApiOptions): CallsApi {
  const { connectorId, ...keys } = credentials
  return apiOf<CallOperations>(OPERATIONS, {
    ...options,
    credentials: keys,
    fetch(url, request) {
      const send = options.fetch ?? fetch
      if (!EARLIER.test(url)) return send(url, request)
      const { 'x-api-key': key = '', ...headers } = request.headers
      const line = connectorId === undefined ? {} : { 'x-token-id': connectorId }
      return send(url, { ...request, headers: { ...headers, [`x-${brand}-auth-token`]: key, ...line } })
    },
  })
}
