import type { MessageKeyStore } from '@colloquy/core/store'
import type { HeldConversations } from './held-conversation.ts'

/** Which conversation the key of a message stands for. Keys are held in the order in which they were taken. */
export function messageKeyMethods({ conversations, messageKeys }: HeldConversations): MessageKeyStore {
  return {
    async take({ key, conversationId, at, freeUntil }) {
      const held = conversations.get(conversationId)
      if (held === undefined) return 'missing'
      const known = messageKeys.get(key)
      if (known !== undefined && known.at > freeUntil)
        return known.conversationId === conversationId ? 'taken' : 'held'
      for (const [first, taken] of messageKeys) {
        if (taken.at > freeUntil) break
        messageKeys.delete(first)
      }
      messageKeys.delete(key)
      messageKeys.set(key, { conversationId, at })
      held.messageKeys.add(key)
      return 'taken'
    },
  }
}
