export { isSameHost, normalizeHost, originMatches } from './domain/access/host-match.ts'
export type { Family } from './domain/family.ts'
export { createFetchHandler, type FetchHandler, type FetchHandlerOptions } from './fetch/fetch-handler.ts'
export { correlationOf } from './http/correlation.ts'
export { admitToDesk, type DeskAdmission, refuseFromDesk } from './http/desk-socket.ts'
export { deskEventOnWire } from './http/desk-wire.ts'
export {
  createDispatcher,
  type Dispatcher,
  type DispatcherOptions,
  type RefusedRequest,
} from './http/dispatcher.ts'
export { type Client, clientOf, hostAmbiguity, type Peer, type TrustProxy } from './http/forwarded.ts'
export { isHostOf } from './http/hosts.ts'
export { platformClosed } from './http/platform-closed.ts'
export { bodyReadBefore, bodyTooLarge, bodyTooSlow, bodyUnwritable } from './http/read-json.ts'
export { RESPONSE_HEADERS, type ResponseHeaderChanges } from './http/response-headers.ts'
export type { HttpRequest, HttpResponse, Route } from './http/route.ts'
export { auditEntryOnWire } from './http/routes/audit-log.ts'
export { accountOnWire, apiKeyOnWire, connectorOnWire, tokenKeysOnWire } from './http/routes/operator.ts'
export { routes } from './http/routes.ts'
export { CLOSE_CODES, CLOSE_TEXTS, type CloseReason } from './protocol/close-codes.ts'
export { MESSAGING_TEXTS } from './protocol/http-errors.ts'
export type { PageRequest, PageVerdict, VisitorCredential } from './usecases/messaging/admit-page.ts'
export type { Connection, ConnectionPort } from './usecases/messaging/connection-port.ts'
export type { NewSessionInput } from './usecases/messaging/create-session.ts'
export type { Handshake, HandshakeInput, HandshakeRefusal } from './usecases/messaging/handshake.ts'
export type { AccessTokenInput } from './usecases/messaging/issue-access-token.ts'
export type { Messaging } from './usecases/messaging/messaging.ts'
