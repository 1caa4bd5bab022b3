import { isLoopback } from './forwarded.ts'
import type { HttpRequest } from './route.ts'

/**
 * The headers of every response of ours for browsers and caches (HY10). Responses are JSON for programs, and private.
 * So no cache keeps them, guesses their type, shows them in a frame, or runs anything in them, and no other site embeds
 * them.
 */
export const RESPONSE_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
} as const

/** Added to answers over TLS (HY11). Not for subdomains: they are the host's. */
const STRICT_TRANSPORT = { 'Strict-Transport-Security': 'max-age=31536000' } as const

/** Other values for these headers, or further ones; null leaves a header to the host (HY10). */
export type ResponseHeaderChanges = Readonly<Record<string, string | null>>

const change = (
  headers: Readonly<Record<string, string>>,
  changes: ResponseHeaderChanges,
): Readonly<Record<string, string>> => {
  const changed = new Set(Object.keys(changes).map(name => name.toLowerCase()))
  const kept = Object.entries(headers).filter(([name]) => !changed.has(name.toLowerCase()))
  const added = Object.entries(changes).flatMap(([name, value]) => (value === null ? [] : [[name, value]]))
  return Object.fromEntries([...kept, ...added])
}

/**
 * Makes the headers of answers ready. `secure` requests over loopback get no header about TLS: a browser would apply it
 * to every other server of the machine.
 */
export function responseHeaders(
  changes: ResponseHeaderChanges = {},
): (request: Pick<HttpRequest, 'secure' | 'remoteAddress'>) => Readonly<Record<string, string>> {
  const plain = change(RESPONSE_HEADERS, changes)
  const overTls = change({ ...RESPONSE_HEADERS, ...STRICT_TRANSPORT }, changes)
  return ({ secure, remoteAddress }) => (secure && !isLoopback(remoteAddress) ? overTls : plain)
}
