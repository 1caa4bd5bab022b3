import { number, text } from './fields.ts'
import { globals } from './globals.ts'
import type { Fetch } from './ports.ts'
import { bodyOf, RefusedError } from './refused-error.ts'

/** A visitor's access token, as `POST /api/v1/access-token` answers it. */
export interface GrantedToken {
  readonly accessToken: string
  /** Seconds. */
  readonly expiresIn: number
}

/** Returns the address of something below a server's, which may have a path. */
export const addressBelow = (server: string, path: string): string =>
  new URL(path, server.endsWith('/') ? server : `${server}/`).href

/**
 * Returns a `getToken` that trades a connector's token for an access token (contract/messaging.md, Over HTTP).
 * Connector tokens are meant for pages. A host that says who the visitor is has a `getToken` of its own, which asks its
 * own server.
 *
 * @param options.host a host of the connector.
 * @default the page's
 * @throws RefusedError when the server refuses
 */
export function fromConnector(options: {
  /** The server's address, such as `https://chat.example`. */
  readonly server: string
  readonly connectorToken: string
  readonly host?: string
  readonly fetch?: Fetch
}): (signal: AbortSignal) => Promise<GrantedToken> {
  return async signal => {
    const send = options.fetch ?? globals().fetch
    if (send === undefined) throw new RefusedError(400, 'There is no fetch here. Use the option `fetch`.')
    const headers = {
      'x-token': options.connectorToken,
      'x-host': options.host ?? globals().location?.hostname ?? '',
    }
    const address = addressBelow(options.server, 'api/v1/access-token')
    const answer = await send(address, { method: 'POST', headers, body: '', signal })
    const body = await bodyOf(answer, Date.now())
    return { accessToken: text(body, 'access_token'), expiresIn: number(body, 'expires_in') ?? 0 }
  }
}
