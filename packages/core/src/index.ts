export { type ErrorCode, isPlatformError, PlatformError } from './errors.ts'
export { createDispatcher, type Dispatcher, type DispatcherOptions } from './http/dispatcher.ts'
export { type Client, clientOf, type Peer, type TrustProxy } from './http/forwarded.ts'
export { bodyTooLarge } from './http/read-json.ts'
export type { Family, HttpRequest, HttpResponse, Route } from './http/route.ts'
export { routes } from './http/routes.ts'
export type { Platform } from './platform.ts'
export { CLOSE_CODES, CLOSE_TEXTS, type CloseReason } from './protocol/close-codes.ts'
export { MESSAGING_TEXTS } from './protocol/http-errors.ts'
export type { Settings } from './settings.ts'
export type {
  Connection,
  ConnectionPort,
  Handshake,
  HandshakeRefusal,
  Messaging,
} from './usecases/messaging/messaging.ts'
