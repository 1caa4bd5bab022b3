import {
  createDispatcher,
  type DispatcherOptions,
  type Platform,
  routes,
  type TrustProxy,
} from '@colloquy/core'
import { answerWith, type Middleware, middlewareFor } from './middleware.ts'

export type { Middleware } from './middleware.ts'
export type { IncomingRequest } from './request.ts'

export interface RouterOptions extends DispatcherOptions {
  /**
   * How many proxies in front of the server are believed in their `X-Forwarded-For`, `-Proto` and `-Host`; `true` is one.
   * Only with such a proxy: otherwise anybody can write these headers.
   * @default false
   */
  readonly trustProxy?: TrustProxy
}

/**
 * The HTTP families of a platform as one middleware for Express. It works at any mount path, before or after body parsers, and
 * calls `next` for paths that are not the platform's. A body that a parser has read is taken from `request.body`, or
 * byte for byte from `request.rawBody` where that is kept.
 */
export const createRouter = (platform: Platform, options: RouterOptions = {}): Middleware =>
  middlewareFor(createDispatcher(platform, routes, options), options.trustProxy ?? false)

/** The same for a bare `node:http` server, where every path is the platform's: unknown ones are answered with 404. */
export const createRequestListener = (platform: Platform, options: RouterOptions = {}) =>
  answerWith(createDispatcher(platform, routes, options), options.trustProxy ?? false)
