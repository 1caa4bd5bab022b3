import type { ConversationEvent } from '../../domain/conversation/event.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import { textOfEvent } from '../../domain/conversation/transcript.ts'
import { shortened } from '../../domain/cut-text.ts'
import type { Context } from '../context.ts'
import { newestFirst } from '../conversation/turn/read-log.ts'

/** The newest words of a visitor, as lists show them. */
export interface LastLine {
  /** At most 200 characters; a longer one ends with an ellipsis. */
  readonly text: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

const LENGTH = 200

/** Events at the end of a log in which it is looked for. */
const LOOKED = 48

/** Returns a visitor's message as lists show it. */
export const lineOf = (event: ConversationEvent): LastLine => ({
  text: shortened(textOfEvent(event).replaceAll('\n', ' '), LENGTH),
  at: event.at,
})

/** Reads the newest words of a conversation's visitor (DK640). Null if the end of the log has none. */
export async function readLastLine(
  { store }: Pick<Context, 'store'>,
  { id, sequence }: Pick<ConversationState, 'id' | 'sequence'>,
): Promise<LastLine | null> {
  for await (const event of newestFirst(store.conversations, id, sequence, LOOKED))
    if (event.type === 'USER_MESSAGE') return lineOf(event)
  return null
}
