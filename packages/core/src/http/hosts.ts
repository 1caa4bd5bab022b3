import { PlatformError } from '../errors.ts'
import type { HostMap } from '../settings/host-map.ts'
import type { Settings } from '../settings/settings.ts'
import type { Family } from './route.ts'

type HostGroup = 'base' | 'platform' | 'messaging'

/** The hosts that serve a family (contract/accounts-and-keys.md, Hosts and regions). Null means every host. */
const HOST_GROUP: Readonly<Record<Family, HostGroup | null>> = {
  agents: 'base',
  'debug-chat': 'base',
  chat: 'platform',
  'conversations-v1': 'platform',
  'conversations-v3': 'platform',
  concurrency: 'platform',
  'external-events': 'platform',
  messaging: 'messaging',
  operator: null,
  desk: null,
  webhooks: 'base',
  alerts: 'base',
  texts: 'platform',
  calls: 'platform',
  'handoff-state': 'platform',
  'number-reservation': 'platform',
}

/** Returns the host in lower case, without the final dot of a whole domain name. */
const plainHost = (header: string | undefined): string =>
  (header ?? '').toLowerCase().replace(/\.(?=:\d+$|$)/, '')

const withoutPort = (host: string) => host.replace(/:\d+$/, '')

/**
 * Returns the region whose host this is. A registered host that names a port is compared with the port, others without.
 */
function regionOf(hosts: HostMap, host: string): string | null {
  const names = [host, withoutPort(host)]
  const found = Object.entries(hosts).find(([, name]) => names.includes(name.toLowerCase()))
  return found?.[0] ?? null
}

/**
 * Returns `api.us.example.com`, `us.example.com` and `api-us.example.com` without `us`. Null if the name does not
 * contain it.
 */
function withoutRegion(name: string, region: string): string | null {
  const labels = withoutPort(name.toLowerCase()).split('.')
  const cut = labels.map(label => {
    if (label === region) return ''
    if (label.endsWith(`-${region}`)) return label.slice(0, -region.length - 1)
    return label.startsWith(`${region}-`) ? label.slice(region.length + 1) : label
  })
  const rest = cut.filter(label => label !== '').join('.')
  return rest === labels.join('.') || rest === '' ? null : rest
}

function refuse(hosts: HostMap, host: string): never {
  const regions = Object.entries(hosts)
  if (regions.some(([region, name]) => withoutRegion(name, region) === withoutPort(host))) {
    const allowed = regions.map(([region, name]) => `${region} (${name})`).join(', ')
    throw new PlatformError(
      'HOST_WITHOUT_REGION',
      `The host "${host}" names no region. Use the host of one of the regions: ${allowed}.`,
    )
  }
  throw new PlatformError('ROUTE_NOT_FOUND', `There is no such path on the host "${host}".`)
}

/**
 * Returns the region of a request: that of the host it came to. Null when the host has none, or when no hosts are set
 * (contract/accounts-and-keys.md, Hosts and regions).
 *
 * @throws ROUTE_NOT_FOUND when the family is not served on that host
 * @throws HOST_WITHOUT_REGION when it is a base host that names no region
 */
export function requestRegion(
  hosts: Settings['hosts'],
  family: Family,
  hostHeader: string | undefined,
): string | null {
  if (hosts === null) return null
  const host = plainHost(hostHeader)
  const group = HOST_GROUP[family]
  if (group === null)
    return regionOf(hosts.base, host) ?? regionOf(hosts.platform, host) ?? regionOf(hosts.messaging, host)
  const region = regionOf(hosts[group], host)
  return region ?? refuse(group === 'base' ? hosts.base : {}, host)
}

/** Reports whether a family is served on that host: for sockets, which have no HTTP answer of a family (HT33). */
export function isHostOf(hosts: Settings['hosts'], family: Family, hostHeader: string | undefined): boolean {
  const group = HOST_GROUP[family]
  return hosts === null || group === null || regionOf(hosts[group], plainHost(hostHeader)) !== null
}
