import { type ApiFor, type ApiOptions, apiOf } from '../http/api.ts'
import type { Secret } from '../http/credentials.ts'
import type { TextOperations } from '../http/operations.ts'
import { OPERATIONS } from './operation-table.ts'

/** The calls about texts over HTTP. */
export type TextsApi = ApiFor<TextOperations>

/** Options of a client of texts. */
export interface TextsApiOptions extends Omit<ApiOptions, 'credentials'> {
  readonly credentials: {
    /** An API key of kind `project` or `workspace`. */
    readonly authToken: Secret
    /** The id of the telephony connector whose agent texts. */
    readonly connectorId: string
  }
  /** The server's word in names of headers, its setting `brand`. @default "AI" */
  readonly brand?: string
}

/**
 * Returns a client for a server's calls about texts, as `createApi` is for the others.
 *
 * ```ts
 * const texts = createTextsApi({ server, credentials: { authToken: projectKey, connectorId } })
 * await texts.sendText({ body: { user_number: '+12025550111', message: 'Your table is ready.' } })
 * ```
 *
 * @throws TypeError when `server` is not an address
 */
export function createTextsApi({ brand = 'AI', credentials, ...options }: TextsApiOptions): TextsApi {
  const { authToken, connectorId } = credentials
  return apiOf<TextOperations>(OPERATIONS, {
    ...options,
    credentials: { authToken },
    // All other calls have their key in `x-api-key`.
    fetch(url, { headers: { 'x-api-key': key = '', ...headers }, ...request }) {
      const named = { ...headers, [`x-${brand}-auth-token`]: key, 'x-token-id': connectorId }
      return (options.fetch ?? fetch)(url, { ...request, headers: named })
    },
  })
}
