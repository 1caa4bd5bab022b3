import { turnEventsText } from '../../domain/conversation/agent-record.ts'
import type { RecordJson, TurnJson } from '../../domain/conversation/record.ts'
import {
  beforeFunctionEvents,
  functionEventsOf,
  type RecordBeginning,
  v3RecordBeginning,
} from '../../domain/conversation/record-text.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { Json, JsonObject } from '../../domain/json.ts'
import type { RecordPage } from '../../ports/store/records.ts'
import type { TextResult } from '../route.ts'

/** The turns of a conversation, slice after slice. */
type ReadTurns = (id: ConversationId) => AsyncIterable<readonly TurnJson[]>

/** The form in which a list writes a record, and the text after the last one. */
export interface ListForm {
  readonly beginning: RecordBeginning
  /** Returns the rest of the object, for the last slice and the number of records. */
  endOf(last: RecordPage, records: number): string | Promise<string>
  /** Reads the turns of a record that are longer than a slice. */
  readonly turns: ReadTurns
  /**
   * The beginning of a record whose turns are longer than a slice, up to its first function event.
   * @default it has none
   */
  readonly beforeEvents?: RecordBeginning
  /** The form of a turn's function events. @default as items of a list */
  readonly eventsOf?: TurnEvents
  /** @default as it is stored */
  readonly turnText?: TurnText
}

/** The texts of a turn's function events among those of its record, by the turn's place, from 0. */
interface TurnEvents {
  of(calls: readonly Json[], index: number): readonly string[]
  readonly end: ']' | '}'
}

/** Writes a turn as text. */
type TurnText = (turn: JsonObject) => string

const LISTED: TurnEvents = { of: calls => calls.map(call => JSON.stringify(call)), end: ']' }

/** The events of a record of the Agents API: an object with the turns' numbers as its keys. */
export const BY_TURN: TurnEvents = { of: turnEventsText, end: '}' }

/** Returns the items of an array, slice after slice, with commas between. */
async function* items(slices: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  let first = true
  for await (const slice of slices) {
    if (slice.length === 0) continue
    yield `${first ? '' : ','}${slice.join(',')}`
    first = false
  }
}

/** Returns the slices of a conversation's turns, of at most `limit` turns each. */
async function* ofTurns(
  pages: AsyncIterable<readonly TurnJson[]>,
  textsOf: (turn: TurnJson) => readonly string[],
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<readonly string[]> {
  let left = most
  for await (const turns of pages) {
    yield turns.slice(0, left).flatMap(textsOf)
    left -= turns.length
    if (left <= 0) return
  }
}

const recordsOf =
  (turnText: TurnText | undefined) =>
  ({ record }: TurnJson): readonly string[] => [turnText === undefined ? record.text : turnText(record.value)]

/** Returns a record with its turns. Null if these are longer than a slice. */
function wholeRecord(
  json: RecordJson,
  { beginning, turnText }: Pick<ListForm, 'beginning' | 'turnText'>,
): string | null {
  if (json.turns === null) return null
  const turns = turnText === undefined ? json.turns.text : `[${json.turns.value.map(turnText).join(',')}]`
  return `${beginning(json)}${turns}}`
}

/** Returns the records of a slice: those with their turns as one text, others turn by turn. */
async function* recordPieces({ records }: RecordPage, form: ListForm): AsyncGenerator<string> {
  let whole: string[] = []
  for (const { id, json } of records) {
    const record = wholeRecord(json, form)
    if (record !== null) {
      whole.push(record)
      continue
    }
    if (form.beforeEvents !== undefined) {
      yield [...whole, ''].join(',')
      yield* longRecord(form.beforeEvents(json), form, () => form.turns(id))
      whole = ['']
      continue
    }
    yield [...whole, `${form.beginning(json)}[`].join(',')
    yield* items(ofTurns(form.turns(id), recordsOf(form.turnText)))
    whole = [']}']
  }
  // The end of a long record needs no comma before it.
  yield whole.join(',')
}

/**
 * Returns a list of conversations as JSON. One slice is one text. More slices go out one by one, each read when the one
 * before has left (RC44). The first slice is read before there is a response, so that its refusal has a status.
 */
export async function recordList(
  slices: AsyncIterable<RecordPage>,
  limit: number,
  form: ListForm,
): Promise<TextResult> {
  const iterator = slices[Symbol.asyncIterator]()
  const first = await iterator.next()
  const page: RecordPage = first.done === true ? { records: [], more: false } : first.value
  const isWhole =
    (!page.more || page.records.length >= limit) && page.records.every(({ json }) => json.turns !== null)
  if (isWhole) {
    const records = page.records.map(({ json }) => wholeRecord(json, form)).join(',')
    return {
      status: 200,
      text: `{"conversations":[${records}]${await form.endOf(page, page.records.length)}}`,
    }
  }
  async function* chunks(): AsyncGenerator<string> {
    yield '{"conversations":['
    yield* recordPieces(page, form)
    let last = page
    let records = page.records.length
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      last = next.value
      // White space shows clients, and proxies on the way, that the search goes on.
      if (last.records.length === 0) yield ' '
      else {
        if (records > 0) yield ','
        yield* recordPieces(last, form)
      }
      records += last.records.length
    }
    yield `]${await form.endOf(last, records)}}`
  }
  return { status: 200, chunks: chunks() }
}

/** Returns a record whose turns are longer than a slice: its function events, and then its turns. */
async function* longRecord(
  beginning: string,
  { eventsOf = LISTED, turnText }: Pick<ListForm, 'eventsOf' | 'turnText'>,
  turns: () => AsyncIterable<readonly TurnJson[]>,
): AsyncGenerator<string> {
  let count = 0
  yield beginning
  yield* items(
    ofTurns(turns(), turn => {
      count++
      return eventsOf.of(functionEventsOf(turn), count - 1)
    }),
  )
  yield `${eventsOf.end},"turns":[`
  yield* items(ofTurns(turns(), recordsOf(turnText), count))
  yield ']}'
}

/** The form of one record with its function events. */
export interface RecordForm extends Pick<ListForm, 'beginning' | 'eventsOf' | 'turnText'> {
  readonly beforeEvents: RecordBeginning
}

/** The form of a record of v3. */
export const V3_RECORD: RecordForm = { beginning: v3RecordBeginning, beforeEvents: beforeFunctionEvents }

/** Returns one record with its function events. If its turns are longer than a slice, chunk by chunk. */
export function recordAnswer(
  json: RecordJson,
  form: RecordForm,
  turns: () => AsyncIterable<readonly TurnJson[]>,
): TextResult {
  const text = wholeRecord(json, form)
  return text === null
    ? { status: 200, chunks: longRecord(form.beforeEvents(json), form, turns) }
    : { status: 200, text }
}
