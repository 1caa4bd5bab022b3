import {
  type ConversationEvent,
  type NewEvent,
  type StoredTurn,
  type TurnWords,
  turnWords,
} from '@colloquy/core'
import type { ConversationStatements } from './conversation-statements.ts'
import { fromJson } from './json.ts'

/** No limit, in SQL. */
export const UNLIMITED = -1

/** An event as its row holds it. */
export interface EncodedEvent {
  readonly clientEventId: string | null
  readonly event: string
}

/** A turn as its row holds it. */
export interface EncodedTurn {
  readonly record: string
  readonly details: string
}

/** A turn on its way into its row, with the words that a search finds it by. */
export interface NewTurn extends EncodedTurn {
  readonly words: TurnWords
}

/** The ends of a conversation's two chains. */
export interface LogEnds {
  readonly sequence: number
  readonly lastEvent: number | null
  readonly lastTurn: number | null
}

export const encodeEvent = ({ id, at, type, payload, custom, clientEventId }: NewEvent): EncodedEvent => ({
  clientEventId,
  event: JSON.stringify({ id, at, type, payload, custom, clientEventId }),
})

export const encodeTurn = ({ record, details }: StoredTurn): NewTurn => ({
  record: JSON.stringify(record),
  details: JSON.stringify(details),
  words: turnWords({ record }),
})

/** The event of a row. */
export const toEvent = ({ sequence, event }: { sequence: number; event: string }): ConversationEvent => ({
  ...fromJson<NewEvent>(event),
  sequence,
})

/** The turn of a row. */
export const toTurn = ({ record, details }: EncodedTurn): StoredTurn => ({
  record: fromJson(record),
  details: fromJson(details),
})

/** Adds to both chains and says where they end now, and in which rows the turns are. */
export function writeLog(
  run: ConversationStatements,
  ends: LogEnds,
  events: readonly EncodedEvent[],
  turns: readonly EncodedTurn[],
): { readonly ends: LogEnds; readonly turnRows: readonly number[] } {
  let { sequence, lastEvent, lastTurn } = ends
  for (const { event } of events) {
    sequence++
    lastEvent = run.insertEvent.run({ previous: lastEvent, sequence, event }).row
  }
  const turnRows: number[] = []
  for (const { record, details } of turns) {
    lastTurn = run.insertTurn.run({ record, details, previous: lastTurn }).row
    turnRows.push(lastTurn)
  }
  return { ends: { sequence, lastEvent, lastTurn }, turnRows }
}

/** Remembers the clients' own ids of events that begin after `sequence`. */
export function rememberClientEvents(
  run: ConversationStatements,
  conversation: number,
  sequence: number,
  events: readonly EncodedEvent[],
): void {
  for (const [index, { clientEventId }] of events.entries()) {
    if (clientEventId === null) continue
    run.insertClientEvent.run({ conversation, clientEventId, sequence: sequence + index + 1 })
  }
}

/** The sequence of the first event here that the conversation has already; null when all are new. */
export function findDuplicate(
  run: ConversationStatements,
  conversation: number,
  events: readonly EncodedEvent[],
): number | null {
  for (const { clientEventId } of events) {
    if (clientEventId === null) continue
    const known = run.clientEvent.get({ conversation, clientEventId })
    if (known !== undefined) return known.sequence
  }
  return null
}

/** All turns up to `last` as the text of a JSON array. */
export function turnsText(run: ConversationStatements, last: number | null): string {
  if (last === null) return '[]'
  const records = run.turns.all({ last, limit: UNLIMITED }).map(turn => turn.record)
  return `[${records.reverse().join(',')}]`
}
