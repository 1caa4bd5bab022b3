import {
  createServer,
  IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  ServerResponse,
} from 'node:http'
import { PlatformError } from '@colloquy/core'

/** The used parts of an Express application: itself, and the prototypes that it gives to requests and responses. */
export type ExpressApplication = RequestListener & {
  readonly request: object
  readonly response: object
}

/** Classes of a Node server's requests and responses: options of `http.createServer` and `https.createServer`. */
export interface ExpressPrototypes {
  readonly IncomingMessage: typeof IncomingMessage
  readonly ServerResponse: typeof ServerResponse
}

/**
 * True where Node's class is a function, which another function can call for an object of its own. `Reflect.construct`
 * would do for both, and takes 20 µs.
 */
const isFunction = (nodes: object): boolean =>
  Object.getOwnPropertyDescriptor(nodes, 'prototype')?.writable === true

/** Declares that a function can be called with `new`, as Node's class can. TypeScript allows that only for classes. */
const standsFor = <Class extends object>(nodes: Class, made: unknown): made is Class =>
  typeof made === 'function' && isFunction(nodes)

/**
 * Returns the function in the place of Node's class, from which it inherits: V8 makes room in an object for what the
 * classes above its own assign, and takes four times as long if there is none.
 */
function standIn<Class extends object>(nodes: Class, made: object): Class {
  const inheriting: unknown = Object.setPrototypeOf(made, nodes)
  return standsFor(nodes, inheriting) ? inheriting : nodes
}

function requestsWith(prototype: object): typeof IncomingMessage {
  function ExpressRequest(this: IncomingMessage, ...given: ConstructorParameters<typeof IncomingMessage>) {
    IncomingMessage.call(this, ...given)
  }
  return standIn(IncomingMessage, Object.assign(ExpressRequest, { prototype }))
}

function responsesWith(prototype: object): typeof ServerResponse {
  function ExpressResponse(this: ServerResponse, ...given: ConstructorParameters<typeof ServerResponse>) {
    ServerResponse.call(this, ...given)
  }
  return standIn(ServerResponse, Object.assign(ExpressResponse, { prototype }))
}

/** @throws SCHEMA_VALIDATION_FAILED */
function checkApplication(where: string, app: unknown): void {
  if (typeof app === 'function' && 'request' in app && 'response' in app) return
  const message = `${where} takes an Express application first. Pass what express() returns.`
  throw new PlatformError('SCHEMA_VALIDATION_FAILED', message)
}

/**
 * Options of a server that is made for an Express application (XP1): its requests and responses have Express's
 * prototypes from the start. Otherwise Express sets them on every request, which is most of what a small request costs
 * there. Nothing else changes. On a Node whose classes cannot be stood in for, the options are Node's own classes, and
 * Express sets its prototypes as before.
 *
 * @throws SCHEMA_VALIDATION_FAILED for anything but an Express application
 */
export function expressPrototypes(app: ExpressApplication): ExpressPrototypes {
  checkApplication('expressPrototypes', app)
  return { IncomingMessage: requestsWith(app.request), ServerResponse: responsesWith(app.response) }
}

/**
 * `http.createServer(options, app)` with {@link expressPrototypes}.
 *
 * @throws SCHEMA_VALIDATION_FAILED for anything but an Express application
 */
export function createExpressServer(
  app: ExpressApplication,
  options: Omit<ServerOptions, keyof ExpressPrototypes> = {},
): Server {
  checkApplication('createExpressServer', app)
  return createServer({ ...options, ...expressPrototypes(app) }, app)
}
