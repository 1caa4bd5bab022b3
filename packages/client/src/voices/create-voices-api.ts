import { type ApiFor, type ApiOptions, apiOf } from '../http/api.ts'
import type { VoiceOperations } from '../http/operations.ts'
import { type FileBody, formBody, sending, wavBody } from './file-bodies.ts'
import { OPERATIONS } from './operation-table.ts'

/** The calls about voices, and about what agents have said, over HTTP. */
export type VoicesApi = ApiFor<VoiceOperations>

/**
 * Returns a client for a server's calls about voices, as `createApi` is for the others. The name of a file is sent as
 * the header `x-filename`.
 *
 * ```ts
 * const voices = createVoicesApi({ server, credentials: { workspaceKey } })
 * const { voices: german } = await voices.listVoices({ accountId, language: 'de-DE' })
 * ```
 *
 * @throws TypeError when `server` is not an address
 */
export function createVoicesApi(options: ApiOptions): VoicesApi {
  const sends = (body: FileBody) =>
    apiOf<VoiceOperations>(OPERATIONS, { ...options, fetch: sending(options.fetch, body) })
  return {
    ...apiOf<VoiceOperations>(OPERATIONS, options),
    updateCachedAudioFile: (input, given) => sends(wavBody(input.body)).updateCachedAudioFile(input, given),
    replaceCachedAudioDetails: (input, given) =>
      sends(formBody(input.body)).replaceCachedAudioDetails(input, given),
  }
}
