import type { ConversationNote } from '../../domain/conversation/note.ts'
import type { AddedNote, NoteStore } from '../../ports/store/notes.ts'
import { absent, type Guarded, plain, unchanged, versioned } from '../guarded.ts'
import { CONVERSATION_NOTE } from '../kinds.ts'
import { CONVERSATION } from './kinds.ts'

/** Notes of colleagues about conversations. */
export function notesOver({ decided, one, scan }: Guarded): NoteStore {
  async function last(conversationId: string): Promise<number> {
    const range = { prefix: [conversationId], descending: true, limit: 1 }
    return (await scan(CONVERSATION_NOTE, 'conversation', range))[0]?.number ?? 0
  }

  return {
    last,
    add: (given, most) =>
      decided<AddedNote>(async () => {
        const { accountId, conversationId } = given
        const held = await one(CONVERSATION, conversationId)
        if (held?.index.accountId !== accountId) return { result: { status: 'missing' } }
        const id = CONVERSATION_NOTE.id(versioned({ ...given, number: 0 }))
        const known = await one(CONVERSATION_NOTE, id)
        if (known !== null) return { result: { status: 'duplicate', note: plain<ConversationNote>(known) } }
        const number = (await last(conversationId)) + 1
        if (number > most) return { result: { status: 'full' } }
        const note = { ...given, number }
        return {
          when: [
            absent(CONVERSATION_NOTE, id),
            { kind: CONVERSATION_NOTE, index: 'conversation', prefix: [conversationId, number], atMost: 0 },
            // A note must not outlive a conversation that is being removed.
            unchanged(CONVERSATION, held),
          ],
          put: [{ kind: CONVERSATION_NOTE, value: versioned(note) }],
          result: { status: 'added', note },
        }
      }),
    list: async (conversationId, after, limit) => {
      const range = { prefix: [conversationId], from: after + 1, limit }
      return (await scan(CONVERSATION_NOTE, 'conversation', range)).map(plain<ConversationNote>)
    },
  }
}
