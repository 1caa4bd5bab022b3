import { cutAtSpace } from '../../domain/conversation/chunks.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import type { Context } from '../context.ts'
import type { Live } from './live.ts'

/** Sends the text of a reply on as it comes, in chunks that end at spaces. */
export interface ReplyStream {
  push(text: string): void
  /** All chunks that were sent, and the rest as the last one. */
  finish(): readonly string[]
  readonly started: boolean
}

/** A stream for one reply of a session that streams. Text waits for `Settings.chunkFlush` at the most. */
export function createReplyStream(
  context: Context,
  live: Live,
  state: ConversationState,
  messageId: string,
): ReplyStream {
  const sent: string[] = []
  let buffer = ''
  let cancel: (() => void) | null = null

  function flush(): void {
    cancel = null
    const { ready, rest } = cutAtSpace(buffer)
    if (ready === '') return
    buffer = rest
    sent.push(ready)
    live.chunk(state.id, state.sequence, {
      type: 'AI_AGENT_MESSAGE_CHUNK',
      payload: {
        message_id: messageId,
        text: ready,
        chunk_index: sent.length,
        is_complete: false,
        attachments: [],
        response_suggestions: [],
      },
      custom: null,
      to: null,
    })
  }

  return {
    push(text) {
      buffer += text
      cancel ??= context.clock.schedule(context.settings.chunkFlush, flush)
    },
    finish() {
      cancel?.()
      return [...sent, buffer]
    },
    get started() {
      return sent.length > 0
    },
  }
}
