import type { ConversationIndex } from '@colloquy/core/domain'
import {
  type AppendResult,
  type ConversationAppend,
  type ConversationStore,
  type ConversationWrite,
  recordHead,
} from '@colloquy/core/store'
import { fromJson } from '../database/json.ts'
import type { Session } from '../database/session.ts'
import type { OutboxKeeper } from '../outbox/outbox-keeper.ts'
import {
  encodeEvent,
  encodeTurn,
  findClientEvent,
  type LogEnds,
  newestTurns,
  readPage,
  readTail,
  readTurnPage,
  rememberEvents,
  turnsText,
  UNLIMITED,
  writeLog,
} from './conversation-log.ts'
import { type Listing, placeOf, replace, writeHandoff } from './conversation-place.ts'
import { type ConversationStatements, conversationStatements } from './conversation-statements.ts'
import { externalEvents } from './external-events.ts'
import { handoffs } from './handoffs.ts'
import { createIntervalPacking } from './intervals/interval-packing.ts'
import { createIntervalPlaces, PACKING_SIZES } from './intervals/interval-places.ts'
import { intervalStatements } from './intervals/interval-statements.ts'
import { intervalMethods } from './intervals/intervals.ts'
import { createLogErasure } from './log-erasure.ts'
import { createRecordCounts } from './record-counts.ts'
import { recordMethods, recordStatements } from './records.ts'
import { removalMethods } from './removals.ts'
import { createSearchWords } from './search-words.ts'
import { timerMethods } from './timers.ts'
import { turnVectorMethods } from './turn-vectors.ts'

/** A write in the form of its rows, independent of what the caller does with its argument from now on. */
function encode({ conversationId, state, events, turns, wakeAt }: ConversationWrite | ConversationAppend) {
  const { summary, details } = recordHead(state)
  return {
    id: conversationId,
    state: JSON.stringify(state),
    events: events.map(encodeEvent),
    turns: turns.map(encodeTurn),
    head: { summary: JSON.stringify(summary), details: JSON.stringify(details) },
    wakeAt,
  }
}

type Encoded = ReturnType<typeof encode>

const copyIndex = (index: ConversationIndex): ConversationIndex => ({
  ...index,
  handoff: index.handoff && { ...index.handoff },
})

/**
 * Bytes of the turns that a finished conversation keeps as one text besides; longer ones are put together from the
 * chain.
 */
const KEPT_WHOLE = 4_194_304

const NOTHING_YET: LogEnds = { sequence: 0, lastEvent: null, lastTurn: null }

type Run = ConversationStatements

function create(
  run: Run,
  { counts, words, intervals }: Listing,
  { id, state, head, events, turns, wakeAt }: Encoded,
  index: ConversationIndex,
): 'created' | 'taken' {
  if (run.head.get({ id }) !== undefined) return 'taken'
  const { ends, anchors, turnRows } = writeLog(run, NOTHING_YET, events, turns)
  const place = placeOf(run, index)
  const text = index.finishedAt === null ? null : turnsText(run, ends.lastTurn, KEPT_WHOLE)
  const { row } = run.insert.run({ ...place, ...ends, ...head, id, state, wakeAt, turns: text })
  rememberEvents(run, row, { sequence: 0, events, anchors })
  words.add(row, place, turnRows, turns)
  writeHandoff(run, row, id, index)
  if (place.listed !== 0) counts.add(place.scope, place.startedAt, 1)
  intervals.add({ ...place, row })
  return 'created'
}

/** The one write of the hot path: it touches the conversation's row, the ends of two tables, and what has changed. */
function append(
  run: Run,
  listing: Listing,
  { id, state, head, events, turns, wakeAt }: Encoded,
  { version, index }: { readonly version: number; readonly index: ConversationIndex | null },
): AppendResult {
  const before = run.head.get({ id })
  if (before === undefined) return { status: 'stale' }
  const { row, sequence, finished_at: finishedBefore } = before
  const duplicate = findClientEvent(
    run,
    row,
    events.flatMap(event => event.clientIds),
  )
  if (duplicate !== null) return { status: 'duplicate', sequence: duplicate }
  if (before.version !== version) return { status: 'stale' }

  const { ends, anchors, turnRows } = writeLog(
    run,
    { sequence, lastEvent: before.last_event, lastTurn: before.last_turn },
    events,
    turns,
  )
  rememberEvents(run, row, { sequence, events, anchors })
  listing.words.add(row, { scope: before.scope, startedAt: before.started_at }, turnRows, turns)
  const body = { ...ends, ...head, row, state }
  if (wakeAt === before.wake_at) run.advance.run(body)
  else run.advanceAndWake.run({ ...body, wakeAt })
  if (index !== null) replace(run, listing, { row, id }, index)
  const finishedAt = index === null ? finishedBefore : index.finishedAt
  if (finishedAt !== null && (finishedBefore === null || turns.length > 0)) {
    run.setTurns.run({ row, turns: turnsText(run, ends.lastTurn, KEPT_WHOLE) })
  } else if (finishedAt === null && finishedBefore !== null) {
    run.setTurns.run({ row, turns: null })
  }
  return { status: 'appended' }
}

/** Conversations in SQLite. Arguments are read before a call returns, so later changes to them change nothing. */
export function createConversationStore(
  session: Session,
  keeper: OutboxKeeper,
  sizes = PACKING_SIZES,
): ConversationStore {
  const { define, read, snapshot, write } = session
  const run = conversationStatements(define)
  const records = recordStatements(define)
  const counts = createRecordCounts(define)
  const words = createSearchWords(define, counts)
  const intervals = intervalStatements(define)
  const packing = createIntervalPacking(session, intervals, sizes)
  const places = createIntervalPlaces(intervals, packing.finished, sizes)
  const listing: Listing = { counts, words, intervals: places }
  const logs = createLogErasure(define, words, keeper)
  const external = externalEvents(session, run, logs)
  const handoff = handoffs(session, run)

  return {
    async create(conversation) {
      const encoded = encode(conversation)
      const index = copyIndex(conversation.index)
      const keep = keeper.keeping(conversation.outbox)
      return write('create a conversation', () => {
        logs.free(encoded.id)
        const result = create(run, listing, encoded, index)
        if (result === 'created') keep()
        return result
      })
    },
    load: id =>
      read('load a conversation', () => {
        const row = run.load.get({ id })
        if (row === undefined) return null
        const pendingExternalEvents = fromJson<readonly string[]>(row.pending)
        return { state: fromJson(row.state), version: row.version, pendingExternalEvents }
      }),
    async append(given) {
      const encoded = encode(given)
      const expected = { version: given.expectedVersion, index: given.index && copyIndex(given.index) }
      const keep = keeper.keeping(given.outbox)
      const delivered = [...given.deliveredExternalEvents]
      const joinedWait = given.joinedWait && { ...given.joinedWait }
      return write('append to a conversation', () => {
        const result = append(run, listing, encoded, expected)
        if (result.status !== 'appended') return result
        external.delivered(encoded.id, delivered)
        keep()
        if (joinedWait !== null) handoff.joined(joinedWait)
        return result
      })
    },
    async eventPage(id, after, bounds) {
      const operation = 'read a page of a conversation'
      const { count, bytes } = bounds
      const tail = await read(operation, () => readTail(run, id, after, { count, bytes }))
      if (tail !== null) return tail
      return snapshot(operation, () => {
        const log = run.head.get({ id })
        return log === undefined ? { events: [], more: false } : readPage(run, log, after, { count, bytes })
      })
    },
    clientEvent: (id, clientIds) =>
      snapshot('find an event by its client id', () => {
        const log = run.head.get({ id })
        const sequence = log === undefined ? null : findClientEvent(run, log.row, clientIds)
        if (log === undefined || sequence === null) return null
        return readPage(run, log, sequence - 1, { count: 1, bytes: 1 }).events[0] ?? null
      }),
    turns: (id, limit = UNLIMITED, bytes = Number.POSITIVE_INFINITY) =>
      snapshot('read the turns of a conversation', () => {
        const last = run.head.get({ id })?.last_turn ?? null
        return last === null ? [] : newestTurns(run, last, limit, bytes)
      }),
    turnPage: (id, after, bytes) =>
      snapshot('read a page of the turns of a conversation', () =>
        readTurnPage(run, run.head.get({ id })?.last_turn ?? null, after, bytes),
      ),
    listOpen: agentId => read('list open conversations', () => run.open.all({ agentId }).map(({ id }) => id)),

    timers: timerMethods(session, run),
    externalEvents: external.methods,
    handoffs: handoff.methods,
    records: recordMethods(session, { run, records, counts, words }),
    intervals: intervalMethods(session, run, intervals, packing),
    turnVectors: turnVectorMethods(session, { run, records }),
    removals: removalMethods(session, run, listing, { logs, keeper }),
  }
}
