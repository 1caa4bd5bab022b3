import { publicId } from '../conversation/conversation-key.ts'
import type { Draft } from '../conversation/draft.ts'
import type { JournaledEventType } from '../conversation/event.ts'
import { projectRecord } from '../conversation/project-record.ts'
import { type ConversationState, type Handoff, isGenuine } from '../conversation/state.ts'
import type { JsonObject } from '../json.ts'
import { isoTime } from '../time.ts'
import type { WebhookEventType } from './webhook.ts'

/** An event that a decision causes; the engine gives it id and time. */
export interface OutgoingDraft {
  readonly type: WebhookEventType
  readonly data: JsonObject
}

type Decided = Pick<Draft, 'state' | 'events'>

/** Events of an open conversation that webhooks report. */
const TOLD: ReadonlySet<JournaledEventType> = new Set([
  'AI_AGENT_TRIGGERED_HANDOFF',
  'LIVE_AGENT_JOINED',
  'LIVE_AGENT_LEFT',
  'HANDOFF_FAILED',
  'HANDOFF_TIMEOUT',
])

const payloadOf = ({ events }: Decided, type: JournaledEventType): JsonObject | null =>
  events.find(event => event.type === type)?.payload ?? null

/** Returns a handoff in the words of the conversation record. */
const handoffData = ({ id, accountId, agentId, environment, record }: ConversationState): JsonObject => ({
  conversation_id: publicId(id),
  account_id: accountId,
  project_id: agentId,
  environment,
  reason: record.handoffReason,
  destination: record.handoffDestination,
})

const queueData = ({ id, queueName }: Handoff): JsonObject => ({ handoff_id: id, queue_name: queueName })

/** The agent wants to hand off: into the queue, to the visitor's client, or, in a channel without either, nowhere. */
function requested(decided: Decided): readonly OutgoingDraft[] {
  if (payloadOf(decided, 'AI_AGENT_TRIGGERED_HANDOFF') === null) return []
  const { state } = decided
  const client = payloadOf(decided, 'CLIENT_HANDOFF_REQUIRED')
  const way =
    state.owner === 'queue' && state.handoff !== null
      ? { mode: 'server', ...queueData(state.handoff) }
      : {
          mode: client === null ? 'none' : 'client',
          handoff_id: null,
          queue_name: client?.queue_name ?? null,
        }
  return [{ type: 'handoff.requested', data: { ...handoffData(state), ...way } }]
}

/** Returns a handoff with the live agent who has taken it. */
function taken(state: ConversationState, handoff: Handoff): JsonObject {
  const { id = '', name = '' } = handoff.liveAgent ?? {}
  return { ...handoffData(state), ...queueData(handoff), live_agent: { id, name } }
}

/** A live agent has taken the visitor, as on the desk (contract/desk.md). */
function accepted(before: ConversationState | null, decided: Decided): readonly OutgoingDraft[] {
  const { handoff } = decided.state
  if (payloadOf(decided, 'LIVE_AGENT_JOINED') === null || handoff === null) return []
  if (isTransferred(before, decided.state)) return []
  return [{ type: 'handoff.accepted', data: taken(decided.state, handoff) }]
}

/** A live agent has given the visitor back to the AI agent. */
function returned(decided: Decided): readonly OutgoingDraft[] {
  const left = payloadOf(decided, 'LIVE_AGENT_LEFT')
  const { handoff } = decided.state
  if (left === null || handoff === null || decided.state.owner !== 'ai_agent') return []
  const data = { ...taken(decided.state, handoff), return_reason: left.reason ?? null }
  return [{ type: 'handoff.returned', data }]
}

/** A live agent has given the visitor to a colleague, or into a queue, where they wait as another handoff. */
function transferred(before: ConversationState | null, { state }: Decided): readonly OutgoingDraft[] {
  const { handoff } = state
  if (handoff?.transferred === undefined || !isTransferred(before, state)) return []
  const { from, reason } = handoff.transferred
  const { id, name } = handoff.liveAgent ?? {}
  const data = {
    ...handoffData(state),
    ...queueData(before?.handoff ?? handoff),
    live_agent: { id: from.id, name: from.name },
    to_handoff_id: handoff.id,
    to_queue_name: handoff.queueName,
    to_live_agent: id === undefined || name === undefined ? null : { id, name },
    transfer_reason: reason === '' ? null : reason,
  }
  return [{ type: 'handoff.transferred', data }]
}

const isTransferred = (before: ConversationState | null, { handoff }: ConversationState): boolean =>
  handoff?.transferred !== undefined && handoff.transferred !== before?.handoff?.transferred

/** Returns why a visitor left the queue without a live agent; null when none did. */
function failure(before: ConversationState | null, decided: Decided): JsonObject | null {
  const failed = payloadOf(decided, 'HANDOFF_FAILED')
  if (failed !== null) return { cause: 'failed', failure_reason: failed.reason ?? null }
  if (payloadOf(decided, 'HANDOFF_TIMEOUT') !== null) return { cause: 'timed_out', failure_reason: null }
  if (before?.owner === 'queue' && decided.state.endedAt !== null)
    return { cause: 'conversation_ended', failure_reason: decided.state.endReason }
  return null
}

function failed(before: ConversationState | null, decided: Decided): readonly OutgoingDraft[] {
  const { state } = decided
  const why = failure(before, decided)
  if (why === null || state.handoff === null) return []
  return [{ type: 'handoff.failed', data: { ...handoffData(state), ...queueData(state.handoff), ...why } }]
}

/** The conversation has ended, for any reason: its record without the turns, whose number has no bound. */
function completed(before: ConversationState | null, { state }: Decided): readonly OutgoingDraft[] {
  if (state.endedAt === null || (before !== null && before.endedAt !== null)) return []
  const { summary, details } = projectRecord(state)
  return [{ type: 'conversation.completed', data: { ...summary, ...details, end_reason: state.endReason } }]
}

/**
 * Returns the outside events of a decision (WH1), in the order in which they happened. Debug conversations
 * have none.
 * A handoff into a queue has exactly one result: a live agent takes it, or it fails. The end of the conversation
 * while it waits is a failure too. One that was taken may be given back, once, or to
 * others; given into a queue it is another handoff.
 *
 * @param before the state that the decision started from; null for a new conversation
 */
export function outgoingEvents(before: ConversationState | null, decided: Decided): readonly OutgoingDraft[] {
  const { events, state } = decided
  if (!isGenuine(state.kind)) return []
  // Most decisions are turns, which webhooks do not report.
  if (state.endedAt === null && !events.some(({ type }) => TOLD.has(type))) return []
  return [
    ...requested(decided),
    ...accepted(before, decided),
    ...failed(before, decided),
    ...returned(decided),
    ...transferred(before, decided),
    ...completed(before, decided),
  ]
}

/** Returns the body of an event's requests, as the Standard Webhooks specification advises. */
export const webhookBody = (type: string, at: number, data: JsonObject): string =>
  JSON.stringify({ type, timestamp: isoTime(at), data })
