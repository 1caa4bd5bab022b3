import { type ApiFor, type ApiOptions, apiOf } from '../http/api.ts'
import type { TelephonyOperations } from '../http/operations.ts'
import { OPERATIONS } from './operation-table.ts'

/** The calls about telephony, pools of numbers and reservations over HTTP. */
export type TelephonyApi = ApiFor<TelephonyOperations>

/**
 * Returns a client for a server's calls about telephony, as `createApi` is for the others.
 *
 * ```ts
 * const telephony = createTelephonyApi({ server, credentials: { workspaceKey } })
 * const { phoneNumbers } = await telephony.listPhoneNumbers({ agentId })
 * ```
 *
 * @throws TypeError when `server` is not an address
 */
export const createTelephonyApi = (options: ApiOptions): TelephonyApi =>
  apiOf<TelephonyOperations>(OPERATIONS, options)
