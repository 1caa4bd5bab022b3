import type { Principal } from '../domain/access/principal.ts'
import type { Platform } from '../platform.ts'
import { authenticate } from './authorize.ts'
import { requestRegion } from './hosts.ts'
import type { HttpRequest, Route } from './route.ts'
import type { RouteMatch } from './route-table.ts'

/** The access check: the part of a dispatcher that differs between programs with keys and people. */
export interface Gate {
  /** Reports whether the route is served at all. A path without a served route counts as unknown. */
  opens(route: Route): boolean
  /** Returns the region of a request. Null if there is none. @throws ROUTE_NOT_FOUND, HOST_WITHOUT_REGION */
  regionOf(match: RouteMatch, request: HttpRequest): string | null
  /** Returns the caller of the request. @throws AUTH_USER_UNAUTHORISED, USER_ACCESS_FORBIDDEN, RATE_LIMITED */
  authenticate(route: Route, request: HttpRequest, region: string | null): Promise<Principal>
}

/** Admits the holders of API keys, and visitors. */
export const keyGate = (platform: Platform): Gate => ({
  opens: () => true,
  regionOf: ({ family }, { headers }) => requestRegion(platform.settings.hosts, family, headers.host),
  authenticate: (route, { headers, remoteAddress }, region) =>
    authenticate(platform, route, headers, { region, remoteAddress }),
})
