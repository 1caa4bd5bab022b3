export type { HandoffSettings } from './access/access.ts'
export type { Conflict, ConflictType, Difference, Resolution } from './agent/conflict.ts'
export {
  type Attribute,
  type Behavior,
  CONTENT_LIMITS,
  type ContentTree,
  RESOURCE_SCHEMAS,
  type Resource,
  type ResourceChange,
  type ResourceKind,
  type ResourceValues,
  type ResponseSettings,
  resourceKey,
  type Topic,
  type Variant,
} from './agent/content.ts'
export { contentHash } from './agent/content-hash.ts'
export { type MergePreview, type MergeResult, type MergeSides, merge, previewMerge } from './agent/merge.ts'
export { nextEnvironment, promotionTarget } from './agent/promotion.ts'
export { type ContentFault, contentFaults } from './agent/sound-content.ts'
export type { Expectations, FunctionResult, TestCase } from './agent/test-case.ts'
export {
  applyChanges,
  type ChangedResource,
  changedResources,
  diff,
  isKind,
  isWrite,
  nameOf,
  parseResource,
  type ResourceOf,
  removal,
  sameResource,
  treeOf,
} from './agent/tree.ts'
export type { ActivityBlock, ActivityColumns } from './concurrency/activity.ts'
export { joinPeaks, joinVariants, type PartPeaks } from './concurrency/join.ts'
export { peakPerWindow, peaksByVariant, type VariantPeaks } from './concurrency/peaks.ts'
export { partsOf, roundOutward, type TimeRange, WINDOW, type WindowRange } from './concurrency/window.ts'
export type {
  ClientOrigin,
  Command,
  Pinning,
  RecordedEnd,
  RecordedTurn,
  Refusal,
  TurnFailure,
  TurnReply,
} from './conversation/command.ts'
export { DEFAULT_RULES } from './conversation/default-rules.ts'
export type { Asked, Decision, Draft, Effect, MachineRules } from './conversation/draft.ts'
export {
  type ConversationEvent,
  type CustomMetadata,
  clientIds,
  type EventDraft,
  JOURNALED_EVENT_TYPES,
  type JournaledEventType,
  type NewEvent,
  TRANSIENT_EVENT_TYPES,
  type TransientEvent,
  type TransientEventType,
} from './conversation/event.ts'
export { initialState, type NewConversation } from './conversation/initial-state.ts'
export {
  type Move,
  OWNERSHIP,
  ownershipDiagram,
  SIGNALS,
  type Signal,
  STAGES,
  type Stage,
} from './conversation/ownership.ts'
export { pendingMessages } from './conversation/pending-messages.ts'
export {
  projectIndex,
  projectRecord,
  RECORD_DESCRIPTIONS,
  type RecordField,
} from './conversation/project-record.ts'
export { projectTurn, type TurnDescription } from './conversation/project-turn.ts'
export type { ConversationIndex, RecordHead, StoredTurn } from './conversation/record.ts'
export {
  type ActiveTurn,
  type ConversationKind,
  type ConversationState,
  type EndReason,
  type Handoff,
  isGenuine,
  OWNERS,
  type Owner,
  type PendingDelivery,
  type RecordFacts,
  type TurnInput,
} from './conversation/state.ts'
export { transition } from './conversation/transition.ts'
export { wakeAt } from './conversation/wake.ts'
export { ENVIRONMENTS, type Environment, isEnvironment } from './environment.ts'
export type {
  AccountId,
  AgentId,
  ConnectorId,
  ConversationId,
  DeploymentId,
  HandoffId,
  TurnId,
} from './ids.ts'
export { isJsonArray, isJsonObject, type Json, type JsonObject } from './json.ts'
export { keywordOf, type TextKeyword } from './text/text-pair.ts'
