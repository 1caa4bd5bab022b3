import type { IntervalStore } from '@colloquy/core/store'
import type { HeldConversations } from './held-conversation.ts'
import { selectIntervals } from './selections.ts'

/** When conversations were active. */
export function intervalMethods({ conversations, changes }: HeldConversations): IntervalStore {
  return {
    async list(filter) {
      return { ...selectIntervals(conversations.values(), filter), stamp: String(changes()) }
    },
    stamps: async (_, ranges) => ranges.map(() => String(changes())),
  }
}
