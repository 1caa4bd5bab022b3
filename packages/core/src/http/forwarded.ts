/** A connection as a server sees it. */
export interface Peer {
  /** The address of the other side of the connection. */
  readonly address: string
  /** True over TLS. */
  readonly encrypted: boolean
  /** `host`, `x-forwarded-for`, `-proto` and `-host`; of repeated headers all, joined by commas. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** The client that makes a request, and its connection. */
export interface Client {
  readonly remoteAddress: string
  /**
   * True over TLS or over loopback, or what a trusted proxy says. A proxy that names a client elsewhere has to say
   * `https`.
   */
  readonly secure: boolean
  readonly host: string | undefined
}

const HOST = 'host'

/**
 * Returns a sentence that says why the requested host is ambiguous. Returns null for one `Host`. Of two hosts, a proxy
 * and the platform may each believe another one, so neither is believed (HY24). HTTP/1.0, and versions other than
 * HTTP/1, need none.
 *
 * @param rawHeaders names and values by turns, as they came
 */
export function hostAmbiguity({
  rawHeaders,
  httpVersion,
}: {
  readonly rawHeaders: readonly string[]
  readonly httpVersion: string
}): string | null {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === HOST.length && name.toLowerCase() === HOST) hosts++
  }
  if (hosts === 1 || (hosts === 0 && httpVersion !== '1.1')) return null
  return 'The header "Host" is not valid: it must be sent once.'
}

/** The number of proxies in front of the server. `true` means one. */
export type TrustProxy = boolean | number

/** Reports whether an address is of the machine itself. */
export const isLoopback = (address: string) => /^(?:::ffff:)?127(?:\.\d{1,3}){3}$|^::1$/i.test(address)

/**
 * Returns the entry that the outermost trusted proxy added: counted from the end, since the entries before it may be
 * forged.
 */
function entry(header: string | readonly string[] | undefined, hops: number): string | undefined {
  if (header === undefined) return undefined
  if (typeof header === 'string' && !header.includes(',')) return header.trim() || undefined
  const entries = (typeof header === 'string' ? header : header.join(','))
    .split(',')
    .map(value => value.trim())
    .filter(value => value !== '')
  return entries.at(-Math.min(hops, entries.length))
}

/** Returns an address as a proxy writes it, without the port that some add: `192.0.2.1:443`, `[2001:db8::1]:443`. */
const withoutPort = (address: string): string =>
  /^\[([^\]]+)\](?::\d+)?$/.exec(address)?.[1] ?? address.replace(/^([^:]+):\d+$/, '$1')

/**
 * Resolves a connection to its client (contract/messaging.md, Over HTTP). `X-Forwarded-*` count only as far as proxies
 * are trusted.
 */
export function clientOf(peer: Peer, trustProxy: TrustProxy): Client {
  const hops = Number(trustProxy)
  const local = peer.encrypted || isLoopback(peer.address)
  const host = entry(peer.headers.host, 1)
  if (!(hops > 0)) return { remoteAddress: peer.address, secure: local, host }
  const scheme = entry(peer.headers['x-forwarded-proto'], hops)
  const remoteAddress = withoutPort(entry(peer.headers['x-forwarded-for'], hops) ?? peer.address)
  // A proxy on this machine that names the client, and not the scheme, speaks of a client that did not come over
  // loopback.
  const unsaid = local && (peer.encrypted || isLoopback(remoteAddress))
  return {
    remoteAddress,
    // Some proxies name the scheme of a socket.
    secure: scheme === undefined ? unsaid : /^(?:https|wss)$/i.test(scheme),
    host: entry(peer.headers['x-forwarded-host'], hops) ?? host,
  }
}
