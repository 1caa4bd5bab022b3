import { type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Server as SecureServer } from 'node:https'
import type { Duplex } from 'node:stream'

/** What offers another protocol, and means nothing to a server that stays with this one. */
const OFFERS = new Set(['upgrade', 'http2-settings'])

const tokensOf = (value: string): readonly string[] =>
  value
    .split(',')
    .map(token => token.trim())
    .filter(token => token !== '')

/** A WebSocket among the protocols of a list, with its version or without. */
const WEB_SOCKET = /(?:^|,)\s*websocket(?:\/|\s*(?:,|$))/i

/** True when a WebSocket is asked for, alone or among other protocols. */
export const wantsWebSocket = ({ headers }: IncomingMessage): boolean =>
  WEB_SOCKET.test(headers.upgrade ?? '')

/** The header lines of a request without its offers. */
function plainLines({ rawHeaders }: IncomingMessage): readonly string[] {
  const lines: string[] = []
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    const value = rawHeaders[index + 1] ?? ''
    if (OFFERS.has(name.toLowerCase())) continue
    const rest =
      name.toLowerCase() === 'connection'
        ? tokensOf(value)
            .filter(token => !OFFERS.has(token.toLowerCase()))
            .join(', ')
        : value
    if (rest !== '' || value === '') lines.push(`${name}: ${rest}`)
  }
  return lines
}

/**
 * The answer that a connection is busy with; null for none. Node keeps it there for itself, and tells it nowhere else.
 */
function answerUnderWay(socket: Duplex): ServerResponse | null {
  const answer = '_httpMessage' in socket ? socket._httpMessage : null
  return answer instanceof ServerResponse ? answer : null
}

/**
 * Gives the server a request again that it took for an upgrade, this time as one that offers no other protocol: who
 * offers HTTP/2 with every request, as some clients do over plain HTTP, is answered over HTTP/1.1 (RFC 9110, 7.8). Node
 * asks no handler whether it is an upgrade before its parser has let go of the connection, so the connection begins
 * anew with the request's own bytes. One that comes while an earlier request is answered could overtake it: there the
 * connection ends with that answer, and the client asks again.
 *
 * @param head what Node had read behind the request's head
 */
export function serveAsPlain(
  server: Server | SecureServer,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const earlier = answerUnderWay(socket)
  if (earlier !== null) {
    earlier.once('close', () => socket.destroy())
    return
  }
  const { httpVersion, method, url } = request
  const lines = [`${method} ${url} HTTP/${httpVersion}`, ...plainLines(request), '', '']
  socket.unshift(Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), head]))
  server.emit('encrypted' in socket ? 'secureConnection' : 'connection', socket)
}
