import type { ConversationId } from '@colloquy/core'
import {
  clientIds,
  JOURNALED_EVENT_TYPES,
  type JsonObject,
  type NewEvent,
  type StoredTurn,
} from '@colloquy/core/domain'
import {
  type EventJson,
  type EventPage,
  type EventPageBounds,
  jsonText,
  payloadText,
  type TurnJson,
  type TurnPage,
  type TurnText,
  type TurnTexts,
  turnText,
  turnTexts,
} from '@colloquy/core/store'
import { fromJson } from '../database/json.ts'
import type { ConversationStatements } from './conversation-statements.ts'

/** No limit, in SQL. */
export const UNLIMITED = -1

/** An event as its row holds it. */
export interface EncodedEvent {
  readonly clientIds: readonly string[]
  readonly event: string
}

/** A turn on its way into its row. */
export interface EncodedTurn {
  readonly text: TurnText
  /** What its two sides said. */
  readonly texts: TurnTexts
}

/** The ends of a conversation's two chains. */
export interface LogEnds {
  readonly sequence: number
  readonly lastEvent: number | null
  readonly lastTurn: number | null
}

/** Comes before the payload, the last field. No line ends elsewhere in JSON that is written without white space. */
const BEFORE_PAYLOAD = ',"payload":\n'

/** The JSON of what nearly all events do not have. */
const orNull = (value: object | string | null): string => (value === null ? 'null' : JSON.stringify(value))

export const encodeEvent = (event: NewEvent): EncodedEvent => {
  const { id, at, type, custom, clientEventId, localId } = event
  const local = localId === undefined ? '' : `,"localId":${JSON.stringify(localId)}`
  const head = `{"id":${JSON.stringify(id)},"at":${at},"type":"${type}","custom":${orNull(custom)},"clientEventId":${orNull(clientEventId)}${local}`
  return { clientIds: clientIds(event), event: `${head}${BEFORE_PAYLOAD}${payloadText(event)}}` }
}

export const encodeTurn = (turn: StoredTurn): EncodedTurn => ({
  text: turnText(turn),
  texts: turnTexts(turn),
})

/** What {@link encodeEvent} writes before the payload of nearly every event: a replay reads thousands of them. */
const USUAL_HEAD =
  /^\{"id":"([^"\\]*)","at":(\d+),"type":"([A-Z_]+)","custom":null,"clientEventId":(?:null|"([^"\\]*)"),"payload":\n/

const TYPES: ReadonlyMap<string, NewEvent['type']> = new Map(JOURNALED_EVENT_TYPES.map(type => [type, type]))

/** The event of a row whose head is of the usual form; null of another one. */
function usualEvent(sequence: number, text: string): EventJson | null {
  const match = USUAL_HEAD.exec(text)
  if (match === null) return null
  const [head, id = '', at, name = '', clientEventId = null] = match
  const type = TYPES.get(name)
  if (type === undefined) return null
  const payload = jsonText<JsonObject>(text.slice(head.length, -1))
  return { id, at: Number(at), type, custom: null, clientEventId, sequence, payload }
}

/** The event of a row. */
function toEvent(sequence: number, text: string): EventJson {
  const usual = usualEvent(sequence, text)
  if (usual !== null) return usual
  const end = text.indexOf(BEFORE_PAYLOAD)
  const head = fromJson<Omit<NewEvent, 'payload'>>(`${text.slice(0, end)}}`)
  return { ...head, sequence, payload: jsonText(text.slice(end + BEFORE_PAYLOAD.length, -1)) }
}

/** The turn of a row. */
const toTurn = ({ record, details }: TurnText): StoredTurn => ({
  record: fromJson(record),
  details: fromJson(details),
})

/**
 * One event in this many of a conversation is found by its sequence; the others are found from the next of these, by
 * going back in the chain. So most writes touch nothing but the end of the chain, a short conversation has no anchor at
 * all, and no event of a long one is further than this from one.
 */
const ANCHOR_INTERVAL = 32

/**
 * Adds to both chains of a conversation, which end at `ends`, and remembers by what the events are found. Returns where
 * the chains end now.
 */
export function writeLog(
  run: ConversationStatements,
  conversation: number,
  ends: LogEnds,
  { events, turns }: { readonly events: readonly EncodedEvent[]; readonly turns: readonly EncodedTurn[] },
): LogEnds {
  let { sequence, lastEvent, lastTurn } = ends
  for (const { event, clientIds } of events) {
    sequence++
    lastEvent = run.insertEvent.run({ previous: lastEvent, sequence, event }).row
    if (sequence % ANCHOR_INTERVAL === 0) run.insertAnchor.run({ conversation, sequence, row: lastEvent })
    for (const clientEventId of clientIds)
      run.insertClientEvent.run({ conversation, clientEventId, sequence })
  }
  for (const { text } of turns) {
    const { record, details } = text
    lastTurn = run.insertTurn.run({ previous: lastTurn, record, details, conversation }).row
  }
  return { sequence, lastEvent, lastTurn }
}

/** The sequence of the event that is in the log already and carries a client id of these; null when all are new. */
export function findDuplicate(
  run: ConversationStatements,
  conversation: number,
  events: readonly EncodedEvent[],
): number | null {
  for (const { clientIds } of events) {
    const known = clientIds.length === 0 ? null : findClientEvent(run, conversation, clientIds)
    if (known !== null) return known
  }
  return null
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

/** A conversation's log as it is found. */
interface LogPlace {
  readonly row: number
  readonly version: number
  readonly sequence: number
  readonly last_event: number | null
}

/** Events behind a position up to the newest, or up to an anchor. */
interface Stretch {
  readonly after: number
  /** The sequence of the last one, and its row. */
  readonly sequence: number
  readonly row: number | null
}

/** A log of no more events than this is read with one statement. */
const READ_AT_ONCE = 256

/** Between the texts of events: JSON has it in no place. */
export const BETWEEN_EVENTS = '\u001e'

/** The events that end with that sequence, from their texts, newest first. */
function toEvents(joined: string | null, last: number): readonly EventJson[] {
  const texts = joined === null ? [] : joined.split(BETWEEN_EVENTS)
  return texts.map((text, index) => toEvent(last - index, text)).reverse()
}

/** Of no conversation. */
export const NO_PAGE: EventPage = { events: [], more: false, version: null }

/** A page up to the end of a log, where that is short; null where it is not. */
export function readTail(
  run: ConversationStatements,
  id: ConversationId,
  after: number,
  { count, bytes }: EventPageBounds,
): EventPage | null {
  const tail = run.tail.get({ id, after, bytes, most: Math.min(count, READ_AT_ONCE) })
  if (tail === undefined) return NO_PAGE
  const { sequence, version } = tail
  if (sequence <= after) return { events: [], more: false, version }
  if (tail.events === null) return null
  const events = toEvents(tail.events, sequence)
  return events.length === sequence - after ? { events, more: false, version } : null
}

/** All events of a stretch with their bytes; null where it has more than the page may hold. */
function readWhole(
  run: ConversationStatements,
  { after, sequence, row }: Stretch,
  { count, bytes }: EventPageBounds,
): { readonly events: readonly EventJson[]; readonly bytes: number } | null {
  if (sequence - after > count) return null
  const texts = run.stretchTexts.get({ last: row, after, bytes })
  const events = toEvents(texts?.events ?? null, sequence)
  return events.length === sequence - after ? { events, bytes: texts?.bytes ?? 0 } : null
}

/** The events of a stretch as far as the page may hold them, one by one. */
function readPart(
  run: ConversationStatements,
  { after, row }: Stretch,
  { count, bytes }: EventPageBounds,
  isFirst: boolean,
): readonly EventJson[] {
  const events: EventJson[] = []
  let length = 0
  for (const place of run.stretch.all({ last: row, after }).toReversed()) {
    length += place.bytes
    const fits = events.length < count && length <= bytes
    if (!fits && !(isFirst && events.length === 0)) break
    const text = run.eventText.get({ row: place.row })?.event
    if (text === undefined) throw new Error('An event of the chain is not there.')
    events.push(toEvent(place.sequence, text))
  }
  return events
}

/** A page of a log: see the port. Reads the texts of those events alone that the page holds. */
export function readPage(
  run: ConversationStatements,
  log: LogPlace,
  after: number,
  { count, bytes }: EventPageBounds,
): EventPage {
  const { version } = log
  const events: EventJson[] = []
  let length = 0
  for (let position = after; position < log.sequence; position = after + events.length) {
    if (events.length > 0 && events.length >= count) return { events, more: true, version }
    const anchor = run.anchorAfter.get({ conversation: log.row, after: position })
    const stretch = {
      after: position,
      sequence: anchor?.sequence ?? log.sequence,
      row: anchor?.event ?? log.last_event,
    }
    const left = { count: count - events.length, bytes: bytes - length }
    const whole = readWhole(run, stretch, left)
    if (whole === null) {
      const part = readPart(run, stretch, left, events.length === 0)
      const page = [...events, ...part]
      return { events: page, more: after + page.length < log.sequence, version }
    }
    events.push(...whole.events)
    length += whole.bytes
  }
  return { events, more: false, version }
}

/**
 * All turns up to `last` as the text of a JSON array; null when that has more bytes. Reads from the newest turn on, and
 * no further than to the turn with which it is certain.
 */
export function turnsText(run: ConversationStatements, last: number | null, bytes: number): string | null {
  if (last === null) return '[]'
  const records: string[] = []
  let length = 1
  for (const { record } of run.turnRecords.each({ last })) {
    length += Buffer.byteLength(record) + 1
    if (length > bytes) return null
    records.push(record)
  }
  return `[${records.reverse().join(',')}]`
}

const bytesOf = ({ record, details }: TurnText): number =>
  Buffer.byteLength(record) + Buffer.byteLength(details)

/** The newest turns up to `last` within a number of bytes, in order: see the port. */
export function newestTurns(
  run: ConversationStatements,
  last: number,
  limit: number,
  bytes: number,
): readonly StoredTurn[] {
  const turns: StoredTurn[] = []
  let length = 0
  for (const turn of run.turns.each({ last, limit })) {
    length += bytesOf(turn)
    if (turns.length > 0 && length > bytes) break
    turns.push(toTurn(turn))
  }
  return turns.reverse()
}

/** A page of the turns up to `last`: see the port. Reads the texts of those turns alone that the page holds. */
export function readTurnPage(
  run: ConversationStatements,
  last: number | null,
  after: number,
  bytes: number,
): TurnPage {
  const following = run.turnPlaces.all({ last }).toReversed().slice(after)
  const turns: TurnJson[] = []
  let length = 0
  for (const place of following) {
    length += place.bytes
    if (turns.length > 0 && length > bytes) break
    const turn = run.turnText.get({ row: place.row })
    if (turn === undefined) throw new Error('A turn of the chain is not there.')
    turns.push({ record: jsonText(turn.record), details: jsonText(turn.details) })
  }
  return { turns, more: turns.length < following.length }
}
