import type { AccountId, AgentId, ConversationId } from '../../domain/ids.ts'

/** What an outside system sent for an event id, kept byte for byte. */
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
   * Reserves an event id for a conversation; again for the same conversation, account and agent it is `expected`, and
   * nothing changes. `taken` when it is reserved for another one, `missing` when there is no such conversation; nothing
   * is written then.
   */
  expect(event: {
    readonly eventId: string
    readonly conversationId: ConversationId
    readonly accountId: AccountId
    readonly agentId: AgentId
  }): Promise<'expected' | 'taken' | 'missing'>
  /**
   * Keeps what came for a reserved id. The first one stands: later ones are `duplicate` and keep nothing.
   * `unknown` when the id is not reserved for that account and agent. An accepted event is pending for its
   * conversation, whose version grows by one and whose `wakeAt` becomes `receivedAt` unless it is earlier.
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
  /** What came for the id; null when nothing came yet. */
  find(eventId: string): Promise<ExternalEvent | null>
}
