import type { HttpRequest } from './route.ts'

/** The host of a page's origin as its own requests name it: with a port where it is not the scheme's. */
const hostOfOrigin = (origin: string): string | null =>
  URL.canParse(origin) ? new URL(origin).host.toLowerCase() : null

/** The same host without a port that its scheme implies. */
const plainHost = (host: string, origin: string): string => {
  const implied = origin.toLowerCase().startsWith('https:') ? ':443' : ':80'
  const given = host.toLowerCase()
  return given.endsWith(implied) ? given.slice(0, -implied.length) : given
}

/**
 * True for a request of a page of the host that it came to, at the same port, and of what is no page: browsers say
 * where a page comes from, others need not (PE4).
 */
export const isOwnOrigin = ({ origin, host = '' }: HttpRequest['headers']): boolean =>
  origin === undefined || hostOfOrigin(origin) === plainHost(host, origin)
