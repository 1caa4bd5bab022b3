import type { CopiedKind, CopiedParts, CopyKey, CopyStore } from '@colloquy/core/store'
import type { ConversationWriting } from '../conversations/conversations.ts'
import type { Session } from '../database/session.ts'
import { copiedConversations } from './copied-conversations.ts'
import { type Copied, copiedDocuments } from './copied-documents.ts'

/** Gives and takes everything that a SQLite file holds. */
export function createCopyStore(
  { define, snapshot, write }: Session,
  writing: ConversationWriting,
): CopyStore {
  const parts = copiedDocuments(define)
  const conversations = copiedConversations(define, writing)
  const { words } = writing.listing

  function page<Kind extends CopiedKind>(
    kind: Kind,
    after: CopyKey | null,
    { count, bytes }: { readonly count: number; readonly bytes: number },
  ): readonly CopiedParts[Kind][] {
    const copied: Copied<CopiedParts[Kind]> = parts[kind]
    const found: CopiedParts[Kind][] = []
    let length = 0
    for (const part of copied.after(after, count)) {
      length += JSON.stringify(part).length
      if (found.length > 0 && length > bytes) break
      found.push(part)
    }
    return found
  }

  return {
    page: (kind, after, bounds) => snapshot('read a page to copy', () => page(kind, after, bounds)),
    take: (kind, taken) =>
      write('take copied parts', () => {
        for (const part of taken) parts[kind].take(part)
      }),
    drop: (kind, keys) =>
      write('drop copied parts', () => {
        for (const key of keys) parts[kind].drop(key)
      }),
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
