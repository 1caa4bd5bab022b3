export type { TokenKey } from './domain/access/token-key.ts'
export type { DeletedAgent, Revision } from './domain/agent/agent.ts'
export { takenTestRun } from './domain/agent/test-run.ts'
export { type BoundedPage, boundedPage } from './domain/bounded-page.ts'
export { claimReach } from './domain/claim-reach.ts'
export type { RecordText, TurnText } from './domain/conversation/record.ts'
export {
  holdWords,
  type Speaker,
  type TurnTexts,
  type TurnWords,
  turnTexts,
  turnWords,
  type WordCondition,
} from './domain/conversation/turn-words.ts'
export type { JoinedWait } from './domain/conversation/waiting-line.ts'
export type { RealTimeConfig } from './domain/real-time-config/real-time-config.ts'
export { deliveryId, newDelivery } from './domain/webhook/webhook.ts'
export type { AccessStore, CreatedFilter, CreatedPlace, CredentialFilter } from './ports/access-store.ts'
export type { AgentStore, MainCommit, NewAgent, ResourceFilter } from './ports/agent-store.ts'
export type { AuditFilter, AuditPlace, AuditStore, KeptAuditEntry } from './ports/audit-store.ts'
export type {
  ActivityIntervals,
  AppendResult,
  ConversationAppend,
  ConversationScope,
  ConversationStore,
  ConversationWrite,
  EventPage,
  EventPageBounds,
  ExternalEvent,
  HandoffEntry,
  IntervalConditions,
  IntervalFilter,
  RecordFilter,
  RecordPage,
  RecordPosition,
  RemovalStep,
  StoredConversation,
  TurnPage,
} from './ports/conversation-store.ts'
export type { Store } from './ports/store.ts'
export type { TestRunFilter, TestRunStore, TestRunWithResults } from './ports/test-run-store.ts'
export type {
  ClaimedTurnVectors,
  RecordPlace,
  TurnClaim,
  TurnToEmbed,
  TurnVectorStore,
  TurnVectors,
  VectorStep,
} from './ports/turn-vector-store.ts'
export type {
  ClaimedDelivery,
  DeliveryFilter,
  DeliveryReach,
  EndpointFilter,
  ListedDelivery,
  WebhookStore,
} from './ports/webhook-store.ts'
