import { PlatformError, refuseUnknown } from '@colloquy/core'

const EXAMPLE = "For example createMariaStore({ url: 'mariadb://user:password@localhost:3306/colloquy' })."

const refusal = (message: string): PlatformError =>
  new PlatformError('SCHEMA_VALIDATION_FAILED', `${message} ${EXAMPLE}`)

const MOST_CONNECTIONS = 10_000

/** Messages never show the text itself: it may hold a password. */
function checkUrl(given: unknown): void {
  if (typeof given !== 'string') throw refusal(`url must be a text, not ${typeof given}.`)
  if (!URL.canParse(given)) throw refusal('url must be a URL: it cannot be read as one.')
  const { pathname, protocol, searchParams } = new URL(given)
  if (protocol !== 'mariadb:' && protocol !== 'mysql:')
    throw refusal(`url must begin with mariadb: or mysql:, not ${protocol}`)
  if (!/^\/[^/]+$/.test(pathname)) throw refusal('url must name a database, as /colloquy does.')
  for (const [name, value] of searchParams)
    if (name !== 'ssl' || value !== 'true')
      throw refusal('url takes no parameter but ssl=true: for others hand in a pool.')
}

/** @throws SCHEMA_VALIDATION_FAILED naming the option, and what is allowed (EM4) */
export function checkOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null)
    throw refusal(
      `createMariaStore takes an object of options, not ${options === null ? 'null' : typeof options}.`,
    )
  refuseUnknown('createMariaStore', options, ['url', 'pool', 'maxConnections', 'log'])
  const given = (name: string): unknown => Reflect.get(options, name)
  const [url, pool, most] = [given('url'), given('pool'), given('maxConnections')]
  if ((url === undefined) === (pool === undefined))
    throw refusal('createMariaStore takes a url or a pool: one of them, and not both.')
  if (pool === undefined) checkUrl(url)
  else if (typeof pool !== 'object' || pool === null || !('getConnection' in pool) || !('execute' in pool))
    throw refusal(`pool must be a pool of the package mariadb, not ${typeof pool}.`)
  if (most === undefined) return
  if (pool !== undefined) throw refusal('maxConnections goes with url; a pool that is handed in has its own.')
  if (typeof most !== 'number' || !Number.isInteger(most) || most < 1 || most > MOST_CONNECTIONS)
    throw refusal(
      `maxConnections must be a whole number from 1 to ${MOST_CONNECTIONS}, not ${typeof most === 'number' ? most : typeof most}.`,
    )
}
