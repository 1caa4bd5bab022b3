import type { Json } from '@colloquy/core'

/** An event of AG-UI 1.0 that a run tells. */
export type AgUiEvent =
  | { readonly type: 'RUN_STARTED' | 'RUN_FINISHED'; readonly threadId: string; readonly runId: string }
  | { readonly type: 'RUN_ERROR'; readonly message: string; readonly code: string }
  | { readonly type: 'STATE_SNAPSHOT'; readonly snapshot: Json }
  | { readonly type: 'TEXT_MESSAGE_START'; readonly messageId: string; readonly role: 'assistant' }
  | { readonly type: 'TEXT_MESSAGE_CONTENT'; readonly messageId: string; readonly delta: string }
  | { readonly type: 'TEXT_MESSAGE_END'; readonly messageId: string }
  | { readonly type: 'CUSTOM'; readonly name: string; readonly value: Json }

/** Returns an event as a stream of server-sent events carries it. */
export const eventText = (event: AgUiEvent): string => `data: ${JSON.stringify(event)}\n\n`
