export { type ErrorCode, isPlatformError, PlatformError } from './errors.ts'
export { createDispatcher, type Dispatcher, type DispatcherOptions } from './http/dispatcher.ts'
export { type Client, clientOf, type Peer, type TrustProxy } from './http/forwarded.ts'
export { bodyTooLarge } from './http/read-json.ts'
export type { Family, HttpRequest, HttpResponse, Route } from './http/route.ts'
export { routes } from './http/routes.ts'
export type { Platform } from './platform.ts'
export type {
  AgentContent,
  AgentFunction,
  AgentRuntime,
  Attachment,
  FunctionCall,
  FunctionConversation,
  FunctionEvent,
  HistoryLine,
  RuntimeInput,
  RuntimePart,
  RuntimeTurn,
} from './ports/agent-runtime.ts'
export { type Action, actionsOf, type ExpandedText, expandAttributes } from './runtime/expansions.ts'
export { buildTopicIndex, type TopicIndex, type TopicMatch } from './runtime/index/topic-index.ts'
export { ENGLISH_PHRASES, type PhraseBook, type Phrases } from './runtime/phrases.ts'
export { createRetrievalRuntime } from './runtime/retrieval-runtime.ts'
export type { RetrievalRuntimeOptions } from './runtime/scope.ts'
