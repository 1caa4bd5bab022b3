import { type ConversationEvent, eventOf } from '../../../domain/conversation/event.ts'
import type { ConversationId } from '../../../domain/ids.ts'
import type { ConversationStore } from '../../../ports/store/conversations.ts'

/** Events per page: few enough that long ones use little memory. */
const BLOCK = 16

/** Returns the events up to a sequence, newest first and at most `count` of them, read on demand (EN45). */
export async function* newestFirst(
  store: Pick<ConversationStore, 'eventPage'>,
  id: ConversationId,
  last: number,
  count: number,
): AsyncGenerator<ConversationEvent> {
  const lowest = Math.max(last - count, 0)
  for (let end = last; end > lowest; ) {
    const from = Math.max(end - BLOCK, lowest)
    const bounds = { count: end - from, bytes: Number.MAX_SAFE_INTEGER }
    const { events } = await store.eventPage(id, from, bounds)
    yield* events.toReversed().map(eventOf)
    end = from
  }
}

/** Returns the event of that sequence. Null when the log does not reach it. */
export async function eventAt(
  store: Pick<ConversationStore, 'eventPage'>,
  id: ConversationId,
  sequence: number,
): Promise<ConversationEvent | null> {
  const { events } = await store.eventPage(id, sequence - 1, { count: 1, bytes: 1 })
  const [event] = events
  return event === undefined ? null : eventOf(event)
}
