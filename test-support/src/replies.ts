import { expect } from 'vitest'
import { chunkId } from '../../packages/core/src/domain/conversation/chunk-id.ts'
import {
  createFieldClient,
  type FieldClient,
  type ReceivedEvent,
} from '../../packages/core/src/testing/index.ts'

interface Receiver {
  readonly received: readonly ReceivedEvent[]
  /** The same as frames, batches folded: then a client of the field has to come to the same. */
  readonly frames?: readonly ReceivedEvent[]
}

/**
 * The events of the log among those that a client has received. Chunks before the last one carry a sequence, and stand
 * in none.
 */
export const logged = <Event extends Pick<ReceivedEvent, 'sequence' | 'payload'>>(events: readonly Event[]) =>
  events.flatMap(event => {
    const { sequence, payload } = event
    return sequence === null || payload.is_complete === false ? [] : [{ ...event, sequence }]
  })

/** A client of the field, after the frames of these connections, in this order. */
export function fieldClient(
  ...connections: readonly { readonly frames: readonly ReceivedEvent[] }[]
): FieldClient {
  const client = createFieldClient()
  for (const { frames } of connections) for (const frame of frames) client.take(frame)
  return client
}

/**
 * Checks everything that a connection is sent after its cursor: indexes follow one another, and no chunk oversteps a
 * sequence.
 */
export function expectStream({ received }: Receiver, cursor = 0): void {
  let newest = cursor
  const next = new Map<unknown, number>()
  for (const { id, sequence, type, payload } of received) {
    if (type === 'EVENT_TYPE_AI_AGENT_MESSAGE_CHUNK') {
      const { message_id: messageId, chunk_index: index } = payload
      expect(index).toBe(next.get(messageId) ?? 1)
      next.set(messageId, Number(index) + 1)
      expect(id).toBe(chunkId(String(messageId), Number(index)))
      if (payload.is_complete === false) expect(sequence).toBe(newest)
    }
    newest = Math.max(newest, sequence ?? 0)
  }
}

/** The chunks that a client has received, in order. */
export const chunksOf = ({ received }: Receiver): readonly ReceivedEvent[] =>
  received.filter(({ type }) => type === 'EVENT_TYPE_AI_AGENT_MESSAGE_CHUNK')

/**
 * Returns the client's text of each reply, complete or not, put together by chunk index, in the order in which they
 * began. A client of the field puts them together in its own way, and must get the same.
 */
export function assembled(receiver: Receiver): readonly string[] {
  const texts = byIndex(receiver)
  if (receiver.frames !== undefined) expect(fieldClient({ frames: receiver.frames }).texts()).toEqual(texts)
  return texts
}

function byIndex(receiver: Receiver): readonly string[] {
  const messages = new Map<unknown, Map<number, string>>()
  for (const { payload } of chunksOf(receiver)) {
    const texts = messages.get(payload.message_id) ?? new Map<number, string>()
    messages.set(payload.message_id, texts.set(Number(payload.chunk_index), String(payload.text)))
  }
  return [...messages.values()].map(texts =>
    [...texts.entries()]
      .sort(([one], [other]) => one - other)
      .map(([, text]) => text)
      .join(''),
  )
}

/** The complete replies, as a client shows them: what was never completed is dropped (MS29). */
export function replies(receiver: Receiver): readonly string[] {
  const complete = new Set(
    chunksOf(receiver).flatMap(({ payload }) => (payload.is_complete === true ? [payload.message_id] : [])),
  )
  assembled(receiver)
  return byIndex({ received: receiver.received.filter(({ payload }) => complete.has(payload.message_id)) })
}
