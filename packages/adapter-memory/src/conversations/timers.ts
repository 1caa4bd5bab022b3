import type { TimerStore } from '@colloquy/core/store'
import type { HeldConversations } from './held-conversation.ts'

/** When conversations must be woken. */
export function timerMethods({ conversations, timers }: HeldConversations): TimerStore {
  return {
    async claimDue(now, limit, until, longest = until - now) {
      const due = timers.due(now, limit)
      for (const id of due) {
        const held = conversations.get(id)
        const pause = Math.min((until - now) * 2 ** (held?.claims ?? 0), Math.max(longest, until - now))
        if (held !== undefined) held.claims++
        timers.set(id, now + pause)
      }
      return due
    },
    nextDue: async () => timers.earliest(),
    async hasten(after, to, limit) {
      const late = timers.after(after, limit)
      for (const id of late) timers.set(id, to)
      return late.length
    },
  }
}
