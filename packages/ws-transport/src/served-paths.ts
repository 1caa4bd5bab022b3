import type { Server } from 'node:http'
import type { Server as SecureServer } from 'node:https'

/** Paths that an endpoint of a server serves. */
export interface Served {
  readonly path: string
  /** True if the host named no path: then the endpoint serves its path below every mount of the platform (MS24). */
  readonly anyMount: boolean
}

/** Finds the endpoint that serves a path: the one of that very path, else the longest that ends it below a mount. */
export function serverOf<Endpoint extends Served>(
  endpoints: readonly Endpoint[],
  pathname: string,
): Endpoint | null {
  const exact = endpoints.find(({ path }) => path === pathname)
  if (exact !== undefined) return exact
  const below = endpoints.filter(({ path, anyMount }) => anyMount && pathname.endsWith(path))
  return below.toSorted((one, other) => other.path.length - one.path.length)[0] ?? null
}

/** Most paths of a server that are warned about. Anyone may request any path. */
const MAX_WARNED = 10

const MAX_SHOWN = 200

const warned = new WeakMap<object, Set<string>>()

/** Warns once of a socket that was asked for at a path that no endpoint serves, with the remedy. */
export function warnOfUnserved(
  server: Server | SecureServer,
  pathname: string,
  endpoints: readonly Served[],
): void {
  const known = warned.get(server) ?? new Set()
  warned.set(server, known)
  if (known.has(pathname) || known.size >= MAX_WARNED) return
  known.add(pathname)
  const shown = pathname.slice(0, MAX_SHOWN)
  const served = endpoints.map(({ path }) => path).join(', ')
  process.emitWarning(
    `A client asked for a socket at ${shown}, which no endpoint of Colloquy serves. Served: ${served}. Where the platform is mounted there, name the path: attachMessaging(server, platform, { path: ${JSON.stringify(shown)} }).`,
    { code: 'COLLOQUY_SOCKET_PATH' },
  )
}
