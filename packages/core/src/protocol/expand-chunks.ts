import * as z from 'zod'
import { chunkId } from '../domain/conversation/chunk-id.ts'
import type { ConversationEvent } from '../domain/conversation/event.ts'
import type { ServerEvent } from './envelope.ts'

const foldedSchema = z.object({ message_id: z.string(), chunks: z.array(z.string()) })

/** A chunk's message and its position there, from 1. */
export interface ChunkPosition {
  readonly messageId: string
  readonly index: number
}

const positionSchema = z.object({ message_id: z.string(), chunk_index: z.number() })

/** Returns the reply and the index of a chunk. Returns null for any other event. */
export function chunkPosition(event: Pick<ServerEvent, 'type' | 'payload'>): ChunkPosition | null {
  if (event.type !== 'AI_AGENT_MESSAGE_CHUNK') return null
  const position = positionSchema.safeParse(event.payload)
  return position.success ? { messageId: position.data.message_id, index: position.data.chunk_index } : null
}

/**
 * Returns the events on the wire for one event of the log: the event itself, unless it is a finished stream. The log
 * keeps that as its last chunk, with the texts of the earlier chunks in `chunks`. It becomes the chunks after index
 * `sentChunks`, and the last one. The earlier ones have the sequence before that of the last, so that a client that
 * lacks some of them asks for the reply again (contract/messaging.md, Streaming; MS29).
 *
 * @param sentChunks how many of the earlier chunks the receiver has
 */
export function* expandChunks(event: ConversationEvent, sentChunks: number): Generator<ServerEvent> {
  if (event.type !== 'AI_AGENT_MESSAGE_CHUNK') {
    yield event
    return
  }
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
  yield withoutChunks(event)
}

/** Returns the event on the wire for a receiver that has the earlier chunks, if it is a finished stream. */
export function withoutChunks(event: ConversationEvent): ServerEvent {
  if (event.type !== 'AI_AGENT_MESSAGE_CHUNK') return event
  const { chunks: _, ...payload } = event.payload
  return { ...event, payload }
}
