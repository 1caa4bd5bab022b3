import type { ConversationId } from '../../domain/ids.ts'

/**
 * The conversation of each message key, so that the key cannot be used in another one meanwhile. Part of the
 * conversation's aggregate: keys are deleted with it. A store decides no rule.
 */
export interface MessageKeyStore {
  /**
   * Takes a key for a conversation, at a time. `taken` when it is free, and when the conversation has it already, since
   * that earlier time. `held` when another conversation has it, `missing` when there is no such conversation: nothing
   * is written then. A key that was taken at `freeUntil` or before is free; those may be deleted. If different
   * conversations race for it, one takes it.
   */
  take(taking: {
    readonly key: string
    readonly conversationId: ConversationId
    readonly at: number
    readonly freeUntil: number
  }): Promise<'taken' | 'held' | 'missing'>
}
