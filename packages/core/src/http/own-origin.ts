import type { HttpRequest } from './route.ts'

/** Returns the host of a page's origin as its own requests name it: with a port unless it is the scheme's. */
const hostOfOrigin = (origin: string): string | null =>
  URL.canParse(origin) ? new URL(origin).host.toLowerCase() : null

/** Returns the same host without a port that its scheme implies. */
const plainHost = (host: string, origin: string): string => {
  const implied = origin.toLowerCase().startsWith('https:') ? ':443' : ':80'
  const given = host.toLowerCase()
  return given.endsWith(implied) ? given.slice(0, -implied.length) : given
}

/**
 * Reports whether a request is from a page of the host that it came to, at the same port, or from no page. Browsers say
 * where a page comes from, others need not (PE4).
 */
export const isOwnOrigin = ({ origin, host = '' }: HttpRequest['headers']): boolean =>
  origin === undefined || hostOfOrigin(origin) === plainHost(host, origin)
