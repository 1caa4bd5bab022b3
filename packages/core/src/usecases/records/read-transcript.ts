import { eventOf } from '../../domain/conversation/event.ts'
import type { RecordJson, TurnJson } from '../../domain/conversation/record.ts'
import { type TranscriptLine, transcriptLines } from '../../domain/conversation/transcript.ts'
import type { AccountId, AgentId, ConversationId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import type { Context } from '../context.ts'
import { recordKey } from './read-record.ts'

/** The position in a transcript: the number of turns read, and the log up to this event. */
export interface TranscriptPlace {
  readonly turns: number
  readonly sequence: number
}

/** The conversation whose transcript is read. */
export interface TranscriptWanted {
  readonly accountId: AccountId
  readonly agentId: AgentId
  readonly conversationId: ConversationId
}

/** The part of a transcript after a position, and the conversation's record as it is now. */
export interface TranscriptPart {
  /** Without its turns. */
  readonly record: Pick<RecordJson, 'summary' | 'details'>
  readonly turns: readonly TurnJson[]
  readonly lines: readonly TranscriptLine[]
  /** The start of the next part. */
  readonly next: TranscriptPlace
  /** Whether there is more by now. */
  readonly more: boolean
}

/** Events that are read at once, and bytes of them, and of turns: a part is soon there. */
const EVENTS = 500
const BYTES = 262_144

/**
 * Returns a conversation's transcript after a position: the messages with their authors, from its log, and the agent's
 * actions at each turn (RC71). A turn is there no later than its reply.
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
    lines: transcriptLines(log.events.map(eventOf)),
    next: {
      turns: from.turns + turns.length,
      sequence: log.events.at(-1)?.sequence ?? from.sequence,
    },
    more: more || log.more,
  }
}
