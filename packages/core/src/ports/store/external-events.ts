import type { AccountId, AgentId, ConversationId } from '../../domain/ids.ts'

/** An event that an outside system sent for an event id, kept byte for byte. */
export interface ExternalEvent {
  readonly eventId: string
  readonly conversationId: ConversationId
  readonly contentType: string
  readonly body: Uint8Array
  readonly receivedAt: number
}

/**
 * Event ids that conversations wait for, and what outside systems have sent for them. Part of the conversation's
 * aggregate.
 */
export interface ExternalEventStore {
  /**
   * Reserves an event id for a conversation. Idempotent: repeated for the same conversation, account and agent it
   * resolves to `expected` and changes nothing. `taken` when the id is reserved for another conversation, `missing`
   * when there is no such conversation; nothing is written then.
   */
  expect(event: {
    readonly eventId: string
    readonly conversationId: ConversationId
    readonly accountId: AccountId
    readonly agentId: AgentId
  }): Promise<'expected' | 'taken' | 'missing'>
  /**
   * Stores the event of a reserved id. Only the first one is stored: later ones are `duplicate`. `unknown` when the id
   * is not reserved for that account and agent. An accepted event is pending for its conversation, whose version grows
   * by one and whose `wakeAt` becomes `receivedAt` unless it is earlier already.
   */
  accept(event: {
    readonly eventId: string
    readonly accountId: AccountId
    readonly agentId: AgentId
    readonly contentType: string
    readonly body: Uint8Array
    readonly receivedAt: number
  }): Promise<
    | { readonly status: 'accepted' | 'duplicate'; readonly conversationId: ConversationId }
    | { readonly status: 'unknown' }
  >
  /** The event of the id; null when it has not come yet. */
  find(eventId: string): Promise<ExternalEvent | null>
}
