import { z } from 'zod'
import { chunkId } from '../domain/conversation/chunk-id.ts'
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
 * chunk with the texts before it in `chunks`, and becomes the chunks after index `sentChunks` and the last one. The last one
 * alone is in the log; those before it have the sequence before its own, so that a client that has not got all of them asks
 * for the reply again (contract/messaging.md, Streaming; MS4).
 *
 * @param sentChunks how many of the earlier chunks the receiver has
 */
export function* unfold(event: ConversationEvent, sentChunks: number): Generator<ServerEvent> {
  if (event.type !== 'AI_AGENT_MESSAGE_CHUNK') {
    yield event
    return
  }
  const { chunks: _, ...last } = event.payload
  const folded = foldedSchema.safeParse(event.payload)
  const { message_id, chunks } = folded.success ? folded.data : { message_id: '', chunks: [] }
  for (let index = sentChunks + 1; index <= chunks.length; index++) {
    yield {
      id: chunkId(message_id, index),
      sequence: event.sequence - 1,
      at: event.at,
      type: event.type,
      payload: {
        message_id,
        text: chunks[index - 1] ?? '',
        chunk_index: index,
        is_complete: false,
        attachments: [],
        response_suggestions: [],
      },
      custom: event.custom,
    }
  }
  yield { ...event, payload: last }
}
