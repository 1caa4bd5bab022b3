import type {
  ConversationState,
  Handoff,
  PendingDelivery,
  TurnInput,
} from '../../../packages/core/src/domain/conversation/state.ts'
import type { HandoffId, TurnId } from '../../../packages/core/src/domain/ids.ts'
import { freshState } from '../conversation.ts'

/** The present of every canonical state. What is overdue is due now: the machine asks no more of the past. */
export const NOW = 1_000

/** Id of the message, turn and events that a command brings; canonical states hold none of it. */
export const NEW_ID = 'new'

/** Initial conditions of a situation, as set by a connector and a channel. */
export interface Setting {
  readonly name: string
  readonly mode: 'server' | 'client'
  readonly kind: ConversationState['kind']
  /** False: no deployment is active when the conversation begins. */
  readonly deployed: boolean
  /** Ticks of silence until the visitor has left. */
  readonly idle: number
  /** Ticks between the warning and the end. @default null, no warning */
  readonly warning?: number
  /** Ticks in the queue until it gives up. */
  readonly queueTimeout: number
}

/** Nothing has happened yet. A tick is a millisecond here. */
export function beginning(setting: Setting): ConversationState {
  const state = freshState(setting.mode, setting.kind)
  return {
    ...state,
    idleTimeout: setting.idle,
    idleWarning: setting.warning ?? null,
    handoffSettings: { ...state.handoffSettings, timeoutSeconds: setting.queueTimeout / 1_000 },
    ...(setting.deployed ? {} : { deploymentId: null, revision: null }),
  }
}

/** The handoffs that a state knows of, the newest last. */
export const knownHandoffs = ({ handoff, deliveries }: ConversationState): readonly HandoffId[] => {
  const ids = [...deliveries.map(({ handoffId }) => handoffId), ...(handoff === null ? [] : [handoff.id])]
  return [...new Set(ids)].sort((one, other) => numberOf(one) - numberOf(other))
}

const numberOf = (id: HandoffId): number => Number(id.slice(id.lastIndexOf('.') + 1))

/**
 * The same situation with the names and numbers that all situations like it get: ids in the order of their use,
 * sequences and deliveries from one, times from {@link NOW}. What no decision looks at (the record, the last failure)
 * is as at the beginning. Every state that the machine can tell apart from another has another canonical form.
 */
export function canonical(
  start: ConversationState,
  state: ConversationState,
  now: number,
): ConversationState {
  const until = (moment: number): number => NOW + Math.max(0, moment - now)
  const untilOrNull = (moment: number | null): number | null => (moment === null ? null : until(moment))
  const handoffs = new Map(knownHandoffs(state).map((id, index) => [id, nth(start, index + 1)]))
  const rename = (id: HandoffId): HandoffId => handoffs.get(id) ?? id
  const messages = messageNames(state)
  const inputs = [...(state.turn === null ? [] : [state.turn.input]), ...state.pending].map((input, index) =>
    canonicalInput(input, `turn-${index}`, messages),
  )
  const [active, ...rest] = inputs
  return {
    ...start,
    deploymentId: state.deploymentId,
    revision: state.revision,
    endedAt: untilOrNull(state.endedAt),
    sequence: 10,
    owner: state.owner,
    greeted: state.greeted,
    seenAt: until(state.seenAt + state.idleTimeout) - state.idleTimeout,
    idleWarned: state.idleWarned,
    turn:
      state.turn === null || active === undefined
        ? null
        : {
            ...state.turn,
            id: active.turnId,
            input: active,
            startedAt: NOW,
            leaseUntil: until(state.turn.leaseUntil),
          },
    pending: state.turn === null ? inputs : rest,
    handoffs: handoffs.size,
    handoff: state.handoff === null ? null : canonicalHandoff(state.handoff, rename, until),
    deliveries: state.deliveries.map((delivery, index) =>
      canonicalDelivery(delivery, index + 1, rename, messages),
    ),
    deliveryNumber: state.deliveries.length,
    deliveryUntil: untilOrNull(state.deliveryUntil),
    awaiting: state.awaiting,
    externalCheckAt: untilOrNull(state.externalCheckAt),
    record: { ...start.record, aiSince: state.record.aiSince === null ? null : NOW },
  }
}

/** Equal for states that {@link canonical} makes equal: all that it does not take from the beginning. */
export const keyOf = (state: ConversationState): string =>
  JSON.stringify([
    state.deploymentId,
    state.endedAt === null,
    state.owner,
    state.greeted,
    state.seenAt,
    state.idleWarned,
    state.turn,
    state.pending,
    state.handoff,
    state.deliveries,
    state.deliveryUntil,
    state.awaiting,
    state.externalCheckAt,
  ])

/** The id of a conversation's nth handoff. */
export const nth = (state: ConversationState, number: number): HandoffId => `${state.id}.${number}`

/** New names of the messages that wait, by the old ones. */
function messageNames({ turn, pending, deliveries }: ConversationState): ReadonlyMap<string, number> {
  const inputs = [...(turn === null ? [] : [turn.input]), ...pending]
  const waiting = [
    ...inputs.filter(input => input.type === 'message'),
    ...deliveries.flatMap(({ call }) => (call.type === 'forward' ? [call] : [])),
  ]
  waiting.sort((one, other) => one.sequence - other.sequence)
  return new Map(waiting.map(({ messageId }, index) => [messageId, index + 1]))
}

const named = (messages: ReadonlyMap<string, number>, messageId: string) => {
  const place = messages.get(messageId) ?? 0
  return { messageId: `message-${place}`, sequence: place, sender: `sender-${place}` }
}

function canonicalInput(input: TurnInput, turnId: TurnId, messages: ReadonlyMap<string, number>): TurnInput {
  switch (input.type) {
    case 'greeting':
      return { type: 'greeting', turnId }
    case 'message':
      return { type: 'message', turnId, ...named(messages, input.messageId), receivedAt: NOW }
    case 'external_event':
      return { ...input, turnId, receivedAt: NOW }
  }
}

const canonicalHandoff = (
  handoff: Handoff,
  rename: (id: HandoffId) => HandoffId,
  until: (moment: number) => number,
): Handoff => ({
  id: rename(handoff.id),
  status: handoff.status,
  // No decision looks at these.
  ...{ queueName: '', reason: '', destination: '', acceptedBy: null },
  requestedAt: NOW,
  // The time-out of waiting does not matter for a handoff that no longer waits.
  timeoutAt: handoff.status === 'requested' || handoff.status === 'waiting' ? until(handoff.timeoutAt) : NOW,
  liveAgent: handoff.status === 'over' ? null : handoff.liveAgent,
  attendedUntil:
    handoff.status === 'over' || handoff.attendedUntil === null ? null : until(handoff.attendedUntil),
})

const canonicalDelivery = (
  { handoffId, call }: PendingDelivery,
  number: number,
  rename: (id: HandoffId) => HandoffId,
  messages: ReadonlyMap<string, number>,
): PendingDelivery => ({
  number,
  handoffId: rename(handoffId),
  call:
    call.type === 'forward'
      ? { type: 'forward', ...named(messages, call.messageId) }
      : call.type === 'cancel'
        ? { type: 'cancel', reason: '' }
        : call,
})
