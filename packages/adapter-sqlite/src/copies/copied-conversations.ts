import type { ConversationId } from '@colloquy/core'
import {
  type ConversationMark,
  type ConversationToTake,
  type CopiedConversation,
  type CopiedExternalEvent,
  eventOf,
} from '@colloquy/core/store'
import { sql } from 'kysely'
import {
  encodeEvent,
  encodeTurn,
  newestTurns,
  readPage,
  UNLIMITED,
  writeLog,
} from '../conversations/conversation-log.ts'
import { placeOf, replace, sharedOf, writeHandoff } from '../conversations/conversation-place.ts'
import type { ConversationWriting } from '../conversations/conversations.ts'
import { eventStatements } from '../conversations/external-events.ts'
import { writeRecord } from '../conversations/finished-record.ts'
import { removalStatements } from '../conversations/removal-statements.ts'
import { dropping } from '../conversations/removals.ts'
import { stateOf } from '../conversations/state-parts.ts'
import { fromJson } from '../database/json.ts'
import type { Define } from '../database/statements.ts'

const WHOLE = { count: Number.MAX_SAFE_INTEGER, bytes: Number.MAX_SAFE_INTEGER } as const

const statements = (define: Define) => ({
  marks: define<{ id: string; count: number }>()((db, p) =>
    sql<ConversationMark>`
      select id, started_at as startedAt, version, wake_at as wakeAt,
        (select count(*) from external_event where conversation_id = conversation.id) as externalEvents
      from conversation join conversation_head on conversation_head.row = conversation.row
      where id > ${p('id')} order by id limit ${p('count')}`.compile(db),
  ),
  externalEvents: define<{ id: ConversationId }>()((db, p) =>
    sql<{
      readonly eventId: string
      readonly contentType: string | null
      readonly body: Uint8Array | null
      readonly receivedAt: number | null
    }>`
      select event_id as eventId, content_type as contentType, body, received_at as receivedAt
      from external_event where conversation_id = ${p('id')} order by event_id`.compile(db),
  ),
  dropExternalEvents: define<{ id: ConversationId }>()((db, p) =>
    db.deleteFrom('external_event').where('conversation_id', '=', p('id')).compile(),
  ),
  dropPendingEvents: define<{ id: ConversationId }>()((db, p) =>
    db.deleteFrom('pending_external_event').where('conversation_id', '=', p('id')).compile(),
  ),
  handoffs: define()(db => db.selectFrom('handoff').select('conversation_id as id').orderBy('row').compile()),
  lastHandoff: define<{ id: ConversationId }>()((db, p) =>
    sql<never>`update handoff set row = (select max(row) + 1 from handoff) where conversation_id = ${p('id')}`.compile(
      db,
    ),
  ),
})

function toExternalEvent({
  eventId,
  contentType,
  body,
  receivedAt,
}: {
  readonly eventId: string
  readonly contentType: string | null
  readonly body: Uint8Array | null
  readonly receivedAt: number | null
}): CopiedExternalEvent {
  if (body === null || receivedAt === null) return { eventId, arrived: null }
  const text = Buffer.from(body).toString('base64')
  return { eventId, arrived: { contentType: contentType ?? '', body: text, receivedAt } }
}

/** Conversations as they are copied. What writes is to be called inside a write. */
export function copiedConversations(define: Define, { run, listing, logs }: ConversationWriting) {
  const own = statements(define)
  const events = eventStatements(define)
  const removal = removalStatements(define)
  const drop = dropping(removal, run, listing, logs)

  function takeExternalEvents({
    id,
    state,
    externalEvents,
    pendingExternalEvents,
  }: ConversationToTake): void {
    const { accountId, agentId } = state
    own.dropPendingEvents.run({ id })
    own.dropExternalEvents.run({ id })
    for (const { eventId, arrived } of externalEvents) {
      events.expect.run({ eventId, conversationId: id, accountId, agentId })
      if (arrived === null) continue
      const { contentType, receivedAt } = arrived
      events.keep.run({ eventId, contentType, body: Buffer.from(arrived.body, 'base64'), receivedAt })
    }
    for (const eventId of pendingExternalEvents) events.insertPending.run({ eventId, conversationId: id })
  }

  function takeNew({ id, version, state, wakeAt, index, ...log }: ConversationToTake): number {
    logs.free(id)
    const place = placeOf(run, index)
    const { row } = run.insert.run({ ...place, ...sharedOf(index), id, state: JSON.stringify(state) })
    const ends = writeLog(
      run,
      row,
      { sequence: 0, lastEvent: null, lastTurn: null },
      { events: log.events.map(encodeEvent), turns: log.turns.map(encodeTurn) },
    )
    const finished = index.finishedAt === null ? 0 : 1
    run.insertHead.run({ row, version, ...ends, finished, wakeAt, changes: null })
    if (finished === 1) writeRecord(run, row)
    writeHandoff(run, row, id, index)
    if (place.listed !== 0) listing.counts.add(place.scope, place.startedAt, 1)
    listing.intervals.add({ ...place, row })
    return log.turns.length
  }

  function takeOn(
    { id, version, state, wakeAt, index, ...log }: ConversationToTake,
    head: NonNullable<ReturnType<typeof run.head.get>>,
  ): number {
    const { row, sequence, last_event: lastEvent, last_turn: lastTurn } = head
    const turns = log.turns.slice(run.turnPlaces.all({ last: lastTurn }).length)
    const ends = writeLog(
      run,
      row,
      { sequence, lastEvent, lastTurn },
      { events: log.events.slice(sequence).map(encodeEvent), turns: turns.map(encodeTurn) },
    )
    const finished = index.finishedAt === null ? 0 : 1
    run.advance.run({ row, version, ...ends, finished, wakeAt, changes: null })
    run.setWake.run({ row, wakeAt })
    run.setState.run({ row, state: JSON.stringify(state) })
    replace(run, listing, { row, id }, index)
    if (finished === 1) writeRecord(run, row)
    else if (head.finished === 1) run.setRecord.run({ row, summary: '', details: '', turns: null })
    return turns.length
  }

  return {
    marks: (after: ConversationId | null, count: number) => own.marks.all({ id: after ?? '', count }),
    conversation(id: ConversationId): CopiedConversation | null {
      const row = run.load.get({ id })
      const head = run.head.get({ id })
      if (row === undefined || head === undefined) return null
      return {
        id,
        version: row.version,
        state: stateOf(row),
        wakeAt: head.wake_at,
        events: readPage(run, head, 0, WHOLE).events.map(eventOf),
        turns: head.last_turn === null ? [] : newestTurns(run, head.last_turn, UNLIMITED, WHOLE.bytes),
        externalEvents: own.externalEvents.all({ id }).map(toExternalEvent),
        pendingExternalEvents: fromJson<readonly string[]>(row.pending),
      }
    },
    /** Returns how many turns it has added. */
    take(conversation: ConversationToTake): number {
      run.heads.forget()
      const head = run.head.get({ id: conversation.id })
      const added = head === undefined ? takeNew(conversation) : takeOn(conversation, head)
      takeExternalEvents(conversation)
      return added
    },
    drop(id: ConversationId): void {
      const found = removal.any.get({ id })
      if (found === undefined) return
      drop(found)
      listing.intervals.remove([found])
    },
    handoffOrder: () => own.handoffs.all({}).map(({ id }) => id),
    orderHandoffs(order: readonly ConversationId[]): void {
      for (const id of order) own.lastHandoff.run({ id })
    },
  }
}
