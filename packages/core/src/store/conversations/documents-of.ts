import { clientIds, type NewEvent } from '../../domain/conversation/event.ts'
import { projectRecord } from '../../domain/conversation/project-record.ts'
import type { StoredTurn } from '../../domain/conversation/record.ts'
import type { ConversationScope } from '../../ports/store/removals.ts'
import type { Batch } from '../documents.ts'
import {
  CLIENT_EVENT,
  CONVERSATION,
  CONVERSATION_SCOPE,
  EVENT,
  FINISHED_RECORD,
  type HeldConversation,
  type HeldTurn,
  LISTED_CONVERSATION,
  SAID_WORD,
  TIMER,
  TURN,
} from './kinds.ts'
import { listingOf, wordsOfTurn } from './placing.ts'

/** Of longer conversations lists read the turns themselves. */
const LONGEST_RECORD = 200

/** What is written and removed beside other things. */
export type Puts = NonNullable<Batch['put']>

/** What is added to the log of a conversation. */
export interface Added {
  readonly events: readonly NewEvent[]
  readonly turns: readonly StoredTurn[]
}

/** What a write adds to the log of a conversation, which has these counts then. */
export function logOf(
  held: HeldConversation,
  { events, turns }: Added,
  nextPlace: () => number,
): { readonly put: Puts; readonly turns: readonly HeldTurn[] } {
  const { id: conversationId } = held
  const logged = events.map((event, at) => ({
    conversationId,
    sequence: held.events - events.length + at + 1,
    event,
  }))
  const said = turns.map((turn, at) => ({
    ...turn,
    conversationId,
    number: held.turns - turns.length + at + 1,
    place: nextPlace(),
  }))
  return {
    turns: said,
    put: [
      ...logged.map(value => ({ kind: EVENT, value })),
      ...logged.flatMap(({ event, sequence }) =>
        clientIds(event).map(clientId => ({
          kind: CLIENT_EVENT,
          value: { conversationId, clientId, sequence },
        })),
      ),
      ...said.map(value => ({ kind: TURN, value })),
      ...said.flatMap(turn => wordsOfTurn(held, turn).map(value => ({ kind: SAID_WORD, value }))),
    ],
  }
}

/** When it is to be woken, by that wish or another one. */
export function timerOf({ id, version, wakeAt }: HeldConversation): Required<Pick<Batch, 'put' | 'remove'>> {
  if (wakeAt === null) return { put: [], remove: [{ kind: TIMER, id }] }
  return {
    put: [{ kind: TIMER, value: { conversationId: id, at: wakeAt, of: version, claims: 0, moves: 0 } }],
    remove: [],
  }
}

/** Whether a conversation's record is kept apart: it has finished, and is not long. */
export const hasRecord = ({ index, turns }: HeldConversation): boolean =>
  index.finishedAt !== null && turns <= LONGEST_RECORD

/** The record that lists hand on, of all turns. */
export function recordOf({ id, state, version }: HeldConversation, turns: readonly StoredTurn[]): Puts {
  const { details, summary } = projectRecord(state)
  const records = turns.map(({ record }) => record)
  return [{ kind: FINISHED_RECORD, value: { id, version, summary, details, turns: records } }]
}

/** The account, agent and environment of a conversation. */
export const scopeOf = ({
  index,
  state,
}: Pick<HeldConversation, 'index' | 'state'>): ConversationScope & { readonly version: 1 } => ({
  accountId: index.accountId,
  agentId: index.agentId,
  environment: state.environment,
  version: 1,
})

/** Everything that a conversation is kept as, with its whole log. */
export function documentsOf(held: HeldConversation, log: Added, nextPlace: () => number): Puts {
  const listing = listingOf(held)
  return [
    { kind: CONVERSATION, value: held },
    { kind: CONVERSATION_SCOPE, value: scopeOf(held) },
    ...(listing === null ? [] : [{ kind: LISTED_CONVERSATION, value: listing }]),
    ...logOf(held, log, nextPlace).put,
    ...timerOf(held).put,
    ...(hasRecord(held) ? recordOf(held, log.turns) : []),
  ]
}
