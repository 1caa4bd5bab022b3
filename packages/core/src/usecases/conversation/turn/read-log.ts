import { type ConversationEvent, eventOf } from '../../../domain/conversation/event.ts'
import type { ConversationId } from '../../../domain/ids.ts'
import type { ConversationStore } from '../../../ports/store/conversations.ts'

/** Events that are read at once: few enough that long ones use little memory. */
const BLOCK = { count: 32, bytes: 262_144 }

/** Returns the events up to a sequence, newest first and at most `count` of them, read on demand (EN45). */
export async function* newestFirst(
  store: Pick<ConversationStore, 'eventsBefore'>,
  id: ConversationId,
  last: number,
  count: number,
): AsyncGenerator<ConversationEvent> {
  for (let before = last + 1, left = count; left > 0 && before > 1; ) {
    const bounds = { ...BLOCK, count: Math.min(left, BLOCK.count) }
    const events = await store.eventsBefore(id, before, bounds)
    yield* events.map(eventOf)
    left -= events.length
    before = events.at(-1)?.sequence ?? 0
  }
}

/** Returns the event of that sequence. Null when the log does not reach it. */
export async function eventAt(
  store: Pick<ConversationStore, 'eventsBefore'>,
  id: ConversationId,
  sequence: number,
): Promise<ConversationEvent | null> {
  const [event] = await store.eventsBefore(id, sequence + 1, { count: 1, bytes: 1 })
  return event?.sequence === sequence ? eventOf(event) : null
}
