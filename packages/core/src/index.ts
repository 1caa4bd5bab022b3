export type * from './domain/access/access.ts'
export type * from './domain/agent/agent.ts'
export type * from './domain/agent/content.ts'
export { resourceKey } from './domain/agent/content.ts'
export type * from './domain/conversation/event.ts'
export type * from './domain/conversation/record.ts'
export type * from './domain/conversation/state.ts'
export type * from './domain/environment.ts'
export type * from './domain/ids.ts'
export { asId } from './domain/ids.ts'
export type * from './domain/json.ts'
export { type ErrorCode, isPlatformError, PlatformError } from './errors.ts'
export { createDispatcher, type Dispatcher, type DispatcherOptions } from './http/dispatcher.ts'
export { type Client, clientOf, type Peer, type TrustProxy } from './http/forwarded.ts'
export { bodyTooLarge } from './http/read-json.ts'
export type { Family, HttpRequest, HttpResponse, Route } from './http/route.ts'
export { routes } from './http/routes.ts'
export type { Platform } from './platform.ts'
export type * from './ports/access-store.ts'
export type * from './ports/agent-store.ts'
export type * from './ports/conversation-store.ts'
export type * from './ports/store.ts'
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
