import type { ConversationId } from '../../domain/ids.ts'

/** A key for a conversation, and its time, milliseconds since the epoch. */
interface KeyOfConversation {
  readonly key: string
  readonly conversationId: ConversationId
  readonly at: number
  /** Keys of this time or an earlier one are free, and may be deleted. */
  readonly freeUntil: number
}

/**
 * The conversation of each message key, so that the key cannot be used in another one meanwhile, and of each name that
 * a visitor gave a call. Part of the conversation's aggregate: keys are deleted with it. A store decides no rule.
 */
export interface MessageKeyStore {
  /**
   * Takes a key for a conversation, at a time. `taken` when it is free, and when the conversation has it already, since
   * that earlier time. `held` when another conversation has it, `missing` when there is no such conversation: nothing
   * is written then. If different conversations race for it, one takes it.
   */
  take(taking: KeyOfConversation): Promise<'taken' | 'held' | 'missing'>
  /** Gives a key to a conversation, whoever has it, from that time on. False when there is no such conversation. */
  give(giving: KeyOfConversation): Promise<boolean>
  /** The conversation that has a key; null when it is free. */
  holder(key: string, freeUntil: number): Promise<ConversationId | null>
}
