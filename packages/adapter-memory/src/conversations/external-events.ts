import type { ExternalEventStore } from '@colloquy/core/store'
import type { HeldConversations } from './held-conversation.ts'

/** Event ids that conversations wait for, and what has come for them. */
export function externalEventMethods({
  conversations,
  reservations,
  timers,
}: HeldConversations): ExternalEventStore {
  return {
    async expect({ eventId, conversationId, accountId, agentId }) {
      const known = reservations.get(eventId)
      if (known !== undefined) {
        const same = known.conversationId === conversationId && known.accountId === accountId
        return same && known.agentId === agentId ? 'expected' : 'taken'
      }
      const held = conversations.get(conversationId)
      if (held === undefined) return 'missing'
      held.expectedExternalEvents.push(eventId)
      reservations.set(eventId, { conversationId, accountId, agentId, arrived: null })
      return 'expected'
    },
    async accept({ eventId, accountId, agentId, contentType, body, receivedAt }) {
      const reservation = reservations.get(eventId)
      if (reservation?.accountId !== accountId || reservation.agentId !== agentId)
        return { status: 'unknown' }
      const { conversationId } = reservation
      if (reservation.arrived !== null) return { status: 'duplicate', conversationId }
      reservation.arrived = { eventId, conversationId, contentType, body: body.slice(), receivedAt }
      const held = conversations.get(conversationId)
      if (held !== undefined) {
        held.version++
        held.pendingExternalEvents = [...held.pendingExternalEvents, eventId]
        timers.set(conversationId, Math.min(timers.get(conversationId) ?? receivedAt, receivedAt))
      }
      return { status: 'accepted', conversationId }
    },
    find: async eventId => reservations.get(eventId)?.arrived ?? null,
  }
}
