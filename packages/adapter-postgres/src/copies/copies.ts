import type { CopyStore, DocumentGroups } from '@colloquy/core/store'
import type { Session } from '../database/session.ts'
import { copiedConversations } from './copied-conversations.ts'

/** Gives and takes everything that a schema holds. */
export function createCopyStore(session: Session, documents: DocumentGroups['copies']): CopyStore {
  const conversations = copiedConversations(session)
  return {
    ...documents,
    marks: conversations.marks,
    conversation: conversations.conversation,
    takeConversations: conversations.take,
    dropConversations: conversations.drop,
    handoffOrder: conversations.handoffOrder,
    orderHandoffs: conversations.orderHandoffs,
  }
}
