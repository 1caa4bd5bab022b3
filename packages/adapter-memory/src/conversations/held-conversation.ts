import type { AccountId, AgentId, ConversationId } from '@colloquy/core'
import {
  type ConversationEvent,
  type ConversationIndex,
  type ConversationState,
  clientIds,
  type StoredTurn,
} from '@colloquy/core/domain'
import type { ConversationAppend, ConversationWrite, ExternalEvent } from '@colloquy/core/store'
import type { OutboxKeeper } from '../outbox.ts'
import type { Indexed } from './selections.ts'
import { createTimers } from './timer-list.ts'
import { createTurnVectors } from './turn-vectors.ts'

/** A conversation with its log. Values in it are replaced, never changed; lists only grow. */
export interface HeldConversation extends Indexed {
  version: number
  state: ConversationState
  index: ConversationIndex
  readonly events: ConversationEvent[]
  /** Sequences by the client's own ids. */
  readonly sequences: Map<string, number>
  readonly turns: StoredTurn[]
  readonly turnNumbers: number[]
  /** All ids that were reserved for it. */
  readonly expectedExternalEvents: string[]
  pendingExternalEvents: readonly string[]
  /** Keys that were taken for it, free ones perhaps included. */
  readonly messageKeys: Set<string>
  /** How often it was claimed since the last write. */
  claims: number
}

/** An event id that is reserved, and what has come for it. */
export interface Reservation {
  readonly conversationId: ConversationId
  readonly accountId: AccountId
  readonly agentId: AgentId
  arrived: ExternalEvent | null
}

/** Which conversation a key stands for, and since when. */
export interface TakenKey {
  readonly conversationId: ConversationId
  readonly at: number
}

/** Adds what a write brings to what is there. */
export function apply(
  held: HeldConversation,
  { state, index, events, turns }: ConversationWrite | ConversationAppend,
): void {
  held.version++
  Object.assign(held, { state, index: index ?? held.index, claims: 0 })
  for (const event of events) {
    const sequence = held.events.length + 1
    held.events.push({ ...event, sequence })
    for (const id of clientIds(event)) held.sequences.set(id, sequence)
  }
  held.turns.push(...turns)
}

/** All conversations, and what they are found by. */
export type HeldConversations = ReturnType<typeof holdConversations>

/** Holds nothing yet. */
export function holdConversations(keeper: OutboxKeeper) {
  const conversations = new Map<ConversationId, HeldConversation>()
  const timers = createTimers<ConversationId>()
  const reservations = new Map<string, Reservation>()
  const messageKeys = new Map<string, TakenKey>()
  /** Those that wait for, or have, a live agent, in the order in which their handoffs came, with these. */
  const handedOff = new Map<HeldConversation, string>()
  const vectors = createTurnVectors(conversations)

  /** Of what lists and figures select by. */
  let changes = 0

  const place = (held: HeldConversation): void => {
    changes++
    const { handoff } = held.index
    if (handoff?.id === handedOff.get(held)) return
    handedOff.delete(held)
    if (handoff !== null) handedOff.set(held, handoff.id)
  }

  /** True when nothing will happen to it any more. */
  const isOver = ({ id, index }: HeldConversation): boolean =>
    index.finishedAt !== null && timers.get(id) === null

  const drop = (held: HeldConversation): void => {
    for (const eventId of held.expectedExternalEvents) reservations.delete(eventId)
    for (const key of held.messageKeys)
      if (messageKeys.get(key)?.conversationId === held.id) messageKeys.delete(key)
    keeper.forget(held.id)
    conversations.delete(held.id)
    vectors.dropped(held)
    changes++
  }

  return {
    conversations,
    timers,
    reservations,
    messageKeys,
    handedOff,
    vectors,
    /** Grows with each of these. */
    changes: () => changes,
    place,
    isOver,
    drop,
  }
}
