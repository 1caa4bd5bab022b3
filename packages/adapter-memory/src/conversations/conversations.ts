import { clientIds } from '@colloquy/core/domain'
import type { ConversationStore, OutboundCallStore, TextPairStore } from '@colloquy/core/store'
import type { OutboxKeeper } from '../outbox.ts'
import { externalEventMethods } from './external-events.ts'
import { handoffMethods } from './handoffs.ts'
import { apply, type HeldConversation, holdConversations } from './held-conversation.ts'
import { intervalMethods } from './intervals.ts'
import { bytesOfTurn, newest, ofTurn, pageOf } from './log-pages.ts'
import { messageKeyMethods } from './message-keys.ts'
import { recordMethods } from './records.ts'
import { removalMethods } from './removals.ts'
import { lazily, within } from './slices.ts'
import { timerMethods } from './timers.ts'
import { createWaits } from './waits.ts'

/** Where the event stands that carries the first known one of these ids. */
const knownSequence = ({ sequences }: HeldConversation, ids: readonly string[]): number | undefined =>
  ids.map(id => sequences.get(id)).find(sequence => sequence !== undefined)

/** Conversations by id. Every method runs to its end without a pause: at one instant. */
export function createConversationStore(
  keeper: OutboxKeeper,
  { outboundCalls, textPairs }: { outboundCalls: OutboundCallStore; textPairs: TextPairStore },
): ConversationStore {
  const held = holdConversations(keeper)
  const { conversations, timers, vectors, place } = held
  const waits = createWaits()

  return {
    async create(conversation) {
      const { conversationId: id, state, index, wakeAt } = conversation
      if (conversations.has(id)) return 'taken'
      const log = { events: [], sequences: new Map<string, number>(), turns: [], turnNumbers: [] }
      const external = {
        expectedExternalEvents: [],
        pendingExternalEvents: [],
        messageKeys: new Set<string>(),
      }
      const held: HeldConversation = { id, version: 0, state, index, claims: 0, ...log, ...external }
      apply(held, conversation)
      vectors.wrote(held, conversation.turns.length)
      conversations.set(id, held)
      place(held)
      timers.set(id, wakeAt)
      keeper.keep(conversation.outbox)
      return 'created'
    },
    async load(id) {
      const held = conversations.get(id)
      if (held === undefined) return null
      const { state, version, pendingExternalEvents } = held
      return { state, version, pendingExternalEvents }
    },
    version: async id => conversations.get(id)?.version ?? null,
    async append(append) {
      const held = conversations.get(append.conversationId)
      if (held === undefined) return { status: 'stale' }
      const sequence = knownSequence(held, append.events.flatMap(clientIds))
      if (sequence !== undefined) return { status: 'duplicate', sequence }
      if (held.version !== append.expectedVersion) return { status: 'stale' }
      apply(held, append)
      vectors.wrote(held, append.turns.length)
      place(held)
      const delivered = append.deliveredExternalEvents
      held.pendingExternalEvents = held.pendingExternalEvents.filter(id => !delivered.includes(id))
      if (append.joinedWait !== null) waits.add(append.joinedWait)
      timers.set(held.id, append.wakeAt)
      keeper.keep(append.outbox)
      return { status: 'appended' }
    },
    async eventPage(id, after, bounds) {
      return pageOf(conversations.get(id), after, bounds)
    },
    async clientEvent(id, ids) {
      const held = conversations.get(id)
      const sequence = held === undefined ? undefined : knownSequence(held, ids)
      return sequence === undefined ? null : (held?.events[sequence - 1] ?? null)
    },
    async turns(id, limit, bytes = Number.POSITIVE_INFINITY) {
      const held = newest(conversations.get(id)?.turns ?? [], limit)
      return within(held.toReversed(), bytes, turn => bytesOfTurn(ofTurn(turn))).toReversed()
    },
    async turnPage(id, after, bytes) {
      const following = (conversations.get(id)?.turns ?? []).slice(after)
      const turns = within(lazily(following, ofTurn), bytes, bytesOfTurn)
      return { turns, more: turns.length < following.length }
    },
    async listOpen(agentId) {
      const all = [...conversations.values()].filter(({ index }) => index.agentId === agentId)
      return all.filter(({ index }) => index.finishedAt === null).map(({ id }) => id)
    },
    timers: timerMethods(held),
    externalEvents: externalEventMethods(held),
    handoffs: handoffMethods(held, waits),
    records: recordMethods(held),
    intervals: intervalMethods(held),
    turnVectors: vectors.methods,
    textPairs,
    messageKeys: messageKeyMethods(held),
    outboundCalls,
    removals: removalMethods(held, keeper),
  }
}
