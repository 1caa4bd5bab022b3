import type { StoredTurn } from '../../domain/conversation/record.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { Context } from '../context.ts'

/** The largest number of turns of a conversation to replay (TE45). */
const MOST_TURNS = 100

/** The first turns of a recorded conversation. */
export interface RecordedTurns {
  readonly turns: readonly StoredTurn[]
  /** Whether it has more than are replayed. */
  readonly more: boolean
}

/** Reads as many turns of a conversation as are replayed; none when there is no such conversation. */
export async function recordedTurns(
  { conversations }: Context['store'],
  { limits: { sliceBytes } }: Context['settings'],
  key: ConversationId,
): Promise<RecordedTurns> {
  const turns: StoredTurn[] = []
  for (let more = true; more && turns.length <= MOST_TURNS; ) {
    const page = await conversations.turnPage(key, turns.length, sliceBytes)
    turns.push(...page.turns.map(({ record, details }) => ({ record: record.value, details: details.value })))
    // A conversation that is removed meanwhile has none any more.
    more = page.more && page.turns.length > 0
  }
  return { turns: turns.slice(0, MOST_TURNS), more: turns.length > MOST_TURNS }
}
