import type { ChunkPlace } from '../../protocol/unfold.ts'

/** Brings the chunks of streamed replies into order for one connection, however they come (MS4). */
export interface ChunkOrder {
  /** Takes a chunk, as the text of its frame. True when one before it is missing: then it waits. */
  take(place: ChunkPlace, text: string): boolean
  /** The reply is whole in the log: forgets what waits, and says how many of its chunks were sent. */
  finish(messageId: string): number
}

/** Replies that are remembered although they were never completed: attempts that failed or were taken over. */
const UNFINISHED = 8

interface Reply {
  sent: number
  readonly early: Map<number, string>
}

/** @param send sends the next chunk of a reply */
export function createChunkOrder(send: (text: string) => void): ChunkOrder {
  const replies = new Map<string, Reply>()

  function replyOf(messageId: string): Reply {
    const known = replies.get(messageId)
    if (known !== undefined) return known
    const [oldest] = replies.keys()
    if (oldest !== undefined && replies.size >= UNFINISHED) replies.delete(oldest)
    const reply = { sent: 0, early: new Map<number, string>() }
    replies.set(messageId, reply)
    return reply
  }

  return {
    take({ messageId, index }, text) {
      const reply = replyOf(messageId)
      const { early } = reply
      if (index > reply.sent) early.set(index, text)
      for (let next = early.get(reply.sent + 1); next !== undefined; next = early.get(reply.sent + 1)) {
        reply.sent++
        early.delete(reply.sent)
        send(next)
      }
      return early.size > 0
    },
    finish(messageId) {
      const sent = replies.get(messageId)?.sent ?? 0
      replies.clear()
      return sent
    },
  }
}
