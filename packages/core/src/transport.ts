export { isSameHost, normalizeHost, originMatches } from './domain/access/host-match.ts'
export { networkOf } from './domain/access/network.ts'
export { RECORDED_FRAME, RECORDED_RATE, recordingPartId } from './domain/conversation/call-recording.ts'
export type { Rating } from './domain/conversation/rating.ts'
export type { HeardMark, SpokenTurn } from './domain/conversation/spoken.ts'
export type { Family } from './domain/family.ts'
export { createFetchHandler, type FetchHandler, type FetchHandlerOptions } from './fetch/fetch-handler.ts'
export { type NextRouteHandlers, toNextRouteHandler } from './fetch/next-route.ts'
export { onePerProcess } from './fetch/one-per-process.ts'
export { authenticateSecret, type SecretOrigin } from './http/authorize.ts'
export { correlationOf } from './http/correlation.ts'
export { type DeskWatch, openDeskConnection } from './http/desk-connection.ts'
export { admitToDesk, type DeskAdmission, refuseFromDesk } from './http/desk-socket.ts'
export {
  createDispatcher,
  type Dispatcher,
  type DispatcherOptions,
  type RefusedRequest,
} from './http/dispatcher.ts'
export { dispatcherOf, type Mountable } from './http/dispatcher-of.ts'
export { type Client, clientOf, hostAmbiguity, type Peer, type TrustProxy } from './http/forwarded.ts'
export { isHostOf } from './http/hosts.ts'
export { handleOneHost } from './http/one-host.ts'
export { isOwnOrigin } from './http/own-origin.ts'
export { createPeopleDispatcher, type PeopleOptions } from './http/people-dispatcher.ts'
export type { SignIn } from './http/people-gate.ts'
export { platformClosed } from './http/platform-closed.ts'
export { createProbes, type MetricsText, type ProbeOptions } from './http/probes.ts'
export {
  bodyReadBefore,
  bodyTooLarge,
  bodyTooSlow,
  bodyUnwritable,
  contentTypeRefused,
} from './http/read-json.ts'
export { RESPONSE_HEADERS, type ResponseHeaderChanges, responseHeaders } from './http/response-headers.ts'
export type { HttpRequest, HttpResponse, Route } from './http/route.ts'
export { auditEntryOnWire } from './http/routes/audit-log.ts'
export {
  accountOnWire,
  apiKeyOnWire,
  connectorOnWire,
  contextKeyOnWire,
  tokenKeysOnWire,
} from './http/routes/operator.ts'
export { routes } from './http/routes.ts'
export { CLOSE_CODES, CLOSE_TEXTS, type CloseReason } from './protocol/close-codes.ts'
export { createEventNames, type EventNames, type EventType } from './protocol/event-names.ts'
export { MESSAGING_TEXTS } from './protocol/http-errors.ts'
export { piecesOf } from './shared/pieces.ts'
export { createShares, type Shares } from './shared/shares.ts'
export type { AdmittedCall, CallInput } from './usecases/messaging/admit-call.ts'
export type { PageRequest, PageVerdict, VisitorCredential } from './usecases/messaging/admit-page.ts'
export type {
  CallConnection,
  CallProgress,
  Connection,
  ConnectionPort,
} from './usecases/messaging/connection-port.ts'
export type {
  NewSessionInput,
  SessionCall,
  SessionOptions,
  SessionRequest,
} from './usecases/messaging/create-session.ts'
export type { LiveAnswer } from './usecases/messaging/event-stream.ts'
export type { Handshake, HandshakeInput, HandshakeRefusal } from './usecases/messaging/handshake.ts'
export type { AccessTokenInput } from './usecases/messaging/issue-access-token.ts'
export type { Messaging } from './usecases/messaging/messaging.ts'
export type { OpenedPhoneCall, PhoneCall, PhoneState } from './usecases/messaging/phone-calls.ts'
export type { PostedEvents } from './usecases/messaging/post-events.ts'
export type { SessionRating } from './usecases/messaging/rate-session.ts'
export type { SessionFile, SessionFileWanted, SessionOfVisitor } from './usecases/messaging/session-files.ts'
export type { CallRecorder, KeptRecording } from './usecases/records/call-recorder.ts'
