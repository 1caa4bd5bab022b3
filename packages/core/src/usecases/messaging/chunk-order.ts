import type { TransientEvent } from '../../domain/conversation/event.ts'
import type { ChunkPosition } from '../../protocol/expand-chunks.ts'

/** Number of incomplete replies kept: attempts that failed or were taken over. */
const UNFINISHED = 8

interface Reply {
  sent: number
  readonly early: Map<number, TransientEvent>
}

/** Whom chunks are put into order for. */
export interface ChunkReceiver {
  /** Sends the next chunk of a reply. */
  chunk(position: ChunkPosition, event: TransientEvent): void
}

/**
 * Brings the chunks of streamed replies into order for one connection, in whatever order they come (MS29). A class,
 * because each connection has one; most of them never see a chunk.
 */
export class ChunkOrder {
  readonly #receiver: ChunkReceiver
  #replies: Map<string, Reply> | null = null

  constructor(receiver: ChunkReceiver) {
    this.#receiver = receiver
  }

  /** Takes a chunk. Returns true when an earlier one is missing: then it waits. */
  take({ messageId, index }: ChunkPosition, event: TransientEvent): boolean {
    const reply = this.#replyOf(messageId)
    const { early } = reply
    if (index > reply.sent) early.set(index, event)
    for (let next = early.get(reply.sent + 1); next !== undefined; next = early.get(reply.sent + 1)) {
      reply.sent++
      early.delete(reply.sent)
      this.#receiver.chunk({ messageId, index: reply.sent }, next)
    }
    return early.size > 0
  }

  /** Notes that the receiver has had the first chunks of a reply by another way. */
  had(messageId: string, count: number): void {
    const reply = this.#replyOf(messageId)
    reply.sent = Math.max(reply.sent, count)
  }

  /**
   * Finishes a reply that is whole in the log: forgets waiting chunks, and returns the number of chunks that were sent.
   */
  finish(messageId: string): number {
    const sent = this.#replies?.get(messageId)?.sent ?? 0
    this.#replies = null
    return sent
  }

  /** True while a reply is in progress, as far as this connection knows. */
  get unfinished(): boolean {
    return this.#replies !== null
  }

  #replyOf(messageId: string): Reply {
    this.#replies ??= new Map()
    const replies = this.#replies
    const known = replies.get(messageId)
    if (known !== undefined) return known
    const [oldest] = replies.keys()
    if (oldest !== undefined && replies.size >= UNFINISHED) replies.delete(oldest)
    const reply = { sent: 0, early: new Map<number, TransientEvent>() }
    replies.set(messageId, reply)
    return reply
  }
}
