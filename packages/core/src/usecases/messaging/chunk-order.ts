import type { TransientEvent } from '../../domain/conversation/event.ts'
import type { ChunkPosition } from '../../protocol/expand-chunks.ts'

/** Puts the chunks of streamed replies into order for one connection, in whatever order they arrive (MS4). */
export interface ChunkOrder {
  /** Takes a chunk. True when an earlier one is missing: the chunk is buffered then. */
  take(position: ChunkPosition, event: TransientEvent): boolean
  /** The reply is complete in the log: drops its buffered chunks, and returns how many were sent. */
  finish(messageId: string): number
  /** True while a reply is streaming, as far as this connection knows. */
  readonly unfinished: boolean
}

/** Number of incomplete replies kept: attempts that failed or were taken over. */
const UNFINISHED = 8

interface Reply {
  sent: number
  readonly early: Map<number, TransientEvent>
}

/** @param send sends the next chunk of a reply */
export function createChunkOrder(send: (position: ChunkPosition, event: TransientEvent) => void): ChunkOrder {
  const replies = new Map<string, Reply>()

  function replyOf(messageId: string): Reply {
    const known = replies.get(messageId)
    if (known !== undefined) return known
    const [oldest] = replies.keys()
    if (oldest !== undefined && replies.size >= UNFINISHED) replies.delete(oldest)
    const reply = { sent: 0, early: new Map<number, TransientEvent>() }
    replies.set(messageId, reply)
    return reply
  }

  return {
    take({ messageId, index }, event) {
      const reply = replyOf(messageId)
      const { early } = reply
      if (index > reply.sent) early.set(index, event)
      for (let next = early.get(reply.sent + 1); next !== undefined; next = early.get(reply.sent + 1)) {
        reply.sent++
        early.delete(reply.sent)
        send({ messageId, index: reply.sent }, next)
      }
      return early.size > 0
    },
    finish(messageId) {
      const sent = replies.get(messageId)?.sent ?? 0
      replies.clear()
      return sent
    },
    get unfinished() {
      return replies.size > 0
    },
  }
}
