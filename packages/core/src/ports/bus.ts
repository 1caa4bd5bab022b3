import type { ConversationEvent, TransientEvent } from '../domain/conversation/event.ts'
import type { ConversationId } from '../domain/ids.ts'

/** Tells that a conversation has grown, and what is true of it only now. */
export interface Notice {
  /** Sequence of the newest event when this was said. Receivers read the log up to it. */
  readonly sequence: number
  /** The newest events themselves, when they are at hand: spares receivers the read. May be empty. */
  readonly events: readonly ConversationEvent[]
  /** Said after the log has reached `sequence`, in this order. Lost when nobody listens. */
  readonly transients: readonly TransientEvent[]
  /** Somebody connected to that conversation wants to know what is true of it and in no log. Every process may answer. */
  readonly asks?: {
    readonly conversationId: ConversationId
    readonly connection: string
    /** When the asker's own word of a place in the queue came, milliseconds since the epoch: only a newer one is wanted. */
    readonly placeAt: number
  }
}

/**
 * Carries notices between the parts of a process, or between processes. A notice may be lost, doubled or late: a receiver
 * takes the log for truth. A notice is plain data, the same after a way as JSON. Notices of one publisher about one conversation should keep their order.
 */
export interface Bus {
  /** Waits for no receiver. What it throws, or rejects with, is told to the host's `onError`, and the notice counts as lost (EN14). */
  publish(conversationId: ConversationId, notice: Notice): void
  /** The returned function ends the subscription. A listener that throws harms no other. */
  subscribe(conversationId: ConversationId, listener: (notice: Notice) => void): () => void
}
