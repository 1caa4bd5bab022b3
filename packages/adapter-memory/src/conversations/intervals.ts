import type { IntervalStore } from '@colloquy/core/store'
import type { HeldConversations } from './held-conversation.ts'
import { selectIntervals } from './selections.ts'

/** When conversations were active. */
export function intervalMethods({ conversations, changes }: HeldConversations): IntervalStore {
  return {
    async list(filter) {
      const intervals = { ...selectIntervals(conversations.values(), filter), stamp: String(changes()) }
      await new Promise(resolve => setImmediate(resolve))
      return intervals
    },
    stamps: async (_, ranges) => ranges.map(() => String(changes())),
  }
}
