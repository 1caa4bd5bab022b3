import type { IncomingMessage } from 'node:http'

const LOOPBACK = /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$|^::1$/

/**
 * True when nobody on the way can read the request: TLS, loopback, or a trusted proxy that says `https`
 * (decisions.md section 8). A proxy that says `http` is believed too, also over loopback.
 */
export function isSecure(request: IncomingMessage, trustProxy: boolean): boolean {
  const { socket } = request
  if ('encrypted' in socket && socket.encrypted === true) return true
  const forwarded = trustProxy ? forwardedProtocol(request) : null
  if (forwarded !== null) return forwarded === 'https' || forwarded === 'wss'
  return LOOPBACK.test(socket.remoteAddress ?? '')
}

/** What the proxy nearest to the visitor says; null when no proxy says anything. */
function forwardedProtocol(request: IncomingMessage): string | null {
  const header = request.headers['x-forwarded-proto']
  const first = (Array.isArray(header) ? header[0] : header)?.split(',')[0]?.trim().toLowerCase()
  return first === undefined || first === '' ? null : first
}
