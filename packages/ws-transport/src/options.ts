import { Server } from 'node:http'
import { Server as SecureServer } from 'node:https'
import { PlatformError, refuseNumbers, refuseUnknown } from '@colloquy/core'
import { normalizeHost, type TrustProxy } from '@colloquy/core/transport'

/** Options of an endpoint, all of them optional. Times are milliseconds. */
export interface EndpointOptions {
  /**
   * The path that is claimed on the server's upgrade event.
   * @default "/ws" for visitors, "/desk/v1/ws" for the desk; on a server without other upgrade handlers also below
   * every
   *   mount path, as in "/talk/ws"
   */
  readonly path?: string
  /**
   * Number of proxies in front of the server whose `X-Forwarded-For`, `-Proto` and `-Host` are trusted; `true` is one.
   * Set it only if there is such a proxy: otherwise any client can forge these headers.
   * @default false
   */
  readonly trustProxy?: TrustProxy
  /** Accept plain-text sockets from anywhere: for development and closed networks. @default false */
  readonly allowInsecure?: boolean
  /**
   * Most bytes that may wait for a slow client, in addition to the newest frame. A client beyond that is closed with
   * 1013.
   * @default 1048576
   */
  readonly maxBufferedBytes?: number
  /** Time limit for the checks of a handshake, and for a client to read its refusal. @default 10000 */
  readonly handshakeTimeout?: number
  /** Handshakes that are checked at a time; further ones are answered 429 meanwhile. @default 1000 */
  readonly maxHandshakes?: number
  /**
   * Interval at which silent peers are probed. A peer that has not answered by the next probe is dropped. @default
   * 30000
   */
  readonly pingInterval?: number
  /** Time limit for a peer to answer a close before it is cut off. @default 30000 */
  readonly closeTimeout?: number
  /** The time-out of `close()`, which callers wait for. @default 3000 */
  readonly drainTimeout?: number
}

/** The refusal while `maxHandshakes` are being checked. */
export const TOO_MANY_HANDSHAKES = 'Too many connections are being opened at once. Try again in a moment.'

/** Delay after which a refused client may retry, seconds. */
export const HANDSHAKE_WAIT = 1

/** The options of the desk's socket. */
export interface DeskOptions extends EndpointOptions {
  /**
   * Domains whose pages may open the desk's socket, subdomains included, besides the server's own host. Programs other
   * than browsers send no `Origin` and are not concerned.
   * @default none
   */
  readonly pageHosts?: readonly string[]
}

/** Every option: another one is refused (EM4). */
const OPTIONS: Readonly<Record<keyof EndpointOptions, true>> = {
  path: true,
  trustProxy: true,
  allowInsecure: true,
  maxBufferedBytes: true,
  handshakeTimeout: true,
  maxHandshakes: true,
  pingInterval: true,
  closeTimeout: true,
  drainTimeout: true,
}

const NUMBERS = {
  ...{ maxBufferedBytes: { least: 1 }, handshakeTimeout: { least: 1 }, maxHandshakes: { least: 0 } },
  ...{ pingInterval: { least: 1 }, closeTimeout: { least: 1 }, drainTimeout: { least: 0 } },
}

/** An app hears of no upgrade, only its server does (EM4). @throws SCHEMA_VALIDATION_FAILED */
export function requireServer(where: string, server: unknown): void {
  if (server instanceof Server || server instanceof SecureServer) return
  const message = `${where} takes an HTTP or HTTPS server first. Pass the server that createServer(app) or app.listen() returns.`
  throw new PlatformError('SCHEMA_VALIDATION_FAILED', message)
}

/**
 * Returns the options with their defaults.
 *
 * @param where whose options they are; `further` ones are read elsewhere
 * @throws Error when no request could ever have the path
 * @throws SCHEMA_VALIDATION_FAILED for an unknown option, and a number outside its range (EM4)
 */
export function withDefaults(
  where: string,
  options: EndpointOptions,
  path: string,
  further: readonly string[] = [],
): Required<EndpointOptions> {
  refuseUnknown(where, options, [...Object.keys(OPTIONS), ...further])
  refuseNumbers(options, NUMBERS)
  return {
    path: checkedPath(options.path ?? path),
    trustProxy: options.trustProxy ?? false,
    allowInsecure: options.allowInsecure ?? false,
    maxBufferedBytes: options.maxBufferedBytes ?? 1_048_576,
    handshakeTimeout: options.handshakeTimeout ?? 10_000,
    maxHandshakes: options.maxHandshakes ?? 1_000,
    pingInterval: options.pingInterval ?? 30_000,
    closeTimeout: options.closeTimeout ?? 30_000,
    drainTimeout: options.drainTimeout ?? 3_000,
  }
}

function checkedPath(path: string): string {
  if (URL.canParse(path, 'http://host') && new URL(path, 'http://host').pathname === path) return path
  throw new Error(
    `The path of an endpoint must begin with a slash, and be encoded as in an address, without a query, not ${JSON.stringify(path)}.`,
  )
}

/** Domains in the form in which they are compared. @throws Error naming an invalid one */
export const checkedHosts = (given: readonly string[]): readonly string[] =>
  given.map(host => {
    const name = normalizeHost(host)
    if (name === null)
      throw new Error(`A page's host must be a domain or an origin, not ${JSON.stringify(host)}.`)
    return name
  })
