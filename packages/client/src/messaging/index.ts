export { fromConnector, type GrantedToken } from './connector-token.ts'
export type {
  Attachment,
  CallAction,
  EventName,
  EventPayloads,
  Level,
  SentFile,
  ServerEvent,
  Suggestion,
  TakenFiles,
} from './events.ts'
export type { EndReason, Handoff, Message, Notice, Server, Speaker } from './log.ts'
export { type ClientPlatform, createMessaging, type Messaging, type MessagingOptions } from './messaging.ts'
export type {
  Fetch,
  HttpAnswer,
  MessagingSocket,
  MessagingStorage,
  Network,
  OpenSocket,
  SocketEvent,
  StorageArea,
  Timing,
} from './ports.ts'
export { RefusedError } from './refused-error.ts'
export type { Conversation, Problem, Status } from './state.ts'
export { browserStorage, memoryStorage } from './storage.ts'
