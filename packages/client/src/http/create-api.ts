import { type ApiFor, type ApiOptions, apiOf } from './api.ts'
import { OPERATIONS } from './operation-table.ts'
import type { Operations } from './operations.ts'

/** All HTTP calls, except those that have an entry point of their own. */
export type Api = ApiFor<Operations>

/**
 * Returns a client for all HTTP calls of a server.
 *
 * ```ts
 * const api = createApi({ server, credentials: { workspaceKey } })
 * const { agents } = await api.listAgents({ accountId })
 * ```
 *
 * @throws TypeError when `server` is not an address
 */
export const createApi = (options: ApiOptions): Api => apiOf<Operations>(OPERATIONS, options)
