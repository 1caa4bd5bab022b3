import type { Json, JsonObject } from '../json.ts'

/** The events of a turn beside its text. */
export interface TurnEvents {
  readonly delayed: boolean
  readonly topics: readonly string[]
  readonly sources: readonly string[]
  readonly citedTopic: string
  readonly nodes: readonly string[]
  readonly functions: readonly JsonObject[]
  /** The text, writes and effects of each of those calls. A replay uses them instead of the function (TE44). */
  readonly effects: readonly Json[]
  readonly llmRequests: readonly JsonObject[]
  /** The destination of the handoff. Empty without one. */
  readonly destination: string
  readonly ends: boolean
}

/** The details of a turn in which nothing of that happened. */
const NOTHING = {
  delayed: false,
  retrieved_topics: [],
  retrieved_sources: [],
  cited_topic: '',
  node_trace: [],
  function_events: [],
  llm_requests: [],
  handoff_destination: '',
  ends: false,
} satisfies JsonObject

/**
 * Returns the details of a turn as they are kept: without what is empty, which would be a third of what most turns
 * take. Lists of calls are copied: what is added to them later is not part of the record.
 *
 * @param facts what else the details say
 */
export function turnDetails(facts: JsonObject, events: TurnEvents): JsonObject {
  const details: Record<string, Json> = { ...facts }
  if (events.delayed) details.delayed = true
  if (events.topics.length > 0) details.retrieved_topics = events.topics
  if (events.sources.length > 0) details.retrieved_sources = events.sources
  if (events.citedTopic !== '') details.cited_topic = events.citedTopic
  if (events.nodes.length > 0) details.node_trace = events.nodes
  if (events.functions.length > 0) details.function_events = events.functions.slice()
  if (events.effects.length > 0) details.function_effects = events.effects.slice()
  if (events.llmRequests.length > 0) details.llm_requests = events.llmRequests.slice()
  if (events.destination !== '') details.handoff_destination = events.destination
  if (events.ends) details.ends = true
  return details
}

/** Returns the details with all their fields. */
export const wholeDetails = (details: JsonObject): JsonObject => ({ ...NOTHING, ...details })
