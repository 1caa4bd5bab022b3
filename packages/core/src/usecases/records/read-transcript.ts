import { eventOf } from '../../domain/conversation/event.ts'
import type { RecordJson, TurnJson } from '../../domain/conversation/record.ts'
import { type TranscriptLine, transcriptLine } from '../../domain/conversation/transcript.ts'
import type { AccountId, AgentId, ConversationId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import type { Context } from '../context.ts'
import { recordKey } from './read-record.ts'

/** How much of a transcript was read: so many turns, and the log up to this event. */
export interface TranscriptPlace {
  readonly turns: number
  readonly sequence: number
}

/** Whose transcript is read. */
export interface TranscriptWanted {
  readonly accountId: AccountId
  readonly agentId: AgentId
  readonly conversationId: ConversationId
}

/** What follows a place of a transcript, and the conversation's record as it is now. */
export interface TranscriptPart {
  /** Without its turns. */
  readonly record: Pick<RecordJson, 'summary' | 'details'>
  readonly turns: readonly TurnJson[]
  readonly lines: readonly TranscriptLine[]
  /** Where the next part begins. */
  readonly next: TranscriptPlace
  /** Whether there is more by now. */
  readonly more: boolean
}

/** Events that are read at once, and bytes of them, and of turns: a part is soon there. */
const EVENTS = 500
const BYTES = 262_144

/**
 * What a conversation's transcript has after a place: what was said and by whom, from its log, and what the agent did
 * at each turn (RC71). A turn is there no later than its reply.
 *
 * @throws CONVERSATIONS_NOT_FOUND
 */
export async function readTranscript(
  context: Pick<Context, 'store' | 'settings'>,
  { accountId, agentId, conversationId }: TranscriptWanted,
  from: TranscriptPlace,
): Promise<TranscriptPart> {
  const { conversations } = context.store
  const id = await recordKey(context, accountId, agentId, conversationId)
  const bytes = Math.min(BYTES, context.settings.limits.sliceBytes)
  // Both are written at one instant: read in this order, no reply comes without its turn.
  const log = await conversations.eventPage(id, from.sequence, { count: EVENTS, bytes })
  const { turns, more } = await conversations.turnPage(id, from.turns, bytes)
  // Last: what was removed meanwhile is missing as a whole.
  const record = await conversations.records.find(accountId, agentId, id, 0)
  if (record === null)
    throw new PlatformError('CONVERSATIONS_NOT_FOUND', `The agent has no conversation ${conversationId}.`)
  return {
    record,
    turns,
    lines: log.events.flatMap(event => transcriptLine(eventOf(event)) ?? []),
    next: {
      turns: from.turns + turns.length,
      sequence: log.events.at(-1)?.sequence ?? from.sequence,
    },
    more: more || log.more,
  }
}
