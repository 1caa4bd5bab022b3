import type { HttpRequest } from './route.ts'
import type { RouteMatch } from './route-table.ts'

type Headers = Readonly<Record<string, string>>

/** What a visitor's page may send: its credentials, which are tokens and no cookies, and the correlation id. */
const REQUEST_HEADERS = 'authorization, content-type, x-token, x-host'

/** How long a browser may remember the answer to its question, seconds. */
const REMEMBERED = 86_400

/**
 * What lets pages of other origins call messaging (HT29): a visitor's page is another site than the platform. Any origin will
 * do, because no cookie opens anything here; who gets an access token is decided by the connector's hosts. Empty for every
 * other family: their keys must not be in a page.
 *
 * @param correlation the names of the correlation header
 */
export function crossOriginHeaders(
  match: RouteMatch | null,
  { headers }: Pick<HttpRequest, 'headers'>,
  correlation: readonly string[],
): Headers {
  if (match?.family !== 'messaging' || headers.origin === undefined) return {}
  return {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': ['Retry-After', ...correlation].join(', '),
  }
}

/** The answer to a browser that asks whether a page may send its request; null for any other request. */
export function answerPreflight(
  match: RouteMatch | null,
  { headers, method }: Pick<HttpRequest, 'headers' | 'method'>,
  correlation: readonly string[],
): { readonly status: 204; readonly headers: Headers; readonly body: null; pieces: null } | null {
  if (match?.family !== 'messaging' || match.type !== 'wrong_method' || method !== 'OPTIONS') return null
  if (headers.origin === undefined || headers['access-control-request-method'] === undefined) return null
  return {
    status: 204,
    headers: {
      'Access-Control-Allow-Methods': match.allow.join(', '),
      'Access-Control-Allow-Headers': [REQUEST_HEADERS, ...correlation].join(', '),
      'Access-Control-Max-Age': String(REMEMBERED),
    },
    body: null,
    pieces: null,
  }
}
