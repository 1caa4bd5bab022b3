import type { CopyStore, DocumentGroups } from '@colloquy/core/store'
import type { ConversationWriting } from '../conversations/conversations.ts'
import type { Session } from '../database/session.ts'
import { copiedConversations } from './copied-conversations.ts'

/** Gives and takes everything that a SQLite file holds. */
export function createCopyStore(
  { define, snapshot, write }: Session,
  writing: ConversationWriting,
  documents: DocumentGroups['copies'],
): CopyStore {
  const conversations = copiedConversations(define, writing)
  const { words } = writing.listing
  return {
    ...documents,
    marks: (after, count) =>
      snapshot('read the marks of conversations', () => conversations.marks(after, count)),
    conversation: id => snapshot('read a conversation to copy', () => conversations.conversation(id)),
    takeConversations: async taken => {
      const added = await write('take copied conversations', () =>
        taken.reduce((sum, conversation) => sum + conversations.take(conversation), 0),
      )
      words.added(added)
    },
    dropConversations: ids =>
      write('drop copied conversations', () => {
        for (const id of ids) conversations.drop(id)
      }),
    handoffOrder: () => snapshot('read the order of handoffs', conversations.handoffOrder),
    orderHandoffs: order => write('order handoffs', () => conversations.orderHandoffs(order)),
  }
}
