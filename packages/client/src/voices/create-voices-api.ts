import { type ApiFor, type ApiOptions, apiOf } from '../http/api.ts'
import type { VoiceOperations } from '../http/operations.ts'
import { OPERATIONS } from './operation-table.ts'

/** The calls about voices over HTTP. */
export type VoicesApi = ApiFor<VoiceOperations>

/**
 * A client for a server's calls about voices, as `createApi` is for the others.
 *
 * ```ts
 * const voices = createVoicesApi({ server, credentials: { workspaceKey } })
 * const { voices: german } = await voices.listVoices({ accountId, language: 'de-DE' })
 * ```
 *
 * @throws TypeError when `server` is not an address
 */
export const createVoicesApi = (options: ApiOptions): VoicesApi => apiOf<VoiceOperations>(OPERATIONS, options)
