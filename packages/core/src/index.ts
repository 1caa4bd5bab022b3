export { type ErrorCode, isPlatformError, PlatformError } from './errors.ts'
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
