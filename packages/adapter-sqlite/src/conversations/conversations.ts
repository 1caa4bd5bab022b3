import type { ConversationIndex } from '@colloquy/core/domain'
import {
  type AppendResult,
  type ConversationAppend,
  type ConversationStore,
  type ConversationWrite,
  type DocumentGroups,
  eventOf,
  groupsOver,
} from '@colloquy/core/store'
import { fromJson } from '../database/json.ts'
import type { Session } from '../database/session.ts'
import type { Flag } from '../database/tables.ts'
import { createDocuments } from '../documents/documents.ts'
import type { OutboxKeeper } from '../outbox/outbox-keeper.ts'
import {
  type EncodedTurn,
  encodeEvent,
  encodeTurn,
  findClientEvent,
  findDuplicate,
  type LogEnds,
  NO_PAGE,
  newestTurns,
  readPage,
  readTail,
  readTurnPage,
  UNLIMITED,
  writeLog,
} from './conversation-log.ts'
import { type Listing, placeOf, replace, sharedOf, writeHandoff } from './conversation-place.ts'
import { type ConversationStatements, conversationStatements, withHeads } from './conversation-statements.ts'
import { externalEvents } from './external-events.ts'
import { writeRecord } from './finished-record.ts'
import { handoffs } from './handoffs.ts'
import { createIntervalPacking } from './intervals/interval-packing.ts'
import { createIntervalPlaces, PACKING_SIZES } from './intervals/interval-places.ts'
import { intervalStatements } from './intervals/interval-statements.ts'
import { intervalMethods } from './intervals/intervals.ts'
import { createLogErasure } from './log-erasure.ts'
import { messageKeyMethods } from './message-keys.ts'
import { createRecordCounts } from './record-counts.ts'
import { recordMethods, recordStatements } from './records.ts'
import { removalMethods } from './removals.ts'
import { createSearchWords } from './search-words.ts'
import { stateOf } from './state-parts.ts'
import { dueAfter, timerMethods } from './timers.ts'
import { turnVectorMethods } from './turn-vectors.ts'
import type { WordPlace } from './word-statements.ts'

/** A write in the form of its rows, independent of what the caller does with its argument from now on. */
const encode = ({ conversationId, events, turns, wakeAt }: ConversationWrite | ConversationAppend) => ({
  id: conversationId,
  log: { events: events.map(encodeEvent), turns: turns.map(encodeTurn) },
  wakeAt,
})

type Encoded = ReturnType<typeof encode>

const copyIndex = (index: ConversationIndex): ConversationIndex => ({
  ...index,
  handoff: index.handoff && { ...index.handoff },
  shared: index.shared && { ...index.shared },
})

const flag = (is: boolean): Flag => (is ? 1 : 0)

const NOTHING_YET: LogEnds = { sequence: 0, lastEvent: null, lastTurn: null }

type Run = ConversationStatements

function create(
  run: Run,
  listing: Listing,
  { id, state, log, wakeAt }: Encoded & { readonly state: string },
  index: ConversationIndex,
): 'created' | 'taken' {
  if (run.heads.get(id) !== undefined) return 'taken'
  const place = placeOf(run, index)
  const finished = flag(index.finishedAt !== null)
  const { row } = run.insert.run({ ...place, ...sharedOf(index), id, state })
  const ends = writeLog(run, row, NOTHING_YET, log)
  run.insertHead.run({ row, version: 1, ...ends, finished, wakeAt, changes: null })
  run.heads.keep(id, {
    row,
    version: 1,
    sequence: ends.sequence,
    last_event: ends.lastEvent,
    last_turn: ends.lastTurn,
    finished,
    wake_at: wakeAt,
    due_at: wakeAt,
    postponed: 0,
    scope: place.scope,
    started_at: place.startedAt,
  })
  if (finished === 1) writeRecord(run, row)
  writeHandoff(run, row, id, index)
  if (place.listed !== 0) listing.counts.add(place.scope, place.startedAt, 1)
  listing.intervals.add({ ...place, row })
  indexWords(listing, place, ends.lastTurn, log.turns)
  return 'created'
}

/** Has the words of turns indexed that were just written, the last of them being the newest of the conversation. */
function indexWords(
  { words }: Listing,
  place: WordPlace,
  last: number | null,
  turns: readonly EncodedTurn[],
) {
  // Turns of one write have rows that follow one another: a new row is one more than the highest.
  let row = (last ?? 0) - turns.length
  for (const { texts } of turns) words.wrote(++row, place, texts)
}

/** An append beside its log. One of `state` and `changes` is null. */
interface Advance {
  readonly expectedVersion: number
  /** JSON. */
  readonly state: string | null
  readonly changes: string | null
  readonly index: ConversationIndex | null
}

/** The one write of the hot path: the conversation's short row, the ends of two tables, and what has changed. */
function append(
  run: Run,
  listing: Listing,
  { id, log, wakeAt }: Encoded,
  { expectedVersion, state, changes, index }: Advance,
): AppendResult {
  const head = run.heads.get(id)
  if (head === undefined) return { status: 'stale' }
  const { row } = head
  const duplicate = findDuplicate(run, row, log.events)
  if (duplicate !== null) return { status: 'duplicate', sequence: duplicate }
  if (head.version !== expectedVersion) return { status: 'stale' }

  const ends = writeLog(
    run,
    row,
    { sequence: head.sequence, lastEvent: head.last_event, lastTurn: head.last_turn },
    log,
  )
  const wasFinished = head.finished
  const finished = index === null ? wasFinished : flag(index.finishedAt !== null)
  const { sequence, lastEvent, lastTurn } = ends
  // Written out: to add fields behind a spread takes V8 many times as long.
  const advance = {
    row,
    version: expectedVersion + 1,
    sequence,
    lastEvent,
    lastTurn,
    finished,
    wakeAt,
    changes,
  }
  run.advance.run(advance)
  const due = dueAfter(head, wakeAt)
  if (due !== null) run.setDue.run({ row, ...due })
  if (state !== null) run.setState.run({ row, state })
  const place = index === null ? null : replace(run, listing, { row, id }, index)
  head.version = expectedVersion + 1
  head.sequence = sequence
  head.last_event = lastEvent
  head.last_turn = lastTurn
  head.finished = finished
  head.wake_at = wakeAt
  if (due !== null) {
    head.due_at = due.dueAt
    head.postponed = due.postponed
  }
  if (place !== null) {
    head.scope = place.scope
    head.started_at = place.startedAt
  }
  run.heads.keep(id, head)
  if (log.turns.length > 0)
    indexWords(listing, { scope: head.scope, startedAt: head.started_at }, lastTurn, log.turns)
  if (finished === 1) writeRecord(run, row)
  else if (wasFinished === 1) run.setRecord.run({ row, summary: '', details: '', turns: null })
  return { status: 'appended' }
}

/** What conversations are written with. */
export type ConversationWriting = ReturnType<typeof conversationWriting>

/** Prepares what conversations are written with. */
export function conversationWriting(session: Session, keeper: OutboxKeeper, sizes = PACKING_SIZES) {
  const { define } = session
  const run = withHeads(conversationStatements(define))
  session.onStale(run.heads.forget)
  const counts = createRecordCounts(define)
  const words = createSearchWords(session, counts)
  const intervals = intervalStatements(define)
  const packing = createIntervalPacking(session, intervals, sizes)
  const listing: Listing = {
    counts,
    words,
    intervals: createIntervalPlaces(intervals, packing.finished, sizes),
  }
  const logs = createLogErasure(define, words, keeper)
  return { run, listing, logs, intervals, packing }
}

/** Conversations in SQLite. Arguments are read before a call returns, so later changes to them change nothing. */
export function createConversationStore(
  session: Session,
  keeper: OutboxKeeper,
  writing: ConversationWriting = conversationWriting(session, keeper),
  groups: DocumentGroups = groupsOver(createDocuments(session, keeper)),
): ConversationStore {
  const { read, snapshot, write } = session
  const { run, listing, logs, intervals, packing } = writing
  const { counts, words } = listing
  const records = recordStatements(session.define)
  const external = externalEvents(session, run, logs)
  const handoff = handoffs(session, run)

  return {
    create(conversation) {
      const encoded = { ...encode(conversation), state: JSON.stringify(conversation.state) }
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
        return { state: stateOf(row), version: row.version, pendingExternalEvents }
      }),
    version: id => read('read the version of a conversation', () => run.version.get({ id })?.version ?? null),
    append(given) {
      const encoded = encode(given)
      const { changes, expectedVersion } = given
      const advance = {
        expectedVersion,
        state: changes === null ? JSON.stringify(given.state) : null,
        changes: changes && JSON.stringify(changes),
        index: given.index && copyIndex(given.index),
      }
      const keep = keeper.keeping(given.outbox)
      const delivered = [...given.deliveredExternalEvents]
      const joinedWait = given.joinedWait && { ...given.joinedWait }
      return write('append to a conversation', () => {
        const result = append(run, listing, encoded, advance)
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
        return log === undefined ? NO_PAGE : readPage(run, log, after, { count, bytes })
      })
    },
    clientEvent: (id, clientIds) =>
      snapshot('find an event by its client id', () => {
        const log = run.head.get({ id })
        const sequence = log === undefined ? null : findClientEvent(run, log.row, clientIds)
        if (log === undefined || sequence === null) return null
        const [event] = readPage(run, log, sequence - 1, { count: 1, bytes: 1 }).events
        return event === undefined ? null : eventOf(event)
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
    textPairs: groups.textPairs,
    messageKeys: messageKeyMethods(session, run),
    outboundCalls: groups.outboundCalls,
    removals: removalMethods(session, run, listing, { logs, keeper }),
  }
}
