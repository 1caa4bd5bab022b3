const NAME = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/
const IPV6 = /^\[[0-9a-f:.]+\]$/

/** Letters outside ASCII in the form in which browsers send them. */
function toAscii(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII
  if (/^[\x00-\x7f]*$/.test(name)) return name
  try {
    return new URL(`http://${name}`).hostname
  } catch {
    return ''
  }
}

/**
 * Returns an origin, domain or app namespace reduced to a host name: lower case, without scheme, port and path.
 * `https://Shop.Example.com:8443/a` becomes `shop.example.com`. Null when nothing usable is left.
 */
export function normalizeHost(given: string): string | null {
  const bare = given.trim().toLowerCase()
  const authority = bare.replace(/^[a-z][a-z0-9+.-]*:\/\//, '').replace(/[/?#].*$/s, '')
  const name = toAscii(authority.replace(/:\d*$/, '').replace(/\.$/, ''))
  return name.length <= 253 && (NAME.test(name) || IPV6.test(name)) ? name : null
}

/**
 * True when `given` is one of the registered hosts or a subdomain of one, on label boundaries
 * (contract/accounts-and-keys.md, Connectors).
 *
 * @param registered as made by `normalizeHost`
 * @param given an origin, a domain or an app namespace, as a client sends it
 */
export function hostMatches(registered: readonly string[], given: string): boolean {
  const host = normalizeHost(given)
  if (host === null) return false
  return registered.some(name => name === host || (!IPV4.test(name) && host.endsWith(`.${name}`)))
}

/**
 * The `Origin` of a browser: a scheme, a host and an optional port. `null`, from pages without an origin, does not
 * count.
 */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@,]+$/i

/** True for the `Origin` of a page that has one. */
export const isOrigin = (given: string): boolean => ORIGIN.test(given) && normalizeHost(given) !== null

/**
 * True when a page of that `Origin` is on one of the registered hosts, at any port (HY3). `null` and anything else
 * other than an origin is on none of them.
 *
 * @param registered as made by `normalizeHost`
 */
export const originMatches = (registered: readonly string[], origin: string): boolean =>
  isOrigin(origin) && hostMatches(registered, origin)

/**
 * True when a page of that `Origin` came from that host itself, at whatever port; a subdomain is another host (HY7).
 */
export const isSameHost = (origin: string, host: string): boolean =>
  isOrigin(origin) && normalizeHost(origin) === normalizeHost(host)
