import type { ReceivedEvent } from '../../src/testing/index.ts'

interface Receiver {
  readonly received: readonly ReceivedEvent[]
}

/** The chunks that a client has received, in order. */
export const chunksOf = ({ received }: Receiver): readonly ReceivedEvent[] =>
  received.filter(({ type }) => type === 'EVENT_TYPE_AI_AGENT_MESSAGE_CHUNK')

/** What a client has of each reply, complete or not, put together by chunk index; in the order in which they began. */
export function assembled(receiver: Receiver): readonly string[] {
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

/** The complete replies, as a client shows them: what was never completed is dropped (MS31). */
export function replies(receiver: Receiver): readonly string[] {
  const complete = new Set(
    chunksOf(receiver).flatMap(({ payload }) => (payload.is_complete === true ? [payload.message_id] : [])),
  )
  return assembled({ received: receiver.received.filter(({ payload }) => complete.has(payload.message_id)) })
}
