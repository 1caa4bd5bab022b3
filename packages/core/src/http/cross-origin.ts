import { isOrigin } from '../domain/access/host-match.ts'
import { type Brand, brandedHeader } from '../domain/brand.ts'
import { PlatformError } from '../errors.ts'
import type { Platform } from '../platform.ts'
import { MESSAGING_TEXTS } from '../protocol/http-errors.ts'
import type { HttpRequest } from './route.ts'
import type { RouteMatch, RouteTable } from './route-table.ts'

type Headers = Readonly<Record<string, string>>

/**
 * Headers that a visitor's page may send besides the correlation id: its credentials, which are tokens, not cookies.
 */
const requestHeaders = (brand: Brand): readonly string[] => [
  ...['authorization', 'content-type', 'x-token', 'x-host'],
  brandedHeader(brand, 'Auth-Token'),
]

/** The time for which a browser may cache a preflight response, seconds. */
const REMEMBERED = 86_400

const refused = () => new PlatformError('MESSAGING_ORIGIN', MESSAGING_TEXTS.origin)

/** A page's request: the headers that let the page read the answer, and the reason why it is refused, if so. */
interface Admission {
  /** Null: none. */
  readonly headers: Headers | null
  readonly refusal: PlatformError | null
}

/** A program other than a page, or a route that answers no pages of other origins. */
const UNCONCERNED: Admission = { headers: null, refusal: null }

/**
 * Reports whether a page may be concerned. False for programs that are no pages, and for routes that answer no pages of
 * other origins.
 */
export const mayConcernPage = (match: RouteMatch | null, { headers }: HttpRequest): boolean =>
  headers.origin !== undefined && match?.type === 'route' && match.route.admitPage !== undefined

/**
 * Checks the page that makes a request, and lets it read the answer (HY2, HY3): a page on a host of the connector whose
 * credential the request brings. An invalid credential is refused by the route in its own words, and no page reads
 * them. Other programs send no `Origin` and are not concerned.
 *
 * @param correlation the names of the correlation header
 */
export async function admitPage(
  platform: Platform,
  match: RouteMatch | null,
  request: HttpRequest,
  correlation: readonly string[],
): Promise<Admission> {
  const { origin } = request.headers
  if (origin === undefined || match?.type !== 'route' || match.route.admitPage === undefined)
    return UNCONCERNED
  const { readable, refusal } = await match.route.admitPage({ platform, request, origin })
  if (!readable) return { headers: null, refusal }
  const headers = {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': ['Retry-After', ...correlation].join(', '),
  }
  return { headers, refusal }
}

/** The answer to a browser that asks whether a page may send its request. */
export interface Preflight {
  readonly status: 204
  readonly headers: Headers
  readonly body: null
  readonly chunks: null
}

/**
 * Answers a browser that asks on behalf of a page (HY1); null for any other request. The question brings no credential,
 * so it is not known yet whose page it is: every page may ask, and only the request itself is checked.
 *
 * @param names the brand, and the names of the correlation header
 * @throws MESSAGING_ORIGIN for a page without an origin of its own
 */
export function answerPreflight(
  table: RouteTable,
  { headers, method, path }: Pick<HttpRequest, 'headers' | 'method' | 'path'>,
  { brand, correlation }: { readonly brand: Brand; readonly correlation: readonly string[] },
): Preflight | null {
  const { origin, 'access-control-request-method': wanted } = headers
  if (method !== 'OPTIONS' || origin === undefined || wanted === undefined) return null
  const match = table.match(wanted, path)
  if (match?.type !== 'route' || match.route.admitPage === undefined) return null
  if (!isOrigin(origin)) throw refused()
  return {
    status: 204,
    headers: {
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Allow-Methods': match.route.method,
      'Access-Control-Allow-Headers': [...requestHeaders(brand), ...correlation].join(', '),
      'Access-Control-Max-Age': String(REMEMBERED),
      Vary: 'Origin',
    },
    body: null,
    chunks: null,
  }
}

/** Returns the `Vary` header for routes whose response depends on the page, for caches (HY2). Null for other routes. */
export const variesByOrigin = (match: RouteMatch | null): Headers | null =>
  match?.type === 'route' && match.route.admitPage !== undefined ? { Vary: 'Origin' } : null
