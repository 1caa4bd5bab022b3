import type { StoredTurn, TurnJson } from '../../domain/conversation/record.ts'
import { type NumberedReply, replyOf } from '../../domain/conversation/replies.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { Context } from '../context.ts'

type Reading = Pick<Context, 'settings' | 'store'>

/** The numbers of newest turns to search before all others. A call was mostly made just now, and so was its retry. */
const NEWEST = [1, 20]

/** Returns a stored turn, parsed. */
export const storedTurn = ({ record, details }: TurnJson): StoredTurn => ({
  record: record.value,
  details: details.value,
})

/** Returns whether a turn has that id. */
export const isOf =
  (turnId: string) =>
  ({ details }: StoredTurn): boolean =>
    details.turn_id === turnId

/** Returns the turn of that id. Null when there is none. */
export async function turnOf(
  { settings, store }: Reading,
  id: ConversationId,
  turnId: string,
): Promise<StoredTurn | null> {
  const isIt = isOf(turnId)
  const bytes = settings.limits.sliceBytes
  for (const limit of NEWEST) {
    const newest = await store.conversations.turns(id, limit, bytes)
    const found = newest.find(isIt)
    if (found !== undefined || newest.length < limit) return found ?? null
  }
  for (let after = 0; ; ) {
    const { turns, more } = await store.conversations.turnPage(id, after, bytes)
    const turn = turns.map(storedTurn).find(isIt)
    if (turn !== undefined || !more) return turn ?? null
    after += turns.length
  }
}

/**
 * Returns the replies after a given one, in order. As many as one slice of the conversation's turns has, and at least
 * one if there is one. A reply is never an earlier turn than its number says, because failed turns have none.
 */
export async function repliesAfter(
  { settings, store }: Reading,
  id: ConversationId,
  index: number,
): Promise<readonly NumberedReply[]> {
  for (let after = index; ; ) {
    const { turns, more } = await store.conversations.turnPage(id, after, settings.limits.sliceBytes)
    const replies = turns.flatMap(turn => {
      const reply = replyOf(storedTurn(turn))
      return reply === null || reply.index <= index ? [] : [reply]
    })
    if (replies.length > 0 || !more) return replies
    after += turns.length
  }
}
