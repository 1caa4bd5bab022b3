import type { AuditEntry } from '@colloquy/core'
import type { ConversationAppend, ConversationWrite } from '@colloquy/core/store'
import { aConversation, anAppend, anAuditEntry, anEvent, aTurn, START } from '@colloquy/core/testing'

/** A word of every turn. */
export const WORD = 'breakfast'

/** A conversation before anything was said. */
export const beginning = (id: string): ConversationWrite => aConversation(id, { events: [] })

export const turnOf = (id: string, version: number) => aTurn(`${WORD} ${id} ${version}`)

export const eventIdOf = (id: string, version: number): string => `${id}-${version}`

/** The write that makes version `version + 1` of a conversation: one event and one turn, some of them longer than a page. */
export function nextOf(
  { state, ...rest }: ConversationWrite,
  version: number,
  { finishes }: { readonly finishes: boolean },
): ConversationAppend & ConversationWrite {
  const id = rest.conversationId
  return anAppend({ ...rest, state }, version, {
    events: [
      anEvent({
        id: eventIdOf(id, version),
        clientEventId: `c-${version}`,
        payload: { text: `${id} said ${version}. ${'And so on. '.repeat((version * 131) % 700)}` },
      }),
    ],
    turns: [turnOf(id, version)],
    ...(finishes && { index: { finishedAt: START + 1 } }),
  })
}

/** The entry of the audit log that tells of a removal. */
export const removalOf = (id: string): AuditEntry =>
  anAuditEntry(`A-${id}`, { action: 'conversation.removed', resource: { type: 'conversation', id } })

/** A conversation of one process. */
export const idOf = (round: number, number: number) => `AS-${round}-${number}`
