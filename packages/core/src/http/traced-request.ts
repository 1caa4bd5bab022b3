import type { Clock } from '../ports/clock.ts'
import { type GuardedTelemetry, NO_SPAN } from '../ports/telemetry.ts'
import type { HttpRequest, HttpResponse } from './route.ts'
import type { RouteMatch } from './route-table.ts'

/**
 * Returns the route under which a request is counted. Never a path as it came, because of those there are any number.
 */
const routeOf = (match: RouteMatch | null): string => (match?.type === 'route' ? match.route.path : '')

/** Answers a request as an operation of its own (OB11), and measures it (PM1). */
export async function tracedRequest(
  { telemetry, clock }: { readonly telemetry: GuardedTelemetry; readonly clock: Pick<Clock, 'monotonic'> },
  match: RouteMatch | null,
  { method }: Pick<HttpRequest, 'method'>,
  work: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const route = routeOf(match)
  const began = clock.monotonic()
  const fields = { 'http.request.method': method, 'http.route': route }
  const name = `${method} ${route}`.trim()
  const span = telemetry.begin?.({ kind: 'request', name, fields }) ?? NO_SPAN
  const response = await span.within(work)
  const { status } = response
  span.set({ 'http.response.status_code': status })
  span.end(status >= 500 ? String(status) : null)
  telemetry.measure('colloquy.request.duration', clock.monotonic() - began, { method, route, status })
  return response
}
