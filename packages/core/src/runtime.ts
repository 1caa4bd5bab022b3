export type { Attachment, CallAction, RuntimePart } from './domain/conversation/runtime-part.ts'
export { shortened, startOf, wellFormed, wellFormedText } from './domain/cut-text.ts'
export { digestOf } from './domain/digest.ts'
export { decodeBody } from './domain/external-event/decode.ts'
export { foldText, segmentsOf } from './domain/text/fold-text.ts'
export { dot } from './domain/unit-vectors.ts'
export { guardLog } from './guarded/log.ts'
export type {
  AgentContent,
  AgentRuntime,
  FunctionCall,
  FunctionDescription,
  FunctionEvent,
  HistoryLine,
  RuntimeInput,
  RuntimeTurn,
} from './ports/agent-runtime.ts'
export type { Background, Steps } from './ports/background.ts'
export { createContentCache } from './runtime/content-cache.ts'
export {
  type Action,
  actionsOf,
  type ExpandedText,
  expandActions,
  expandAttributes,
} from './runtime/expansions.ts'
export { greet } from './runtime/greet.ts'
export { expecting, MEMORY_KEY, type Memory, readMemory } from './runtime/memory.ts'
export { embedWithin } from './shared/embed-within.ts'
export { systemBackground } from './system/system.ts'
