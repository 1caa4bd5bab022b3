import type { ServerResponse } from 'node:http'
import { refuseNumbers } from '@colloquy/core'
import {
  type DispatcherOptions,
  dispatcherOf,
  type Mountable,
  type TrustProxy,
} from '@colloquy/core/transport'
import type { Answering } from './attach-error-answers.ts'
import { answerWith, type Middleware, middlewareFor } from './middleware.ts'

import type { IncomingRequest, Intake } from './request.ts'

export { type Answering, attachErrorAnswers, type ErrorAnswersOptions } from './attach-error-answers.ts'
export {
  createExpressServer,
  type ExpressApplication,
  type ExpressPrototypes,
  expressPrototypes,
} from './express-server.ts'
export type { Middleware } from './middleware.ts'
export type { IncomingRequest } from './request.ts'

export interface RouterOptions extends DispatcherOptions {
  /**
   * Number of proxies in front of the server whose `X-Forwarded-For`, `-Proto` and `-Host` are trusted; `true` is one.
   * Set it only if there is such a proxy: otherwise any client can forge these headers.
   * @default false
   */
  readonly trustProxy?: TrustProxy
  /**
   * Time limit for receiving the body of a request, milliseconds. After it the response is 408. The time limit for a
   * request's head is the server's own: `headersTimeout` of Node.
   * @default 30000
   */
  readonly requestTimeout?: number
  /**
   * Time limit for a client to read a response, milliseconds, from its first byte. After it the connection is closed.
   * @default 120000
   */
  readonly answerTimeout?: number
}

/** Every option of its own: another one is refused (EM4). */
const OPTIONS: Readonly<Record<Exclude<keyof RouterOptions, keyof DispatcherOptions>, true>> = {
  trustProxy: true,
  requestTimeout: true,
  answerTimeout: true,
}

const OWN = Object.keys(OPTIONS)

/** @throws SCHEMA_VALIDATION_FAILED for a number outside its range (EM4) */
function intakeOf(options: RouterOptions): Intake {
  refuseNumbers(options, { requestTimeout: { least: 1 }, answerTimeout: { least: 1 } })
  const { trustProxy = false, requestTimeout = 30_000, answerTimeout = 120_000 } = options
  return { trustProxy, requestTimeout, answerTimeout }
}

/**
 * Returns the HTTP families of a platform, or a ready dispatcher, as one middleware for Express. It works at any mount
 * path, before or after body parsers, and calls `next` for paths that are not the platform's. A body that a parser has
 * read is taken from `request.body`, or byte for byte from `request.rawBody` where that is kept.
 *
 * @throws SCHEMA_VALIDATION_FAILED for an unknown option or family (EM4)
 */
export function createRouter(mounted: Mountable, options: RouterOptions = {}): Middleware & Answering {
  const dispatcher = dispatcherOf('createRouter', mounted, options, OWN)
  const intake = intakeOf(options)
  const { trustProxy } = intake
  return Object.assign(middlewareFor(dispatcher, intake), { dispatcher, trustProxy, everyPath: false })
}

/**
 * Returns a request listener for a bare `node:http` server, where every path is the platform's: unknown ones are
 * answered with 404.
 */
export function createRequestListener(
  mounted: Mountable,
  options: RouterOptions = {},
): ((request: IncomingRequest, response: ServerResponse) => void) & Answering {
  const dispatcher = dispatcherOf('createRequestListener', mounted, options, OWN)
  const intake = intakeOf(options)
  const { trustProxy } = intake
  return Object.assign(answerWith(dispatcher, intake), { dispatcher, trustProxy, everyPath: true })
}
