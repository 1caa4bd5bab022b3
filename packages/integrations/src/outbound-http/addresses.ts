import ipaddr from 'ipaddr.js'

/**
 * The part of IPv6 that is allocated for use in the public Internet; the rest has no public meaning, even if it is
 * routed.
 */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * True for an address of the public Internet: not private, loopback, link-local (where clouds keep their metadata),
 * shared by carriers, multicast, unspecified or reserved, nor an IPv6 form that leads to such an IPv4 address.
 *
 * @param address IPv4 in four decimal parts or IPv6, without brackets; a zone is ignored. Anything else is not public.
 */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/%.*$/s, '')
  if (!ipaddr.IPv4.isValidFourPartDecimal(bare) && !ipaddr.IPv6.isValid(bare)) return false
  const parsed = ipaddr.process(bare)
  if (parsed.range() !== 'unicast') return false
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_IPV6)
}
