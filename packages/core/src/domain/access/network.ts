/** Returns the eight groups of an IPv6 address, those that `::` leaves out included; empty for anything else. */
function groupsOf(address: string): readonly string[] {
  const [head = '', tail, more] = address.split('%')[0]?.split('::') ?? []
  if (more !== undefined || !address.includes(':')) return []
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const missing = tail === undefined ? 0 : 8 - before.length - after.length
  if (missing < 0) return []
  return [...before, ...Array.from({ length: missing }, () => '0'), ...after]
}

/**
 * Whom an address stands for when requests are counted: an IPv4 address for itself, also when it is written as IPv6; of
 * IPv6 the first 64 bits, since that is what one customer has. What is no address stands for itself.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const groups = groupsOf(address)
  if (groups.length !== 8) return address
  const network = groups.slice(0, 4).map(group => group.toLowerCase().replace(/^0+(?=.)/, ''))
  return `${network.join(':')}::/64`
}
