import type { Json, JsonObject } from '../json.ts'
import { isoTime } from '../time.ts'
import { publicId } from './conversation-key.ts'
import type { ConversationIndex, RecordHead } from './record.ts'
import { type ConversationState, isGenuine, type RecordFacts } from './state.ts'

/** Every field of a v1 record but `turns`, with what `descriptions` says of it (contract/conversations.md, Record). */
export const RECORD_DESCRIPTIONS = {
  id: 'Unique conversation ID',
  account_id: 'ID of the account',
  project_id: 'ID of the project, which is the agent',
  variant_id: 'ID of the variant that the agent spoke as; empty when it has none',
  variant_name: 'Name of the variant that the agent spoke as; empty when it has none',
  environment: 'Environment of the conversation: live, sandbox or pre-release',
  started_at: 'When the conversation began, ISO 8601 in UTC',
  channel: 'Medium, for example CHAT or VOICE-SIP',
  from_number: "Caller's phone number",
  to_number: 'Number of the agent that the caller reached',
  in_progress: 'Whether the conversation is ongoing, so that its properties may still change',
  num_turns: 'Number of turns',
  total_duration: 'Duration of the whole conversation in seconds',
  ai_duration: 'Seconds handled by the AI agent',
  handoff: 'Whether the agent handed the conversation off',
  handoff_reason: 'Brief reason for the handoff',
  handoff_destination: 'Which destination the handoff used',
  num_silences: 'Number of turns in which the user was silent',
  num_ood: 'Number of out-of-domain turns',
  metrics: 'Metric name mapped to a string, or to an array of at least two strings',
  state: 'Keys mapped to the values written to the dialogue state',
  turns: 'Turns of the conversation, in order',
} as const

/** The name of a v1 record's field. */
export type RecordField = keyof typeof RECORD_DESCRIPTIONS

const seconds = (milliseconds: number): number => Math.max(Math.round(milliseconds / 1000), 0)

/** The channel marks a debug chat in lists; its functions read the channel that it was given (RC58). */
export const channelOf = ({ kind, listed, record }: IndexedState): string =>
  kind === 'debug' && listed ? 'DEBUG' : record.channel

/** Returns the newest instant that a state knows of: until then an unfinished conversation has certainly lasted. */
function lastInstant(state: ConversationState): number {
  const { startedAt, seenAt, turn, record, handoff } = state
  const instants = [seenAt, turn?.startedAt ?? 0, record.aiSince ?? 0, handoff?.requestedAt ?? 0]
  return Math.max(startedAt, ...instants)
}

function aiDuration({ record }: ConversationState, until: number): number {
  const running = record.aiSince === null ? 0 : Math.max(until - record.aiSince, 0)
  return record.aiDuration + running
}

/** A metric is a string or at least two of them: one alone loses its array, none is no metric. */
function metricsOf(state: ConversationState): JsonObject {
  const entries = Object.entries(state.metrics).flatMap(
    ([name, value]): [string, string | readonly string[]][] => {
      if (typeof value === 'string' || value.length > 1) return [[name, value]]
      return value.map(only => [name, only])
    },
  )
  return Object.fromEntries(entries)
}

/**
 * Returns a conversation's record, without its turns, as it stands with this state (contract/conversations.md, Record).
 * Durations of one in progress are as of this state. Its function calls stand in the turns' details.
 */
export function projectRecord(state: ConversationState): RecordHead {
  const { record } = state
  const until = state.endedAt ?? lastInstant(state)
  const summary: Readonly<Record<Exclude<RecordField, 'turns'>, Json>> = {
    id: publicId(state.id),
    account_id: state.accountId,
    project_id: state.agentId,
    variant_id: record.variantId ?? '',
    variant_name: record.variantName ?? '',
    environment: state.environment,
    started_at: isoTime(state.startedAt),
    channel: channelOf(state),
    from_number: record.fromNumber,
    to_number: record.toNumber,
    in_progress: state.endedAt === null,
    num_turns: record.turns,
    total_duration: seconds(until - state.startedAt),
    ai_duration: seconds(aiDuration(state, until)),
    handoff: record.handoff,
    handoff_reason: record.handoffReason,
    handoff_destination: record.handoffDestination,
    num_silences: record.silences,
    num_ood: record.outOfDomain,
    metrics: metricsOf(state),
    state: state.variables,
  }
  const details = {
    finished_at: state.endedAt === null ? null : isoTime(state.endedAt),
    language: record.language ?? '',
    deployment_id: state.deploymentId ?? '',
    direction: record.direction,
    ...(record.rollout === undefined ? {} : { rollout_id: record.rollout.id, side: record.rollout.side }),
    ...(record.topics === undefined ? {} : { topics: record.topics }),
    ...(state.visitor === null ? {} : { visitor: { ...state.visitor } }),
  }
  return { summary, details }
}

/** The fields of a state, and of its record, that the index depends on: `projectIndex` can read no others. */
type IndexedState = Pick<
  ConversationState,
  | 'accountId'
  | 'agentId'
  | 'environment'
  | 'deploymentId'
  | 'listed'
  | 'kind'
  | 'startedAt'
  | 'endedAt'
  | 'handoff'
  | 'handedOff'
> & { readonly record: IndexedFacts }

type IndexedFacts = Pick<
  RecordFacts,
  'variantId' | 'variantName' | 'channel' | 'language' | 'fromNumber' | 'toNumber'
>

/** Reports whether the index may differ: false only where it is certainly the same. */
export const mayChangeIndex = (before: IndexedState, after: IndexedState): boolean =>
  before.accountId !== after.accountId ||
  before.agentId !== after.agentId ||
  before.environment !== after.environment ||
  before.deploymentId !== after.deploymentId ||
  before.listed !== after.listed ||
  before.kind !== after.kind ||
  before.startedAt !== after.startedAt ||
  before.endedAt !== after.endedAt ||
  before.handoff !== after.handoff ||
  before.handedOff !== after.handedOff ||
  (before.record !== after.record && mayChangeFacts(before.record, after.record))

const mayChangeFacts = (before: IndexedFacts, after: IndexedFacts): boolean =>
  before.variantId !== after.variantId ||
  before.variantName !== after.variantName ||
  before.channel !== after.channel ||
  before.language !== after.language ||
  before.fromNumber !== after.fromNumber ||
  before.toNumber !== after.toNumber

/** Returns the columns that a conversation is selected by, as they stand with this state. */
export function projectIndex(state: IndexedState): ConversationIndex {
  const { record } = state
  return {
    accountId: state.accountId,
    agentId: state.agentId,
    environment: state.environment,
    listed: state.listed,
    counted: isGenuine(state.kind),
    startedAt: state.startedAt,
    finishedAt: state.endedAt,
    variantId: record.variantId,
    variantName: record.variantName,
    deploymentId: state.deploymentId,
    channel: channelOf(state),
    language: record.language,
    fromNumber: record.fromNumber,
    toNumber: record.toNumber,
    handoff: indexedHandoff(state),
    shared: indexedShared(state),
  }
}

function indexedShared({ handedOff, kind }: IndexedState): ConversationIndex['shared'] {
  if (!isGenuine(kind) || handedOff === null || handedOff.sharedId === null) return null
  return { id: handedOff.sharedId, at: handedOff.at }
}

function indexedHandoff({ handoff }: IndexedState): ConversationIndex['handoff'] {
  if (handoff?.status !== 'waiting' && handoff?.status !== 'active') return null
  return {
    id: handoff.id,
    status: handoff.status,
    queueName: handoff.queueName,
    since: handoff.requestedAt,
    liveAgentId: handoff.status === 'active' ? (handoff.liveAgent?.id ?? null) : null,
  }
}
