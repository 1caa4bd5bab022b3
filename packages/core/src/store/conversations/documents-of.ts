import { clientIds, type NewEvent } from '../../domain/conversation/event.ts'
import { projectRecord } from '../../domain/conversation/project-record.ts'
import type { StoredTurn } from '../../domain/conversation/record.ts'
import { hasRecording } from '../../domain/conversation/turn-recording.ts'
import type { ConversationScope } from '../../ports/store/removals.ts'
import type { HeldConversation } from './held.ts'
import {
  CLIENT_EVENT,
  CONVERSATION,
  CONVERSATION_STATE,
  FINISHED_RECORD,
  type HeldTurn,
  LISTED_CONVERSATION,
  RECORDED_TURNS,
  TURN,
} from './kinds.ts'
import { listingOf, type Puts } from './placing.ts'
import { type Progress, stepsOf } from './steps.ts'
import { timerAfter } from './timer-change.ts'

/** The most turns in a stored record. Lists read the turns themselves of longer conversations. */
const LONGEST_RECORD = 200

/** The additions of a write to the log of a conversation. */
export interface Added {
  readonly events: readonly NewEvent[]
  readonly turns: readonly StoredTurn[]
}

/** Returns the documents that a write adds to the log of a conversation, and the conversation's progress after it. */
export function logOf(
  held: Omit<Progress, 'first'>,
  { events, turns }: Added,
  nextPlace: () => number,
): { readonly put: Puts; readonly turns: readonly HeldTurn[] } {
  const { id: conversationId, log } = held
  const said = turns.map((turn, at) => ({
    ...turn,
    conversationId,
    log,
    number: held.turns - turns.length + at + 1,
    place: nextPlace(),
  }))
  return {
    turns: said,
    put: [
      ...stepsOf(held, events),
      ...events.flatMap((event, at) =>
        clientIds(event).map(clientId => ({
          kind: CLIENT_EVENT,
          value: { log, clientId, sequence: held.events - events.length + at + 1 },
        })),
      ),
      ...said.map(value => ({ kind: TURN, value })),
    ],
  }
}

/** Reports whether a conversation's record is stored separately: it has finished, and is not long. */
export const hasRecord = ({ index, turns }: Pick<HeldConversation, 'index' | 'turns'>): boolean =>
  index.finishedAt !== null && turns <= LONGEST_RECORD

/** Returns the record that lists hand on, of all turns. */
export function recordOf(
  { id, state, version }: Pick<HeldConversation, 'id' | 'state' | 'version'>,
  turns: readonly StoredTurn[],
): Puts {
  const { details, summary } = projectRecord(state)
  const records = turns.map(({ record }) => record)
  return [{ kind: FINISHED_RECORD, value: { id, version, summary, details, turns: records } }]
}

/**
 * Returns what finds a finished conversation once its recordings are too old.
 *
 * @param turns null: they are too many to look at
 */
export function recordedOf(
  { id, index, log }: Pick<HeldConversation, 'id' | 'index' | 'log'>,
  turns: readonly StoredTurn[] | null,
  nextPlace: () => number,
): Puts {
  if (index.finishedAt === null || turns?.some(hasRecording) === false) return []
  const value = { id, version: nextPlace(), log, finishedAt: index.finishedAt, after: 0 }
  return [{ kind: RECORDED_TURNS, value }]
}

/** Returns the account, agent and environment of a conversation. */
export const scopeOf = ({
  index,
  state,
}: Pick<HeldConversation, 'index' | 'state'>): ConversationScope & { readonly version: 1 } => ({
  accountId: index.accountId,
  agentId: index.agentId,
  environment: state.environment,
  version: 1,
})

/** Returns the part of a conversation that lists know. */
export function indexedOf({
  handoffPlace,
  id,
  index,
  indexed,
  log,
  wakeAt,
}: Omit<HeldConversation, 'state' | 'changes' | 'added'>): Puts {
  const isOver = index.finishedAt !== null && wakeAt === null
  return [{ kind: CONVERSATION, value: { id, version: indexed, log, index, handoffPlace, isOver } }]
}

/**
 * Returns all documents of a conversation, with its whole log. Its scope, and the intervals that figures count, are not
 * among them.
 */
export function documentsOf(
  held: Omit<HeldConversation, 'added'>,
  log: Added,
  nextPlace: () => number,
): Puts {
  const listing = listingOf(held)
  const { state, ...rest } = held
  return [
    ...logOf(held, log, nextPlace).put,
    { kind: CONVERSATION_STATE, value: { id: held.id, version: held.whole, state } },
    ...indexedOf(rest),
    ...(listing === null ? [] : [{ kind: LISTED_CONVERSATION, value: listing }]),
    ...timerAfter({ ...held, version: held.version - 1 }, held.wakeAt, false).put,
    ...(hasRecord(held) ? recordOf(held, log.turns) : []),
    ...recordedOf(held, log.turns, nextPlace),
  ]
}
