import * as z from 'zod'
import type { InputOf } from '../../calls/call.ts'
import type { ConnectorInfo } from '../../domain/access/access.ts'
import type { ChatReply } from '../../domain/conversation/replies.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import { lookUntil } from '../conversation/reply/look-until.ts'
import type { ChatParts } from './chat-parts.ts'
import { findChat } from './find-chat.ts'
import { repliesAfter } from './numbered-replies.ts'

/** Replies after one, in order. */
export interface ChatReplies {
  readonly replies: readonly ChatReply[]
  /** The `after` to ask with next. */
  readonly next: number
}

/** The schema of {@link RepliesQuery}. */
export const repliesQuerySchema = z.object({
  conversationId: z.string(),
  /** The number of the newest reply that the caller has. @default the newest that was returned */
  after: z.int().min(0).exactOptional(),
  /** The longest time to wait for a reply, milliseconds. @default 0 */
  wait: z.number().min(0).max(30_000).exactOptional(),
})

/** The replies to read. */
export type RepliesQuery = InputOf<typeof repliesQuerySchema>

/** A call is noted as a sign of life at most this many times in the time after which a chat is over. */
const NOTES = 60

/** Returns the replies after a given one. Waits for a reply that is to come, unless the chat is over (TC20). */
export async function readReplies(
  deps: ChatParts,
  connector: ConnectorInfo,
  query: RepliesQuery,
): Promise<ChatReplies> {
  const { engine } = deps
  const { conversationId, wait = 0 } = query
  const named = { connector, conversationId }
  const asked = await findChat(deps, engine, named)
  const { id } = asked
  const after = query.after ?? asked.chat?.told ?? 0
  const now = deps.clock.now()
  if (isNew(asked, after, now)) await engine.execute(id, { type: 'replies_asked', after, seenAt: now })
  const state = await lookUntil(deps, id, {
    look: () => findChat(deps, engine, named),
    isEnough: ({ chat, endedAt }) => endedAt !== null || (chat?.replies ?? 0) > after,
    wait,
  })
  const replies = (state.chat?.replies ?? 0) > after ? await repliesAfter(deps, id, after) : []
  return { replies, next: replies.at(-1)?.index ?? after }
}

/** Reports whether the call tells the conversation something new: its acknowledgements, or that the caller is there. */
const isNew = ({ chat, endedAt, idleTimeout, seenAt }: ConversationState, after: number, now: number) =>
  after > (chat?.told ?? 0) || (endedAt === null && now - seenAt >= idleTimeout / NOTES)
