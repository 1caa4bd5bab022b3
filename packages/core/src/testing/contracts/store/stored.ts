import { type ConversationEvent, eventOf } from '../../../domain/conversation/event.ts'
import type { ConversationId } from '../../../domain/ids.ts'
import type { ConversationStore } from '../../../ports/store/conversations.ts'

/** Returns a conversation's events after a sequence, ascending. */
export async function eventsOf(
  conversations: Pick<ConversationStore, 'eventPage'>,
  id: ConversationId,
  after: number,
): Promise<readonly ConversationEvent[]> {
  const events: ConversationEvent[] = []
  for (let more = true; more; ) {
    const page = await conversations.eventPage(id, events.at(-1)?.sequence ?? after, {
      count: 10_000,
      bytes: Number.MAX_SAFE_INTEGER,
    })
    events.push(...page.events.map(eventOf))
    more = page.more
  }
  return events
}

/** The last possible moment. */
export const FAR = 8_640_000_000_000_000

/**
 * True when that is the earliest `wakeAt` of all; null: when no conversation has a `wakeAt`. It stays as it is, but
 * counts as claimed once more.
 */
export async function wakesAt(
  { timers }: Pick<ConversationStore, 'timers'>,
  at: number | null,
): Promise<boolean> {
  if (at === null) return (await timers.claimDue(FAR, 1, FAR)).length === 0
  const earlier = await timers.claimDue(at - 1, 1, at - 1)
  return earlier.length === 0 && (await timers.claimDue(at, 1, at)).length === 1
}
