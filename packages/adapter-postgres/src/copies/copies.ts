import type { CopyStore } from '@colloquy/core/store'
import type { Session } from '../database/session.ts'
import { copiedConversations } from './copied-conversations.ts'
import { copiedDocuments } from './copied-documents.ts'

/** Gives and takes everything that a schema holds. */
export function createCopyStore(session: Session): CopyStore {
  const { define, transaction } = session
  const parts = copiedDocuments(define)
  const conversations = copiedConversations(session)
  return {
    page: (kind, after, bounds) => parts[kind].after(after, bounds),
    take: (kind, taken) => transaction('take copied parts', on => parts[kind].take(taken, on)),
    drop: (kind, keys) => transaction('drop copied parts', on => parts[kind].drop(keys, on)),
    marks: conversations.marks,
    conversation: conversations.conversation,
    takeConversations: conversations.take,
    dropConversations: conversations.drop,
    handoffOrder: conversations.handoffOrder,
    orderHandoffs: conversations.orderHandoffs,
  }
}
