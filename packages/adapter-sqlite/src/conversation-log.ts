import {
  type ConversationEvent,
  clientIds,
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
  readonly clientIds: readonly string[]
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

export const encodeEvent = (event: NewEvent): EncodedEvent => {
  const { id, at, type, payload, custom, clientEventId, localId } = event
  return {
    clientIds: clientIds(event),
    event: JSON.stringify({ id, at, type, payload, custom, clientEventId, localId }),
  }
}

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
  for (const [index, { clientIds }] of events.entries()) {
    for (const clientEventId of clientIds) {
      run.insertClientEvent.run({ conversation, clientEventId, sequence: sequence + index + 1 })
    }
  }
}

/** The sequence of the conversation's event that carries the first known one of these ids; null when all are new. */
export function findClientEvent(
  run: ConversationStatements,
  conversation: number,
  clientIds: readonly string[],
): number | null {
  for (const clientEventId of clientIds) {
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
