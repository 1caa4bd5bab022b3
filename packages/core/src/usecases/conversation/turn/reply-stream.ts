import { cutChunk } from '../../../domain/conversation/chunks.ts'
import type { EventPayloads } from '../../../domain/conversation/event-payloads.ts'
import type { ActiveTurn, ConversationState } from '../../../domain/conversation/state.ts'
import type { Context } from '../../context.ts'
import type { Ephemeral } from '../../room/ephemeral.ts'

/** Sends the text of a reply on as it comes, in chunks (MS30). */
export interface ReplyStream {
  push(text: string): void
  /** Returns all chunks that were sent, and the rest as the last one. */
  finish(): readonly string[]
  /** Sends nothing more. */
  stop(): void
  readonly started: boolean
}

/** The reply that is streamed. */
export interface StreamedReply {
  readonly state: ConversationState
  readonly turn: ActiveTurn
  readonly messageId: string
}

/**
 * Creates a stream for one attempt at a reply, in a session that streams. The first piece of text is held until a
 * second one arrives, so a runtime that yields its whole reply at once sends one chunk. After that, text is buffered
 * for `Settings.chunkFlush`, or until more than `Settings.chunkLength` is buffered: fast replies are streamed too.
 */
export function createReplyStream(
  context: Pick<Context, 'clock' | 'settings'>,
  ephemeral: Pick<Ephemeral, 'chunk'>,
  { state, turn, messageId }: StreamedReply,
): ReplyStream {
  const sent: string[] = []
  let buffer = ''
  let cancel: (() => void) | null = null
  let over = false

  function flush(): void {
    cancel?.()
    cancel = null
    const { ready, rest } = cutChunk(buffer)
    if (ready === '') return
    buffer = rest
    sent.push(ready)
    ephemeral.chunk(state, turn, {
      type: 'AI_AGENT_MESSAGE_CHUNK',
      payload: {
        message_id: messageId,
        text: ready,
        chunk_index: sent.length,
        is_complete: false,
        attachments: [],
        response_suggestions: [],
      } satisfies EventPayloads['AI_AGENT_MESSAGE_CHUNK'],
      custom: null,
      to: null,
    })
  }

  function stop(): void {
    over = true
    cancel?.()
  }

  return {
    push(text) {
      if (over || text === '') return
      const full = buffer.length + text.length > context.settings.chunkLength
      if (buffer !== '' && (full || sent.length === 0)) flush()
      buffer += text
      cancel ??= context.clock.schedule(context.settings.chunkFlush, flush)
    },
    finish() {
      stop()
      return [...sent, buffer]
    },
    stop,
    get started() {
      return sent.length > 0
    },
  }
}
