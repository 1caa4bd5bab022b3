import type { ConversationNote } from '../../domain/conversation/note.ts'
import type { AddedNote, ChangedNote, NoteStore } from '../../ports/store/notes.ts'
import type { Condition } from '../documents.ts'
import { absent, changed, type Guarded, plain, unchanged, versioned } from '../guarded.ts'
import { idOf } from '../kind-parts.ts'
import { CONVERSATION_NOTE } from '../kinds.ts'
import { CONVERSATION } from './kinds.ts'

/** Notes of colleagues about conversations. */
export function notesOver({ decided, one, scan }: Guarded): NoteStore {
  async function last(conversationId: string): Promise<number> {
    const range = { prefix: [conversationId], descending: true, limit: 1 }
    return (await scan(CONVERSATION_NOTE, 'conversation', range))[0]?.number ?? 0
  }

  /** Number of notes of a conversation, counted up to a limit. Changes have used numbers too. */
  async function count(conversationId: string, limit: number): Promise<number> {
    return (await scan(CONVERSATION_NOTE, 'conversation', { prefix: [conversationId], limit })).length
  }

  const isFree = (conversationId: string, number: number): Condition => ({
    ...{ kind: CONVERSATION_NOTE, index: 'conversation' },
    ...{ prefix: [conversationId, number], atMost: 0 },
  })

  return {
    last,
    add: (given, most) =>
      decided<AddedNote>(async () => {
        const { accountId, conversationId } = given
        const held = await one(CONVERSATION, conversationId)
        if (held?.index.accountId !== accountId) return { result: { status: 'missing' } }
        const id = idOf(conversationId, given.id)
        const known = await one(CONVERSATION_NOTE, id)
        if (known !== null) return { result: { status: 'duplicate', note: plain<ConversationNote>(known) } }
        const number = (await last(conversationId)) + 1
        if (number > most && (await count(conversationId, most)) >= most)
          return { result: { status: 'full' } }
        const note = { ...given, number }
        return {
          when: [
            absent(CONVERSATION_NOTE, id),
            isFree(conversationId, number),
            // A note must not outlive a conversation that is being removed.
            unchanged(CONVERSATION, held),
          ],
          put: [{ kind: CONVERSATION_NOTE, value: versioned(note) }],
          result: { status: 'added', note },
        }
      }),
    change: ({ accountId, at, author, conversationId, id, text }, seen) =>
      decided<ChangedNote>(async () => {
        const known = await one(CONVERSATION_NOTE, idOf(conversationId, id))
        if (known?.accountId !== accountId) return { result: { status: 'missing' } }
        if (known.author.id !== author.id) return { result: { status: 'foreign' } }
        if (known.text === text)
          return { result: { status: 'changed', note: plain<ConversationNote>(known) } }
        if (known.number !== seen) return { result: { status: 'stale' } }
        const number = (await last(conversationId)) + 1
        const next = changed(known, { text, number, changedAt: at })
        return {
          when: [unchanged(CONVERSATION_NOTE, known), isFree(conversationId, number)],
          put: [{ kind: CONVERSATION_NOTE, value: next }],
          result: { status: 'changed', note: plain<ConversationNote>(next) },
        }
      }),
    list: async (conversationId, after, limit) => {
      const range = { prefix: [conversationId], from: after + 1, limit }
      return (await scan(CONVERSATION_NOTE, 'conversation', range)).map(plain<ConversationNote>)
    },
  }
}
