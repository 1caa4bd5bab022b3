import { z } from 'zod'
import type { ConversationEvent } from '../domain/conversation/event.ts'
import type { ServerEvent } from './envelope.ts'

const foldedSchema = z.object({ message_id: z.string(), chunks: z.array(z.string()) })

/** A chunk's message and its place there, from 1. */
export interface ChunkPlace {
  readonly messageId: string
  readonly index: number
}

const placeSchema = z.object({ message_id: z.string(), chunk_index: z.number() })

/** Which chunk of which reply it is; null for what is no chunk. */
export function chunkPlace(event: Pick<ServerEvent, 'type' | 'payload'>): ChunkPlace | null {
  if (event.type !== 'AI_AGENT_MESSAGE_CHUNK') return null
  const place = placeSchema.safeParse(event.payload)
  return place.success ? { messageId: place.data.message_id, index: place.data.chunk_index } : null
}

/**
 * The events that one event of the log is on the wire. It is one, unless it is a finished stream: that is kept as its last
 * chunk with the texts before it in `chunks`, and becomes the chunks after index `sentChunks` (sequence null) and the last
 * one, which alone carries the sequence (decisions.md section 8, Streaming; MS4).
 *
 * @param sentChunks how many of the earlier chunks the receiver has
 */
export function unfold(event: ConversationEvent, sentChunks: number): readonly ServerEvent[] {
  if (event.type !== 'AI_AGENT_MESSAGE_CHUNK') return [event]
  const { chunks: _, ...last } = event.payload
  const folded = foldedSchema.safeParse(event.payload)
  if (!folded.success) return [{ ...event, payload: last }]
  const { message_id, chunks } = folded.data
  const earlier = chunks.slice(sentChunks).map((text, offset): ServerEvent => {
    const index = sentChunks + offset + 1
    return {
      id: earlierChunkId(event.id, index),
      sequence: null,
      at: event.at,
      type: event.type,
      payload: {
        message_id,
        text,
        chunk_index: index,
        is_complete: false,
        attachments: [],
        response_suggestions: [],
      },
      custom: event.custom,
    }
  })
  return [...earlier, { ...event, payload: last }]
}

/** The UUID of an earlier chunk in every replay: the last one's, with the chunk's index counted into its tail. */
function earlierChunkId(id: string, index: number): string {
  const tail = Number.parseInt(id.slice(-8), 16)
  if (!Number.isFinite(tail)) return `${id}-${index}`
  return id.slice(0, -8) + ((tail + index) % 0x1_0000_0000).toString(16).padStart(8, '0')
}
