import { clientIds, type NewEvent, type StoredTurn } from '@colloquy/core/domain'
import {
  type EventJson,
  type EventPage,
  jsonText,
  payloadText,
  type TurnJson,
  turnText,
} from '@colloquy/core/store'
import { fromJson } from '../database/json.ts'
import { sidedWords } from './search-words.ts'

/** An event as its row holds it. */
export interface EncodedEvent {
  readonly clientIds: readonly string[]
  /** All but the payload. */
  readonly head: string
  readonly payload: string
}

/** A turn as its row holds it. */
export interface EncodedTurn {
  readonly record: string
  readonly details: string
  /** See search-words.ts. */
  readonly words: string
}

/** What a write adds to a log. */
export interface EncodedLog {
  readonly events: readonly EncodedEvent[]
  readonly turns: readonly EncodedTurn[]
}

export const encodeEvent = (event: NewEvent): EncodedEvent => {
  const { id, at, type, custom, clientEventId, localId } = event
  return {
    clientIds: clientIds(event),
    head: JSON.stringify({ id, at, type, custom, clientEventId, localId }),
    payload: payloadText(event),
  }
}

export const encodeTurn = (turn: StoredTurn): EncodedTurn => ({
  ...turnText(turn),
  words: sidedWords(turn),
})

/** A row of a log. */
export interface EventRow {
  readonly sequence: number
  readonly head: string
  readonly payload: string
}

/** The event of a row. */
export const toEvent = ({ sequence, head, payload }: EventRow): EventJson => ({
  ...fromJson<Omit<NewEvent, 'payload'>>(head),
  sequence,
  payload: jsonText(payload),
})

/** The turn of a row. */
export const toTurn = ({ record, details }: Pick<EncodedTurn, 'record' | 'details'>): StoredTurn => ({
  record: fromJson(record),
  details: fromJson(details),
})

/** The turn of a row, as it is handed on. */
export const toTurnJson = ({ record, details }: Pick<EncodedTurn, 'record' | 'details'>): TurnJson => ({
  record: jsonText(record),
  details: jsonText(details),
})

/** A row of a page, with the conversation's version and its newest sequence; without an event where none follows. */
export type PageRow = (EventRow | { readonly sequence: null }) & {
  readonly newest: number
  readonly version: number
}

/** The page of these rows; none of them where there is no conversation. */
export function toPage(rows: readonly PageRow[]): EventPage {
  const events = rows.flatMap(row => (row.sequence === null ? [] : toEvent(row)))
  const { newest = 0, version = null } = rows.at(-1) ?? {}
  return { events, more: newest > (events.at(-1)?.sequence ?? newest), version }
}

/** An event's JSON is never shorter, in bytes. */
const SHORTEST_EVENT = 64

/** How many events are looked at for a page: bytes alone would have a long log read to its end. */
export const eventsWithin = (count: number, bytes: number): number =>
  Math.max(1, Math.min(count, Math.ceil(bytes / SHORTEST_EVENT)))
