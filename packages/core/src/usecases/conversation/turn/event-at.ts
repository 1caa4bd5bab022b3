import type { ConversationEvent } from '../../../domain/conversation/event.ts'
import type { ConversationId } from '../../../domain/ids.ts'
import type { ConversationStore } from '../../../ports/store/conversations.ts'

/** The event of that sequence; null when the log does not reach it. */
export async function eventAt(
  store: Pick<ConversationStore, 'eventPage'>,
  id: ConversationId,
  sequence: number,
): Promise<ConversationEvent | null> {
  const { events } = await store.eventPage(id, sequence - 1, { count: 1, bytes: 1 })
  return events[0] ?? null
}
